ALTER TABLE fiscube.package DROP COLUMN visibility;

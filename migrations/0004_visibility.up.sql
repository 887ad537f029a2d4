-- visibility says who sees a package; NULL where nobody has said it: everybody.
ALTER TABLE fiscube.package ADD COLUMN visibility text;

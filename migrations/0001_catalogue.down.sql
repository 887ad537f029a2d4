DROP TABLE fiscube.version;
DROP TABLE fiscube.package;
DROP SEQUENCE fiscube.version_id;
DROP SCHEMA member CASCADE;
DROP SCHEMA fact CASCADE;
DROP SCHEMA IF EXISTS cuboid CASCADE;

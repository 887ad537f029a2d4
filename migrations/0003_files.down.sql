DROP TABLE fiscube.file_part;
DROP TABLE fiscube.version_file;

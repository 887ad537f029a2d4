-- Which versions, by id, have which files as they were published, by the SHA-256 of their bytes. Of each file there are the bytes once, in parts
-- that are compressed each by itself; the embedded store has them in files beside its own.
CREATE TABLE fiscube.version_file (
    version bigint NOT NULL,
    hash    text NOT NULL,
    PRIMARY KEY (version, hash)
);
CREATE TABLE fiscube.file_part (
    hash    text NOT NULL,
    number  integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (hash, number)
);

CREATE SCHEMA IF NOT EXISTS fact;
CREATE SCHEMA IF NOT EXISTS member;
CREATE SEQUENCE fiscube.version_id;
-- served is the number of the version that answers, NULL after a removal; last was ever used.
CREATE TABLE fiscube.package (
    name   text PRIMARY KEY,
    last   integer NOT NULL,
    served integer
);
-- content is the package with its settled model, as JSON; descriptor the published bytes; report what the load
-- found and assumed, as JSON.
-- A version that is gone answers nothing, and its tables are dropped when no reader holds them.
CREATE TABLE fiscube.version (
    id          bigint PRIMARY KEY,
    package     text NOT NULL,
    number      integer NOT NULL,
    fingerprint text NOT NULL,
    loaded_at   timestamptz NOT NULL,
    rows        bigint NOT NULL,
    content     text NOT NULL,
    descriptor  bytea NOT NULL,
    report      text NOT NULL,
    gone        boolean NOT NULL
);

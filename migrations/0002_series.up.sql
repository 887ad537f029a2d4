-- Series of prices and of inhabitants that an operator added, by the name of their file; content is those of the file, as JSON.
CREATE TABLE fiscube.series (
    name    text PRIMARY KEY,
    content text NOT NULL
);

-- Not STRICT: a strict function is called row by row, this one becomes part of the query that uses it.
CREATE OR REPLACE FUNCTION memory_words_of(terms sparsevec) RETURNS SETOF integer LANGUAGE sql IMMUTABLE AS $$
    SELECT split_part(e, ':', 1)::integer FROM string_to_table(btrim(split_part(terms::text, '/', 1), '{}'), ',') e WHERE e <> ''
    UNION ALL SELECT 0 WHERE terms IS NOT NULL
$$;

-- What recall searches beside vectors: the BM25 terms of every version and episode (memory.words), and how many of a user's texts hold each term.

ALTER TABLE memory_versions ADD COLUMN terms sparsevec;
ALTER TABLE episodes ADD COLUMN terms sparsevec;
-- Documents: the MD5 of the whole text, so that a known file is not processed again; chunks are episodes with `source`.
CREATE TABLE documents (
    user_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    md5 text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (user_id, source)
);
CREATE INDEX episodes_source ON episodes (user_id, source) WHERE source <> '';

-- Term 0 counts the user's texts.
CREATE TABLE memory_words (
    user_id text COLLATE "C" NOT NULL,
    term integer NOT NULL,
    texts integer NOT NULL,
    PRIMARY KEY (user_id, term)
) WITH (fillfactor = 80);

-- The terms of one text, and 0 for the text itself.
CREATE FUNCTION memory_words_of(terms sparsevec) RETURNS SETOF integer LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT split_part(e, ':', 1)::integer FROM string_to_table(btrim(split_part(terms::text, '/', 1), '{}'), ',') e WHERE e <> ''
    UNION ALL SELECT 0
$$;

-- The counts follow the rows themselves, so that no writer can forget them. They are touched in the order of their key: no two writers can deadlock.
CREATE FUNCTION memory_words_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memory_words AS w (user_id, term, texts)
    SELECT r.user_id, t.term, count(*) FROM new_rows r, memory_words_of(r.terms) AS t (term) GROUP BY r.user_id, t.term ORDER BY r.user_id, t.term
    ON CONFLICT (user_id, term) DO UPDATE SET texts = w.texts + excluded.texts;
    RETURN NULL;
END $$;

CREATE FUNCTION memory_words_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memory_words AS w (user_id, term, texts)
    SELECT r.user_id, t.term, -count(*) FROM old_rows r, memory_words_of(r.terms) AS t (term) GROUP BY r.user_id, t.term ORDER BY r.user_id, t.term
    ON CONFLICT (user_id, term) DO UPDATE SET texts = w.texts + excluded.texts;
    RETURN NULL;
END $$;

CREATE FUNCTION memory_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memory_words AS w (user_id, term, texts)
    SELECT NEW.user_id, t.term, sum(t.d) FROM (
        SELECT term, 1 AS d FROM memory_words_of(NEW.terms) AS n (term) UNION ALL SELECT term, -1 FROM memory_words_of(OLD.terms) AS o (term)
    ) t GROUP BY t.term HAVING sum(t.d) <> 0 ORDER BY t.term
    ON CONFLICT (user_id, term) DO UPDATE SET texts = w.texts + excluded.texts;
    RETURN NULL;
END $$;

CREATE TRIGGER words_added AFTER INSERT ON memory_versions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION memory_words_added();
CREATE TRIGGER words_removed AFTER DELETE ON memory_versions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION memory_words_removed();
CREATE TRIGGER words_changed AFTER UPDATE OF terms ON memory_versions FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms)
    EXECUTE FUNCTION memory_words_changed();
CREATE TRIGGER words_added AFTER INSERT ON episodes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION memory_words_added();
CREATE TRIGGER words_removed AFTER DELETE ON episodes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION memory_words_removed();
CREATE TRIGGER words_changed AFTER UPDATE OF terms ON episodes FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms)
    EXECUTE FUNCTION memory_words_changed();

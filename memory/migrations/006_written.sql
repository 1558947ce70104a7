-- The transaction that wrote a vector, so that a process which keeps a namespace's vectors can be told which are newer than its copy (memory.resident_items).
-- Rows written before this migration have none: they are older than any copy.
ALTER TABLE store_vectors ADD COLUMN written xid8;
ALTER TABLE store_vectors ALTER written SET DEFAULT pg_current_xact_id();
CREATE INDEX store_vectors_written ON store_vectors (prefix, written);

-- By a trigger, so that langgraph's own class on the same tables does it too.
CREATE FUNCTION store_vectors_rewritten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.written := pg_current_xact_id();
    RETURN NEW;
END $$;
CREATE TRIGGER rewritten BEFORE UPDATE ON store_vectors FOR EACH ROW EXECUTE FUNCTION store_vectors_rewritten();

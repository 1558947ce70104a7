-- The stock tables of langgraph's AsyncPostgresStore and our own tables for users, versions of facts and the log of changes.
--
-- Columns that hold identities compare bytewise (collate "C"), so that a namespace and its children are one range of the index on any database.
-- In our own tables `user_id` is the encoded label of memory.namespace; erasing a user deletes by that column wherever it exists.

CREATE EXTENSION IF NOT EXISTS vector;

-- A database that langgraph's own store has filled is taken over with its items and vectors.
DO $$
BEGIN
    IF to_regclass('store') IS NOT NULL THEN
        DROP INDEX IF EXISTS store_prefix_idx;
        ALTER TABLE store ADD COLUMN IF NOT EXISTS expires_at timestamptz, ADD COLUMN IF NOT EXISTS ttl_minutes int;
        ALTER TABLE store ALTER prefix TYPE text COLLATE "C", ALTER key TYPE text COLLATE "C", ALTER ttl_minutes TYPE double precision;
    END IF;
    IF to_regclass('store_vectors') IS NOT NULL THEN
        DROP INDEX IF EXISTS store_vectors_embedding_idx;
        ALTER TABLE store_vectors ALTER prefix TYPE text COLLATE "C", ALTER key TYPE text COLLATE "C", ALTER field_name TYPE text COLLATE "C",
            ALTER embedding TYPE halfvec;
    END IF;
END $$;

CREATE TABLE IF NOT EXISTS store (
    prefix text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value jsonb NOT NULL,
    created_at timestamptz DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz,
    ttl_minutes double precision,
    PRIMARY KEY (prefix, key)
);
CREATE INDEX IF NOT EXISTS idx_store_expires_at ON store (expires_at) WHERE expires_at IS NOT NULL;

-- Layout and search of this and the other tables with an embedding depend on its width: see memory.vectors.
CREATE TABLE IF NOT EXISTS store_vectors (
    prefix text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    field_name text COLLATE "C" NOT NULL,
    embedding halfvec,
    created_at timestamptz DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (prefix, key, field_name),
    FOREIGN KEY (prefix, key) REFERENCES store (prefix, key) ON DELETE CASCADE
);
-- An index-only scan is only that where the visibility map is set: vacuum after few inserts, not after a fifth of the table.
ALTER TABLE store_vectors SET (autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01);

-- Mark the stock class's own migrations as done: its setup() then changes nothing, above all it builds no approximate index.
CREATE TABLE IF NOT EXISTS store_migrations (v integer PRIMARY KEY);
INSERT INTO store_migrations SELECT generate_series(0, 3) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS vector_migrations (v integer PRIMARY KEY);
INSERT INTO vector_migrations SELECT generate_series(0, 2) ON CONFLICT DO NOTHING;

-- What the database as a whole remembers: the embedder that filled it.
CREATE TABLE memory_meta (name text PRIMARY KEY, value jsonb NOT NULL);

-- One row per user; `version` grows with every write of that user, so that caches know when they are stale.
CREATE TABLE memory_users (
    user_id text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Every version of every fact: current, superseded, pending, held, archived. `record` is Memory.as_json().
CREATE TABLE memory_versions (
    user_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    fact text COLLATE "C" NOT NULL,
    category text NOT NULL,
    attribute text NOT NULL,
    status text NOT NULL,
    fingerprint text NOT NULL,
    serial bigint GENERATED ALWAYS AS IDENTITY,
    record jsonb NOT NULL,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX memory_versions_attribute ON memory_versions (user_id, attribute);
CREATE INDEX memory_versions_fact ON memory_versions (user_id, fact, serial);

-- What repetition and use add to a version, kept apart so that they rewrite neither value nor vector.
CREATE TABLE memory_strength (
    user_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    evidence integer,
    confidence double precision,
    importance double precision,
    updated_at timestamptz,
    uses integer NOT NULL DEFAULT 0,
    used_at timestamptz,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id, key) REFERENCES memory_versions (user_id, key) ON DELETE CASCADE
) WITH (fillfactor = 70);

-- Vectors of versions that are not current and so have no row in the store.
CREATE TABLE memory_version_vectors (
    user_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id, key) REFERENCES memory_versions (user_id, key) ON DELETE CASCADE
);

-- The log of applied revisions: history, undo, and the proof that a message has been dealt with. `before` maps the key of each touched version
-- that existed to the old values of the fields that changed.
CREATE TABLE memory_changes (
    serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL,
    op text NOT NULL,
    thread text,
    message text,
    round bigint,
    fingerprint text NOT NULL,
    memory_key text COLLATE "C",
    closed_key text COLLATE "C",
    before jsonb NOT NULL DEFAULT '{}',
    reason text NOT NULL DEFAULT '',
    at timestamptz NOT NULL
);
CREATE INDEX memory_changes_user ON memory_changes (user_id, serial);
CREATE INDEX memory_changes_message ON memory_changes (user_id, message) WHERE message IS NOT NULL;

-- Archived turns and chunks of documents.
CREATE TABLE episodes (
    user_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL DEFAULT '',
    position integer NOT NULL DEFAULT 0,
    speaker text NOT NULL DEFAULT '',
    role text NOT NULL DEFAULT 'user',
    text text NOT NULL,
    caption text NOT NULL DEFAULT '',
    source text NOT NULL DEFAULT '',
    entities text[] NOT NULL DEFAULT '{}',
    importance double precision NOT NULL DEFAULT 0,
    time timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX episodes_session ON episodes (user_id, session, position);
CREATE INDEX episodes_time ON episodes (user_id, time);

CREATE TABLE episode_vectors (
    user_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id, key) REFERENCES episodes (user_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01);

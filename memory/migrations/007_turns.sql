-- Whose turn it is in a thread: one process at a time runs a round of it (memory.turns). Unlogged: after a crash of the server nobody's turn is left.
CREATE UNLOGGED TABLE memory_turns (
    thread text PRIMARY KEY,
    user_id text NOT NULL,
    holder uuid NOT NULL,
    until timestamptz NOT NULL
);

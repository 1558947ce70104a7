-- How much of a turn is questions (0–1, memory.searchable): answers are found elsewhere.
ALTER TABLE episodes ADD COLUMN asks real NOT NULL DEFAULT 0;

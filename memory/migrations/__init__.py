"""The database's schema, one SQL file per version; `memory.migrate` applies them."""

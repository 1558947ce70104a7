"""The English reader: splits an English message into clauses, says what each clause is, and which facts it states.

Word lists and patterns are data (`memory/judge/rules/en`); this package holds what words alone cannot say: who a clause is about, whether it is
denied, past, asked, supposed or quoted, where a value ends, and which day "next Friday" is.
"""

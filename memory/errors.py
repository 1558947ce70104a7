"""Every error jizhu raises, grouped by who must act.

JizhuError
├── ForModel              the reply model asked for something that cannot be; tools turn these into words
│   ├── BadArgument
│   ├── NotFound
│   └── HeldByGuard
├── ForUser               the person can fix it; the message says how
│   ├── BadInput
│   ├── AmbiguousRequest
│   └── MemoryConflict
└── ForOperator           whoever runs jizhu must act
    ├── MemoryUnavailable
    ├── EmbedderMismatch
    ├── NewerDatabase
    ├── BadSettings
    ├── BadRules
    └── BadPrompt

Messages are one sentence, safe to show: no secrets, no memory text of other users, no traceback.
"""


class JizhuError(Exception):
    """Base of every error of ours."""


class ForModel(JizhuError):
    """The reply model must do something else."""


class BadArgument(ForModel):
    """A tool was called with an argument that is missing, unknown or out of range."""


class NotFound(ForModel):
    """No memory has this key, for this user."""


class HeldByGuard(ForModel):
    """The guard held or blocked the write; the reasons are in the message."""


class ForUser(JizhuError):
    """The person at the keyboard must do something else."""


class BadInput(ForUser):
    """A line, file, user id or command that cannot be read as meant."""


class AmbiguousRequest(ForUser):
    """More than one memory is meant; the message lists them."""


class MemoryConflict(ForUser):
    """Another writer held this user's lock for longer than the limit."""

    def __init__(self, message: str = "操作过于频繁，请稍后再试 (memory is busy, try again shortly)") -> None:
        super().__init__(message)


class ForOperator(JizhuError):
    """Whoever runs jizhu must act."""


class MemoryUnavailable(ForOperator):
    """Postgres, or the embedder, cannot be reached."""


class EmbedderMismatch(ForOperator):
    """The database was filled by another embedding model than the one configured."""


class NewerDatabase(ForOperator):
    """The database was migrated by a newer jizhu."""


class BadSettings(ForOperator):
    """A setting has a value that makes no sense."""


class BadRules(ForOperator):
    """A rule file is broken: the message names file and line."""


class BadPrompt(ForOperator):
    """A prompt template and the call that renders it disagree: the message names the template and the variable."""

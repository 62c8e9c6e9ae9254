"""Every error that Aramis raises on purpose. Each says what is wrong, and what there is instead.

AramisError
├── BadInput          what was given cannot be used: an option, a file, a column, a schema
├── Unreachable       the goal cannot be met; says what was in reach
├── Unreadable        one file cannot be processed; it is quarantined and the rest goes on
└── Unavailable       weights or an optional part are not here; says how to get them
"""


class AramisError(Exception):
    """What Aramis says when it cannot go on: one sentence for a person."""


class BadInput(AramisError):
    """What was given cannot be used."""


class Unreachable(AramisError):
    """The goal cannot be met; the message says what was in reach."""


class Unreadable(AramisError):
    """One file cannot be processed. It is never copied: the release quarantines it by name and reason."""


class Unavailable(AramisError):
    """Something that can be fetched or installed is not here; the message says how."""

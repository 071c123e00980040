"""`diff FOLDER@REVISION` on a folder from somebody else, which brings a git repository of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import Result

from rulewright.versions import repository as repositories

Run = Callable[..., Result]
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
LOCAL = ("-c", "protocol.file.allow=always")


def git(folder: Path, *words: str) -> str:
    found = subprocess.run(
        ("git", "-C", str(folder), *IDENTITY, *LOCAL, *words), check=True, capture_output=True, text=True
    )
    return found.stdout.strip()


@pytest.fixture
def stranger(game: Path) -> Path:
    """A ruleset with a repository of its own, of one commit."""
    git(game, "init", "-q")
    git(game, "add", ".")
    git(game, "commit", "-qm", "first")
    return game


@pytest.fixture
def private(run: Run, tmp_path: Path) -> Path:
    """Somebody's own repository, which no stranger should read: a ruleset called `mine`."""
    assert run("new", "mine").exit_code == 0
    git(tmp_path / "mine", "init", "-q")
    git(tmp_path / "mine", "add", ".")
    git(tmp_path / "mine", "commit", "-qm", "secret")
    return tmp_path / "mine"


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "the-command-ran"


@pytest.fixture
def command(tmp_path: Path, marker: Path) -> Path:
    """A stranger's command, which leaves a mark."""
    file = tmp_path / "command.sh"
    file.write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    file.chmod(0o755)
    return file


def set_config(folder: Path, **values: str) -> None:
    for name, value in values.items():
        git(folder, "config", name.replace("__", "."), value)


def drop_object(folder: Path, name: str) -> None:
    (folder / ".git" / "objects" / name[:2] / name[2:]).unlink()


def add_object(folder: Path, head: bytes, data: bytes) -> str:
    """A loose object that claims to be what it is not."""
    name = sha1(head + data).hexdigest()
    file = folder / ".git" / "objects" / name[:2] / name[2:]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(zlib.compress(head + data))
    return name


# ---- commands of the configuration


@pytest.mark.parametrize("missing", ["HEAD:game.yaml", "HEAD^{tree}", "HEAD"])
@pytest.mark.parametrize("transport", ["uploadpack", "ext", "ssh", "helper"])
def test_nothing_is_fetched(
    run: Run, stranger: Path, command: Path, marker: Path, missing: str, transport: str
) -> None:
    """A promisor remote and a missing object: git would fetch it through the stranger's command."""
    name = git(stranger, "rev-parse", missing)
    url = {
        "uploadpack": str(stranger),
        "ext": f"ext::{command}",
        "ssh": "ssh://elsewhere/x",
        "helper": "strange::x",
    }[transport]
    set_config(stranger, remote__origin__url=url, remote__origin__promisor="true")
    set_config(stranger, remote__origin__uploadpack=str(command), core__sshCommand=str(command))
    set_config(stranger, extensions__partialClone="origin", core__repositoryformatversion="1")
    set_config(stranger, protocol__allow="always", protocol__ext__allow="always")
    drop_object(stranger, name)
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 2
    assert not marker.exists()
    if transport != "helper":
        subprocess.run(("git", "-C", str(stranger), "cat-file", "-p", name), capture_output=True, check=False)
        assert marker.exists(), "the attack itself does not work, so that nothing was tested"


def test_no_command_of_the_configuration_runs(
    run: Run, stranger: Path, command: Path, marker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_config(stranger, core__fsmonitor=str(command), core__pager=str(command))
    set_config(stranger, core__askPass=str(command), credential__helper=str(command))
    set_config(stranger, core__editor=str(command), core__gitProxy=str(command), diff__external=str(command))
    set_config(stranger, filter__x__smudge=str(command), filter__x__clean=str(command))
    set_config(stranger, diff__x__textconv=str(command), core__alternateRefsCommand=str(command))
    for name in ("pager.cat-file", "pager.rev-parse", "alias.cat-file", "alias.ls-tree"):
        git(stranger, "config", name, f"!{command}")
    (stranger / ".git" / "info" / "attributes").write_text("* filter=x diff=x\n")
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        shutil.copy(command, stranger / ".git" / "hooks" / hook)
    monkeypatch.setenv("GIT_PAGER", str(command))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(command))
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 0, result.output
    assert not marker.exists()


def test_the_environment_does_not_lead_git_elsewhere(
    run: Run, stranger: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(private / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(private))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(private / ".git" / "objects"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare'='true'")
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 0, result.output


def test_git_is_not_taken_from_the_current_folder(
    run: Run, stranger: Path, command: Path, marker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(command, stranger.parent / "git")
    monkeypatch.setenv("PATH", os.pathsep.join(("", ".", os.environ["PATH"])))
    assert run("diff", "dice@HEAD", "dice").exit_code == 0
    assert not marker.exists()


# ---- parts that lie elsewhere


def unsafe(result: Result) -> bool:
    return result.exit_code == 2 and result.output.startswith("error[T357]")


def test_objects_are_not_borrowed(run: Run, stranger: Path, private: Path) -> None:
    """A tree that names a file of somebody's own repository by its hash."""
    blob = git(private, "rev-parse", "HEAD:game.yaml")
    alternates = stranger / ".git" / "objects" / "info" / "alternates"
    alternates.write_text(f"{private}/.git/objects\n")
    git(stranger, "update-index", "--cacheinfo", f"100644,{blob},game.yaml")
    git(stranger, "commit", "-qm", "borrowed")
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 2
    assert result.output == dedent(
        """\
        error[T357]: the repository of `dice@HEAD` is not safe to open: it borrows objects from elsewhere
          --> command line:1:17
           |
         1 | rulewright diff dice@HEAD dice
           |                 ^^^^^^^^^
          help: name a folder whose repository is complete, or one that holds the version
        """
    )


@pytest.mark.parametrize("part", ["objects", "refs", "HEAD", "config", "info"])
def test_no_part_is_a_link_out(run: Run, stranger: Path, private: Path, part: str) -> None:
    found = stranger / ".git" / part
    if found.is_dir():
        shutil.rmtree(found)
    else:
        found.unlink()
    found.symlink_to(private / ".git" / part)
    assert unsafe(run("diff", "dice@HEAD", "dice"))


def test_no_object_is_a_link_out(run: Run, stranger: Path, private: Path) -> None:
    name, other = git(stranger, "rev-parse", "HEAD:game.yaml"), git(private, "rev-parse", "HEAD:game.yaml")
    drop_object(stranger, name)
    (stranger / ".git" / "objects" / name[:2] / name[2:]).symlink_to(
        private / ".git" / "objects" / other[:2] / other[2:]
    )
    assert unsafe(run("diff", "dice@HEAD", "dice"))


@pytest.mark.parametrize("how", ["file", "link", "commondir"])
def test_the_repository_is_not_somebody_elses(run: Run, stranger: Path, private: Path, how: str) -> None:
    if how == "commondir":
        (stranger / ".git" / "commondir").write_text(f"{private}/.git\n")
    else:
        shutil.rmtree(stranger / ".git")
        if how == "file":
            (stranger / ".git").write_text(f"gitdir: {private}/.git\n")
        else:
            (stranger / ".git").symlink_to(private / ".git")
    result = run("diff", "dice@HEAD", "dice")
    assert unsafe(result), result.output
    assert "does not lead back" in result.output


def test_somebody_elses_working_tree_is_not_ours(run: Run, stranger: Path, private: Path) -> None:
    """A `.git` file that leads to the place of a working tree which really exists, but is another."""
    git(private, "worktree", "add", "-q", str(private.parent / "tree"))
    shutil.rmtree(stranger / ".git")
    (stranger / ".git").write_text(f"gitdir: {private}/.git/worktrees/tree\n")
    assert unsafe(run("diff", "dice@HEAD", "dice"))


def test_an_empty_repository_does_not_lead_to_the_next(run: Run, private: Path) -> None:
    """Git would go on looking in the folders above."""
    inner = private / "inner"
    (inner / ".git").mkdir(parents=True)
    (inner / "game.yaml").write_text("game: inner\n")
    assert unsafe(run("diff", "mine/inner@HEAD", "mine"))


def test_a_linked_working_tree_is_opened(run: Run, stranger: Path) -> None:
    git(stranger, "worktree", "add", "-q", str(stranger.parent / "tree"))
    assert run("diff", "tree@HEAD", "dice").exit_code == 0


def test_a_submodule_is_opened(run: Run, stranger: Path, private: Path) -> None:
    git(private, "submodule", "--quiet", "add", str(stranger), "inner")
    assert run("diff", "mine/inner@HEAD", "dice").exit_code == 0


@pytest.mark.parametrize("tree", ["/", "/nowhere", ".."])
def test_another_working_tree_in_the_configuration_changes_nothing(
    run: Run, stranger: Path, tree: str
) -> None:
    set_config(stranger, core__worktree=tree)
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 0, result.output


# ---- what waits, and what has no end


@pytest.mark.parametrize("part", ["HEAD", "packed-refs", "refs/heads/pipe", "objects/pack/pack-1.idx"])
def test_a_named_pipe_in_a_repository(run: Run, stranger: Path, part: str) -> None:
    (stranger / ".git" / part).unlink(missing_ok=True)
    os.mkfifo(stranger / ".git" / part)
    assert unsafe(run("diff", "dice@HEAD", "dice"))


def test_a_configuration_includes_nothing(run: Run, stranger: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    set_config(stranger, include__path=str(tmp_path / "pipe"))
    result = run("diff", "dice@HEAD", "dice")
    assert unsafe(result)
    assert "includes another file" in result.output


def test_git_does_not_wait_for_ever(
    run: Run, stranger: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slow = tmp_path / "slow" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(repositories, "TIMEOUT", 0.5)
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 2
    assert result.output.startswith("error[T350]")


def test_a_blob_that_is_too_large_is_not_read(run: Run, stranger: Path) -> None:
    (stranger / "game.yaml").write_bytes(b"#" * 20_000_000)
    git(stranger, "commit", "-qam", "large")
    result = run("diff", "dice@HEAD", "dice")
    assert "error[D003]" in result.output


@pytest.mark.parametrize("kind", [b"blob", b"tree", b"commit"])
def test_an_object_that_claims_terabytes(run: Run, stranger: Path, kind: bytes) -> None:
    name = add_object(stranger, kind + b" 4000000000000\0", b"x" * 1000)
    if kind == b"commit":
        (stranger / ".git" / "refs" / "heads" / "huge").write_text(f"{name}\n")
    else:
        tree = name if kind == b"tree" else git_tree(stranger, name)
        body = f"tree {tree}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n".encode()
        commit = add_object(stranger, b"commit %d\0" % len(body), body)
        (stranger / ".git" / "refs" / "heads" / "huge").write_text(f"{commit}\n")
    result = run("diff", "dice@huge", "dice")
    assert result.exit_code == 2
    assert result.output.startswith("error[")


def git_tree(folder: Path, blob: str) -> str:
    """A tree with one file, `game.yaml`."""
    body = b"100644 game.yaml\0" + bytes.fromhex(blob)
    return add_object(folder, b"tree %d\0" % len(body), body)


def test_an_answer_is_heard_only_so_far(stranger: Path) -> None:
    """A process that says more than is listened to ends, instead of filling the memory."""
    _, said, complaint = repositories.run(["sh", "-c", "yes & yes >&2; wait"], stranger, 1000)
    assert len(said) == 1001
    assert len(complaint) == repositories.MOST_SAID + 1


# ---- what is no file


def test_a_link_of_a_revision_is_not_followed(run: Run, stranger: Path) -> None:
    (stranger / "game.yaml").unlink()
    (stranger / "game.yaml").symlink_to("/etc/passwd")
    git(stranger, "commit", "-qam", "link")
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 2
    assert result.output.startswith("error[T353]")


def test_a_link_among_the_rules_of_a_revision(run: Run, stranger: Path) -> None:
    text = (stranger / "dice.rules").read_text()
    (stranger / "dice.rules").unlink()
    (stranger / "other.rules").write_text(text)
    (stranger / "dice.rules").symlink_to("other.rules")
    git(stranger, "add", ".")
    git(stranger, "commit", "-qm", "link")
    result = run("diff", "dice@HEAD", "dice")
    assert "error[D072]" in result.output
    assert "it is a symbolic link" in result.output


def test_a_submodule_among_the_rules_of_a_revision(run: Run, stranger: Path, private: Path) -> None:
    git(stranger, "rm", "-q", "dice.rules")
    git(stranger, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},dice.rules")
    git(stranger, "commit", "-qm", "submodule")
    assert "it is a submodule" in run("diff", "dice@HEAD", "mine").output


@pytest.mark.parametrize("name", ["--upload-pack=touch", "-c", "--git-dir=x"])
def test_a_reference_that_looks_like_an_option(run: Run, stranger: Path, name: str) -> None:
    (stranger / ".git" / "refs" / "heads" / name).write_text(git(stranger, "rev-parse", "HEAD"))
    result = run("diff", f"dice@{name}", "dice")
    assert result.exit_code == 2
    assert result.output.startswith("error[T352]")

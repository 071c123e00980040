"""Records of real play under the rules: what agrees, what is refused and why, and the logs of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from dsl.diagnostics import Report
from dsl.render import snippets
from dsl.source import Source
from interpreter import log
from interpreter.replay import replay
from rulewright.library import bundled, bundled_folder
from rulewright.records import mistakes
from tests.records.conftest import Follow, Run, game

WITH_RECORDS = [name for name in bundled() if (bundled_folder() / name / "records").is_dir()]
PGN = '[Event "?"]\n\n'


@pytest.mark.parametrize("name", WITH_RECORDS)
def test_every_notation_has_an_example_that_agrees(name: str, follow: Follow) -> None:
    folder = bundled_folder() / name / "records"
    for notation in game(name).notations:
        files = [file for ending in notation.files for file in folder.glob(f"*.{ending}")]
        assert files, f"{notation.name} has no example"
        for file in files:
            found = follow(name, notation.name, file.read_text(encoding="utf-8"))
            assert found, file
            assert [one.diagnostic for one in found] == [None] * len(found)


def why(follow: Follow, name: str, notation: str, text: str) -> str:
    (found,) = follow(name, notation, text)
    assert found.diagnostic is not None
    return found.diagnostic.message


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("1. e4 e5 2. Nd4", "`Nd4`: A cannot choose `d4`"),
        ("1. e5", "`e5`: A cannot choose `e5`"),
        ("1. e4 e5 2. Nxf3", "`Nxf3`: A cannot choose"),  # nothing is taken there
        ("1. O-O", "`O-O`: A cannot choose `castle east`"),
        ("1. f3 e5 2. g4 Qh4# 3. a3", "the game is over: checkmate"),
        ("1. Nf3 d5 2. Nc3 d4 3. Nd5 e6 4. Nxd4 Ne7 5. Nb5 Ng6 6. Nxc7", "may mean"),
        ("1. f3 e5 2. g4 Qh4# 1-0", "`winner` is `A` in the record, but `B` under the rules"),
    ],
)
def test_the_first_play_that_is_not_offered_is_told(moves: str, expected: str, follow: Follow) -> None:
    assert expected in why(follow, "chess", "pgn", PGN + moves)


def test_play_goes_on_behind_what_is_skipped(follow: Follow) -> None:
    (found,) = follow("chess", "pgn", PGN + "1. e4 {the most usual} e5 $1 (1... c5 2. Nf3) 2. Nf3 *")
    assert found.agreed
    assert found.plays == 3


def test_a_refusal_is_at_its_place(follow: Follow) -> None:
    (found,) = follow("chess", "pgn", PGN + "1. e4 e5\n2. Bc4 Nc6 3. Ke3 *")
    assert found.plays == 4
    assert found.diagnostic is not None
    assert snippets(Report([found.diagnostic])).startswith("error[C467]: `Ke3`: A cannot choose `e3`:")
    assert "--> a.pgn:4:15" in snippets(Report([found.diagnostic]))


def test_a_record_that_cannot_be_read_leaves_the_others(follow: Follow) -> None:
    first, second = follow("chess", "pgn", f"{PGN}1. e4 zz *\n\n{PGN}1. e4 e5 *\n")
    assert first.diagnostic is not None
    assert first.diagnostic.code == "C466"
    assert second.agreed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;SZ[5];B[aa];W[aa])", "B cannot choose `place a5`"),
        ("(;SZ[5];B[aa];B[bb])", "A has nothing to decide now"),
        ("(;SZ[5];B[ba];W[ca];B[cb];W[bb];B[db];W[ab];B[da];W[aa];B[ea];W[ba])", "cannot choose `place b5`"),
        ("(;SZ[5];B[];W[tt];B[aa])", "the game is over"),
        ("(;SZ[25];B[aa])", "`lines`"),
    ],
)
def test_go(text: str, expected: str, follow: Follow) -> None:
    assert expected in why(follow, "go", "sgf", text)


def test_handicap_stones_stand_and_white_begins(follow: Follow) -> None:
    (found,) = follow("go", "sgf", "(;SZ[9]HA[2]AB[gc][cg](;W[ee];B[](;W[tt])(;W[hh]))(;B[aa]))")
    assert found.agreed
    assert found.plays == 3
    assert found.match().view("A").pointers["stone at g7"] == "A"


def test_a_jump_may_leave_out_the_squares_between(follow: Follow) -> None:
    record = '[Event "?"]\n1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x{} *'
    short, long = (follow("checkers", "pdn", record.format(path))[0] for path in ("11", "18x11"))
    assert short.agreed
    assert long.agreed
    assert short.cursor is not None
    assert long.cursor is not None
    assert short.cursor.state == long.cursor.state
    assert "cannot choose" in why(follow, "checkers", "pdn", record.format("18x9"))


def test_finishing_stacks_are_compared(follow: Follow) -> None:
    text = (bundled_folder() / "texas_holdem/records/example.phh").read_text(encoding="utf-8")
    assert "is `139` in the record, but `138`" in why(
        follow, "texas_holdem", "phh", text.replace("[138,", "[139,")
    )
    small = text.replace("p1 cbr 8", "p1 cbr 3")
    assert "no such value" in why(follow, "texas_holdem", "phh", small) or "cannot choose" in why(
        follow, "texas_holdem", "phh", small
    )


def test_a_revoke_is_refused(follow: Follow) -> None:
    text = (bundled_folder() / "bridge/records/example.pbn").read_text(encoding="utf-8")
    assert "cannot choose" in why(follow, "bridge", "pbn", text.replace("CA C7 C2 C5", "CA SA C2 C5"))


def test_men_move_in_any_order_but_not_against_the_rules(follow: Follow) -> None:
    text = (bundled_folder() / "backgammon/records/example.mat").read_text(encoding="utf-8")
    turned = text.replace("8/5 6/5", "6/5 8/5").replace("24/18 22/16 13/7(2)", "13/7(2) 22/16 24/18")
    (found,) = follow("backgammon", "mat", turned)
    assert found.agreed
    assert "cannot choose" in why(follow, "backgammon", "mat", text.replace("24/14", "24/13"))


@pytest.mark.parametrize("name", WITH_RECORDS)
def test_the_log_of_a_record_is_replayed(name: str, follow: Follow) -> None:
    for notation in game(name).notations:
        file = next((bundled_folder() / name / "records").glob(f"example.{notation.files[0]}"))
        for found in follow(name, notation.name, file.read_text(encoding="utf-8")):
            match = found.match()
            assert found.setting is not None
            text = log.write(match, found.setting.options, ["human"] * match.game.machine.seats)
            again = replay(found.setting.game, log.read(Source("match.log", text))).match
            assert found.cursor is not None
            if not again.state[0]:
                assert again.hash() == match.hash()


@pytest.mark.parametrize(
    ("name", "notation", "text"),
    [
        ("chess", "pgn", f"{PGN}e4 e5 Bc4 Nc6 Qh5 Nf6 Qf7 1-0"),
        ("go", "sgf", "(;GM[1]FF[4]SZ[5];B[cc] ;W[bb] ;B[])"),
    ],
)
def test_what_is_written_reads_back(name: str, notation: str, text: str, run: Run) -> None:
    Path(f"a.{notation}").write_text(text, encoding="utf-8")
    assert run("records", name, f"a.{notation}", "--into", "logs").exit_code == 0
    written = run("records", name, "--write", notation, "logs/a-1.log").output
    assert written.replace('[Result "1-0"]\n', "") == f"{text}\n"
    Path(f"again.{notation}").write_text(written, encoding="utf-8")
    assert run("records", name, f"again.{notation}").exit_code == 0


def test_a_match_from_a_position_is_not_written(run: Run) -> None:
    Path("a.sgf").write_text("(;SZ[5]AB[aa];W[bb])", encoding="utf-8")
    assert run("records", "go", "a.sgf", "--into", "logs").exit_code == 0
    result = run("records", "go", "--write", "sgf", "logs/a-1.log")
    assert result.exit_code == 2
    assert "this match begins from a position" in result.output


def test_check_and_test_look_at_notations(run: Run) -> None:
    broken = Path(__file__).parents[1] / "diagnostics/load/D143-unknown-choice"
    for command in ("check", "test"):
        result = run(command, str(broken))
        assert result.exit_code == 1
        assert "error[D143]: nothing is chosen as `put`" in result.output


def test_the_command_counts_and_shows(run: Run) -> None:
    Path("games.pgn").write_text(f"{PGN}1. e4 *\n\n{PGN}1. e5 *\n", encoding="utf-8")
    result = run("records", "chess", "games.pgn")
    assert result.exit_code == 1
    assert result.output.endswith("2 records, 1 play: 1 agreed, 1 did not\n")
    assert "error[C467]: `e5`: A cannot choose `e5`" in result.output
    assert run("records", "chess").output == "pgn: Portable Game Notation (*.pgn)\n"


@pytest.mark.parametrize("name", WITH_RECORDS)
def test_the_notations_of_bundled_games_fit_their_rules(name: str) -> None:
    opened = game(name)
    assert list(mistakes(opened.path, opened.rules)) == []


@pytest.mark.parametrize(
    ("name", "notation", "ending"),
    [
        ("connect_four", "columns", "columns"),
        ("othello", "transcript", "othello"),
        ("nine_mens_morris", "moves", "morris"),
    ],
)
def test_whole_matches_are_written_as_they_were_read(name: str, notation: str, ending: str, run: Run) -> None:
    text = (bundled_folder() / name / f"records/example.{ending}").read_text(encoding="utf-8")
    Path(f"a.{ending}").write_text(text, encoding="utf-8")
    assert run("records", name, f"a.{ending}", "--into", "logs").exit_code == 0
    logs = sorted(Path("logs").iterdir())
    written = "".join(run("records", name, "--write", notation, str(log)).output for log in logs)
    assert re.sub(r"\d+\. |\s", "", written) == re.sub(r"\d+\. |\s", "", text)


def test_each_line_is_a_record_where_nothing_begins_one(follow: Follow) -> None:
    found = follow("connect_four", "columns", "4435\n\n  \n77777777\n\n")
    assert [one.plays for one in found] == [4, 6]


@pytest.mark.parametrize(
    ("name", "notation", "text", "expected"),
    [
        ("chess", "pgn", "1. e4 e5 *\n", "no line begins with `[Event `"),
        ("connect_four", "columns", "\n", "there is nothing in it"),
        ("go", "sgf", "", "there is nothing in it"),
    ],
)
def test_a_file_without_a_record_does_not_agree(
    name: str, notation: str, text: str, expected: str, follow: Follow
) -> None:
    assert expected in why(follow, name, notation, text)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["chess", "nowhere"], "error[D001]: `nowhere` cannot be read"),
        (["chess", "a.txt"], "`*.pgn` are read, another with `--notation pgn`"),
        (["chess", "empty"], "error[C465]: `empty` has no file of records"),
        (["chess", "a.pgn", "--into", "a.txt"], "error[C401]: `a.txt` cannot be written: file exists"),
        (["chess", "--write", "pgn", "--into", "logs", "a.log"], "leave out --into and --json"),
        (["pig"], "pig has no notation of records: describe one"),
    ],
)
def test_what_the_command_says_of_files(words: list[str], expected: str, run: Run) -> None:
    for name in ("a.txt", "a.pgn"):
        Path(name).write_text(f"{PGN}1. e4 *\n", encoding="utf-8")
    Path("empty").mkdir()
    assert expected in run("records", *words).output


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("choose: drop", "choose: dorp", "nothing is chosen as `dorp`", "did you mean `drop`?"),
        ("{column: COLUMN}", "{column: COLUM}", "`COLUM` is not a `column`", "did you mean `COLUMN`?"),
        ("{column: COLUMN}", "{drop.column: COLUMN}", "unknown value `drop`", "has the name `column` here"),
        ("drop: [{choose: drop, where: {column: COLUMN}}]", "drop: []", "has no steps", "leave out a part"),
        ("words:\n", "words:\n  drop: '{drop}'\n", "words of `drop` are said by itself", "a part within it"),
        ("seats: 2", "seats: two", "`seats` must be a number", ""),
    ],
)
def test_a_notation_is_checked_before_records_are_followed(
    old: str, new: str, message: str, hint: str, run: Run
) -> None:
    shutil.copytree(bundled_folder() / "connect_four", "connect_four")
    mapping = Path("connect_four/records/columns.yaml")
    mapping.write_text(mapping.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = run("records", "./connect_four", "connect_four/records")
    assert result.exit_code == 1
    assert "error[D143]" in result.output
    assert message in result.output
    assert hint in result.output
    assert "--> connect_four/records/columns.yaml" in result.output


def test_a_play_without_a_text_is_told(run: Run) -> None:
    shutil.copytree(bundled_folder() / "othello", "othello")
    mapping = Path("othello/records/transcript.yaml")
    joined = mapping.read_text(encoding="utf-8").replace("{cell: cell}", "{cell: 'd{LINE}'}")
    mapping.write_text(joined, encoding="utf-8")
    Path("a.othello").write_text("d3", encoding="utf-8")
    assert run("records", "./othello", "a.othello", "--into", "logs").exit_code == 0
    result = run("records", "./othello", "--write", "transcript", "logs/a-1.log")
    assert "has no text for `A: place d3`, choice 1 of the match" in result.output
    assert "help: each part of a text must be what one condition is compared with" in result.output


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("play", "  row: [{choose: drop, where: {column: '{COLUMN}{drop}'}}]"),
        ("set_up", "  row: {options: {lines: '{COLUMN}{drop}'}}"),
    ],
)
def test_a_text_that_may_be_made_in_very_many_ways_is_refused(section: str, text: str, run: Run) -> None:
    shutil.copytree(bundled_folder() / "connect_four", "connect_four")
    grammar, mapping = (Path(f"connect_four/records/columns.{ending}") for ending in ("lark", "yaml"))
    grammar.write_text("record: row\nrow: drop*\ndrop: COLUMN\nCOLUMN: /[1-7]/\n", encoding="utf-8")
    steps = "" if section == "play" else "play:\n  drop: [{choose: drop, where: {column: COLUMN}}]\n"
    words = "words:\n  COLUMN: {1: a, 2: b, 3: c, 4: d, 5: e, 6: f, 7: g}\n"
    mapping.write_text(f"notation: x\n{words}{section}:\n{text}\n{steps}", encoding="utf-8")
    Path("a.columns").write_text("4" * 2000, encoding="utf-8")
    result = run("records", "./connect_four", "a.columns", "--notation", "columns")
    assert result.exit_code == 1
    assert "could be meant in too many ways" in result.output


def test_a_long_play_is_told_shortened(run: Run) -> None:
    shutil.copytree(bundled_folder() / "connect_four", "connect_four")
    grammar = Path("connect_four/records/columns.lark")
    grammar.write_text("record: drop*\ndrop: COLUMN\nCOLUMN: /[1-7]+/\n", encoding="utf-8")
    Path("a.columns").write_text("4" * 100_000, encoding="utf-8")
    result = run("records", "./connect_four", "a.columns")
    assert "A cannot choose `drop 44" in result.output
    assert len(result.output) < 1000

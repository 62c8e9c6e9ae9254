"""`aramis table check`: levels, exit status, and what is said of what cannot be checked."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aramis
from aramis.cli.main import app
from aramis.errors import BadInput

ABOUT_REFERENCE = "--reference is released, or original together with --original FILE, or given together with --shares COL=FILE"
PEOPLE = "zip;age;ill;pay\n01749;30;flu;3\n01749;31;cold;4\n01748;30;flu;3\n01748;30;;9\n"


@pytest.fixture
def people(tmp_path: Path) -> str:
    (tmp_path / "people.csv").write_text(PEOPLE)
    return str(tmp_path / "people.csv")


def said(*words: str) -> str:
    """What is printed on a run that finds nothing wrong."""
    done = CliRunner().invoke(app, ["table", "check", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_without_a_wish_every_level_is_told(people: str) -> None:
    found = json.loads(said(people, "-q", "zip", "-s", "ill", "-s", "pay", "--json"))
    assert (found["rows"], found["classes"], found["k"], found["quasi"]) == (4, 2, 2, ["zip"])
    assert found["missing"] == {"ill": 1}
    assert found["sensitive"]["ill"]["l_distinct"] == 2
    assert found["sensitive"]["ill"]["l_recursive"] == {"l": 2, "c": 1.0}
    assert found["sensitive"]["ill"]["t"]["distance"] == "equal"
    assert found["sensitive"]["pay"]["t"]["distance"] == "ordered"
    assert found["joint"]["columns"] == ["ill", "pay"]
    assert found["wanted"] == {}
    assert found["worst"][0]["class"] == {"zip": "01748"}
    assert found["worst"][0]["distribution"]["ill"] == {"flu": 1, "": 1}


def test_the_answer_has_the_form_that_programs_hold_on_to(people: str) -> None:
    words = ["table", "check", people, "-q", "zip", "-s", "ill", "--k", "5", "--json"]
    found = json.loads(CliRunner().invoke(app, words).stdout)
    assert {"rows", "classes", "quasi", "k", "sensitive", "wanted", "worst"} <= set(found)
    ill = found["sensitive"]["ill"]
    assert {"l_distinct", "l_entropy", "l_recursive", "t", "alpha", "beta", "delta"} <= set(ill)
    assert set(ill["l_recursive"]) == {"l", "c"}
    assert {"distance", "level"} <= set(ill["t"])
    assert (ill["alpha"], ill["delta"]) == (0.5, None)  # a value that a class lacks: no delta is enough
    assert found["wanted"] == {"k": {"wanted": 5, "holds": False, "failing_records": 4}}
    assert set(found["worst"][0]) == {"model", "column", "level", "records", "class", "distribution"}


def test_a_level_that_does_not_hold_is_exit_status_1(people: str) -> None:
    done = CliRunner().invoke(app, ["table", "check", people, "-q", "age", "-s", "ill", "--k", "2", "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["wanted"] == {"k": {"wanted": 2, "holds": False, "failing_records": 1}}


def test_a_level_may_be_wanted_of_one_column_or_of_all(people: str) -> None:
    words = ["table", "check", people, "-q", "zip", "-s", "ill", "-s", "pay", "--json"]
    every = CliRunner().invoke(app, [*words, "--t", "0.2"])
    assert every.exit_code == 1
    assert set(json.loads(every.stdout)["wanted"]["t"]["columns"]) == {"ill", "pay"}
    one = CliRunner().invoke(app, [*words, "--t", "ill=0.6", "--l", "2", "--l-kind", "entropy"])
    assert one.exit_code == 0
    assert json.loads(one.stdout)["wanted"]["l"]["kind"] == "entropy"


def test_the_text_names_the_distance_and_the_worst_class(people: str) -> None:
    text = said(people, "-q", "zip", "-s", "ill", "--distance", "ill=ordered", "--k", "2")
    assert "people.csv (semicolon-separated, utf-8): 4 rows in 2 classes of zip" in text
    assert "missing, counted as a value of its own: ill in 1 record (25.0%)" in text
    assert "ground distance   ordered" in text
    assert "k >= 2  is 2  holds" in text


def test_the_worst_classes_are_those_of_the_level_that_is_wanted(tmp_path: Path) -> None:
    """Recursive diversity is told for l = 2; a class that is good for it may be the worst for l = 3."""
    rows = [*["a;flu"] * 3, *["a;cold"] * 3, "a;angina", *["b;flu"] * 4, *["b;cold"] * 2, *["b;angina"] * 2]
    (tmp_path / "ill.csv").write_text("\n".join(["zip;ill", *rows, ""]))
    words = [str(tmp_path / "ill.csv"), "-q", "zip", "-s", "ill", "--l", "3", "--l-kind", "recursive"]
    text = " ".join(said(*words, "--c", "4").split())
    assert "recursive (c,2), c 1 t" in text
    assert "recursive c of ill 3 7 records (a)" in text
    assert "recursive (c,3), c of ill < 4 is 3 holds" in text
    text = " ".join(said(*words[:5], "--t", "1", "--n", "1").split())
    assert "(n,t)-closeness t of ill 0 8 records (b): flu 4, angina 2, cold 2" in text


def test_a_column_that_is_the_same_everywhere_is_said_to_tell_nothing(tmp_path: Path) -> None:
    (tmp_path / "ill.csv").write_text("zip,ill\n1,flu\n1,flu\n2,flu\n")
    text = said(str(tmp_path / "ill.csv"), "-q", "zip", "-s", "ill")
    assert "t of ill compares each class with the whole table, and all are like it" in text


def test_what_may_stand_for_no_value_is_pointed_out(tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("zip,pay\n1,3\n1,NA\n2,NA\n2,4\n")
    text = said(str(path), "-q", "zip", "-s", "pay")
    assert "pay is NA in 2 records (50.0%): if that stands for no value, say --missing 'NA'" in text
    assert "ground distance   equal" in text
    text = said(str(path), "-q", "zip", "-s", "pay", "--missing", "NA")
    assert "missing, counted as a value of its own: pay in 2 records (50.0%)" in text
    assert "ground distance   ordered" in text


def test_hierarchies_come_from_a_folder_a_file_or_words(people: str, tmp_path: Path) -> None:
    (tmp_path / "my_hierarchy_ill.csv").write_text("flu,lung,*\ncold,lung,*\nulcer,stomach,*\n")
    by_folder = said(people, "-q", "zip", "-s", "ill", "--hierarchies", str(tmp_path), "--json")
    by_file = said(
        people, "-q", "zip", "-s", "ill", "--hierarchy", f"ill={tmp_path}/my_hierarchy_ill.csv", "--json"
    )
    assert by_folder == by_file
    assert json.loads(by_file)["sensitive"]["ill"]["t"]["distance"] == "hierarchical"
    by_words = json.loads(
        said(people, "-q", "zip", "-s", "pay", "--hierarchy", "pay=intervals:2,4", "--json")
    )
    assert by_words["sensitive"]["pay"]["t"]["distance"] == "hierarchical"


def test_a_table_is_compared_with_its_original(people: str, tmp_path: Path) -> None:
    (tmp_path / "original.csv").write_text(PEOPLE + "01748;30;angina;1\n" * 4)
    words = [people, "-q", "zip", "-s", "ill", "--json"]
    alone = json.loads(said(*words))
    compared = json.loads(
        said(*words, "--reference", "original", "--original", str(tmp_path / "original.csv"))
    )
    assert (alone["reference"], compared["reference"]) == ("released", "original")
    assert alone["sensitive"]["ill"]["t"]["level"] == pytest.approx(0.25)
    assert compared["sensitive"]["ill"]["t"]["level"] == pytest.approx(0.625)


def test_what_stands_for_no_value_does_so_in_the_original_too(people: str, tmp_path: Path) -> None:
    (tmp_path / "original.csv").write_text(PEOPLE.replace(";;", ";?;"))
    words = ["--reference", "original", "--original", str(tmp_path / "original.csv"), "--missing", "?"]
    found = json.loads(said(people, "-q", "zip", "-s", "ill", "--json", *words))
    assert found["sensitive"]["ill"]["values"] == 3
    assert found["sensitive"]["ill"]["t"]["level"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("shares.csv", "flu,5\nangina,5\n"),
        ("shares.csv", "disease;share\nflu;0.5\nangina;0.5\n"),
        ("shares.toml", "flu = 0.5\nangina = 0.5\n"),
        ("shares.json", '{"flu": 1, "angina": 1}'),
    ],
)
def test_a_table_is_compared_with_shares_that_are_given(
    people: str, tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)
    words = ["--reference", "given", "--shares", f"ill={tmp_path / name}"]
    found = json.loads(said(people, "-q", "zip", "-s", "ill", "--json", *words))
    assert found["reference"] == "given"
    # half of each class have flu, as half of all do; nobody has angina, and in its place they have a cold or nothing
    assert found["sensitive"]["ill"]["t"]["level"] == pytest.approx(0.5)
    assert found["sensitive"]["ill"]["values"] == 4


def test_a_value_that_the_shares_do_not_have_is_said_to_occur(people: str, tmp_path: Path) -> None:
    (tmp_path / "shares.csv").write_text("cold,1\n,1\n")
    words = ["--reference", "given", "--shares", f"ill={tmp_path / 'shares.csv'}"]
    found = said(people, "-q", "zip", "-s", "ill", *words)
    assert "where it is worst, flu occurs, which the given distribution does not have" in found


def test_shares_are_of_the_values_that_the_table_has_whether_numbers_or_none(
    people: str, tmp_path: Path
) -> None:
    (tmp_path / "shares.csv").write_text("pay,share\n1,0.25\n2,0.25\n7,0.25\n,0.25\n")
    words = [
        "--reference",
        "given",
        "--shares",
        f"pay={tmp_path / 'shares.csv'}",
        "--distance",
        "pay=numeric",
    ]
    found = json.loads(said(people, "-q", "zip", "-s", "pay", "--json", *words))
    table = aramis.table(people, quasi="zip", sensitive="pay", distances={"pay": "numeric"})
    same = table.check(reference={"pay": {1: 0.25, 2: 0.25, 7: 0.25, None: 0.25}})
    assert same.sensitive["pay"].domain == (1, 2, 3, 4, 7, 9, None)
    assert found["sensitive"]["pay"]["values"] == 7
    assert found["sensitive"]["pay"]["t"]["level"] == same.sensitive["pay"].t


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("flu,1,2\n", "a line has a value of ill and its share, and one has ['flu', '1', '2']"),
        ("flu,1\nflu,2\n", "has two shares of 'flu'"),
        ("flu,1\ncold,many\n", "the share of 'cold' of ill is no number: 'many'"),
        ("flu,-1\n", "the reference of ill has no shares: they are 0 or more, and not all 0"),
        ("", "the reference of ill has no shares: they are 0 or more, and not all 0"),
    ],
)
def test_shares_that_are_none_are_said_in_a_sentence(
    people: str, tmp_path: Path, content: str, sentence: str
) -> None:
    (tmp_path / "shares.csv").write_text(content)
    words = ["-s", "ill", "--reference", "given", "--shares", f"ill={tmp_path / 'shares.csv'}"]
    with pytest.raises(BadInput) as caught:
        CliRunner().invoke(app, ["table", "check", people, "-q", "zip", *words], catch_exceptions=False)
    assert str(caught.value).endswith(sentence)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-q", "zap"], "people.csv has no column 'zap'; did you mean 'zip'?"),
        (["-q", "zip", "-s", "zip"], "'zip' is named as quasi-identifier and as sensitive"),
        (["-q", "zip", "-q", "zip"], "'zip' is named twice"),
        ([], "no quasi-identifier is named; people.csv has 'zip', 'age', 'ill', 'pay'"),
        (["-q", "zip", "--t", "0.2"], "t is about a sensitive column; none is named"),
        (["-q", "zip", "-s", "ill", "--t", "2"], "t = 2 means nothing; it is 0 to 1"),
        (["-q", "zip", "-s", "ill", "--t", "x"], "--t x: it is a number, or COL=NUMBER"),
        (["-q", "zip", "-s", "ill", "--t", "pay=0.1"], "t is wanted of pay, which is not sensitive; ill is"),
        (["-q", "zip", "-s", "ill", "--l", "2", "--l-kind", "odd"], "there is no l-diversity called odd; choose one of distinct, entropy, recursive"),
        (["-q", "zip", "-s", "ill", "--c", "2"], "recursive (c,l)-diversity needs both: l, with the kind recursive, and c"),
        (["-q", "zip", "-s", "ill", "--distance", "ill=far"], "there is no distance far; choose one of equal, ordered, numeric, hierarchical"),
        (["-q", "zip", "-s", "ill", "--distance", "ill=hierarchical"], "the hierarchical distance needs a hierarchy of ill; none is given"),
        (["-q", "zip", "-s", "ill", "--distance", "ill=numeric"], "numeric distances need numbers or dates; ill has 'cold'; use ordered or equal"),
        (["-q", "zip", "--hierarchy", "zip"], "--hierarchy zip: it is written COL=VALUE"),
        (["-q", "zip", "--reference", "original"], ABOUT_REFERENCE),
        (["-q", "zip", "-s", "ill", "--reference", "given"], ABOUT_REFERENCE),
        (["-q", "zip", "-s", "ill", "--shares", "ill=x.csv"], ABOUT_REFERENCE),
        (["-q", "zip", "-s", "ill", "--reference", "given", "--shares", "ill=x.csv"], "there is no file x.csv with the shares of ill"),
        (["-q", "zip", "--separator", ";;"], "a separator is one character; ';;' has 2"),
        (["-q", "zip", "--encoding", "utf-9"], "there is no encoding utf-9; utf-8, cp1252 and utf-16 are common"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said_in_a_sentence(people: str, words: list[str], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        CliRunner().invoke(app, ["table", "check", people, *words], catch_exceptions=False)
    assert str(caught.value) == sentence


def test_discrimination_is_told_and_a_level_of_it_may_be_wanted(tmp_path: Path) -> None:
    rows = ["a;f;no", "a;f;yes", "a;m;yes", "a;m;yes", "b;f;yes", "b;f;no", "b;m;yes", "b;m;late"]
    (tmp_path / "loans.csv").write_text("\n".join(["town;sex;credit", *rows, ""]))
    words = [str(tmp_path / "loans.csv"), "-q", "town", "-s", "credit", "-s", "sex", "--protected", "sex=f"]
    text = said(*words, "--denied", "credit=no", "--protection", "RD=0.5", "--protection", "RC=0.5")
    assert "discrimination of sex = f where credit = no" in text
    assert "protection RD <= 0.5  is 0.5  holds" in text
    assert "protection RC >= 0.5  is 0.5  holds" in text
    found = json.loads(said(*words, "--denied", "credit=no", "--denied", "credit=late", "--json"))
    assert found["discrimination"]["denied"] == "credit = no or late"
    assert found["discrimination"]["measures"]["RD"] == {"table": 0.25, "worst": 0.5, "bound": 0.75}
    assert found["discrimination"]["unjudged"] == {"classes": 0, "records": 0}

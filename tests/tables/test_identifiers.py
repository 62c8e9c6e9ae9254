"""What identifies: the look of values and the words that name columns."""

import pytest

from aramis.tables.identifiers import HIPAA, SENSITIVE, is_card_number, is_iban, is_telephone, look, named


def test_there_are_eighteen() -> None:
    assert len(HIPAA) == 18


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["ana@example.org", "b.c+d@mail.example.com"], "email addresses"),
        (["+49 30 1234567", "(030) 123-4567"], "telephone numbers"),
        (["078-05-1120"], "social security numbers"),
        (["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"], "account numbers"),
        (["4111 1111 1111 1111", "5500005555555559"], "account numbers"),
        (["192.168.0.1"], "IP addresses"),
        (["2001:db8:0:0:0:0:0:1"], "IP addresses"),
        (["00:1a:2b:3c:4d:5e"], "device identifiers and serial numbers"),
        (["1HGCM82633A004352"], "vehicle identifiers and licence plates"),
        (["https://example.org/ana"], "web addresses"),
        (["123e4567-e89b-12d3-a456-426614174000"], "any other unique number, characteristic or code"),
        (["1999-12-31", "31.12.1999", "12/31/99", "2024-05-01T12:00:00"], "dates, and ages over 89"),
        (["52.5163,13.3777"], "geographic subdivisions smaller than a state"),
        (["ana@example.org", "none", "none"], None),  # fewer than half
        (["12345678", "1.5", "flu", "", "-3", "1,000,000"], None),
        ([], None),
    ],
)
def test_values_look_like_what_they_are(values: list[str], name: str | None) -> None:
    found = look(values)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (is_card_number, "4111111111111111", "4111111111111112"),
        (is_iban, "DE89370400440532013000", "DE89370400440532013001"),
        (is_telephone, "030-1234567", "2024-05-01"),
        (is_telephone, "+4930123456", "4930123456"),
    ],
)  # fmt: skip
def test_check_digits_and_marks_decide(check: object, right: str, wrong: str) -> None:
    assert callable(check)
    assert check(right)
    assert not check(wrong)


@pytest.mark.parametrize(
    ("column", "word"),
    [
        ("ICD-10 code", "icd10"),
        ("diseaseGroup", "disease"),
        ("salary_class", "salary"),
        ("Diagnosé", "diagnose"),
        ("will", None),  # `ill` inside another word
        ("", None),
    ],
)
def test_a_name_says_what_a_column_is_by_whole_words(column: str, word: str | None) -> None:
    assert named(column, SENSITIVE) in {word, *({"icd"} if word == "icd10" else set())}

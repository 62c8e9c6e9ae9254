"""Number plates of 34 countries: how numbers are formed, what is never issued, and a fresh number that nobody read.

A format is a line of signs: `A` a letter of the country, `9` a digit, `R` a region code, `/` where a plate of two rows
breaks, anything else itself. What a format cannot say (letters never issued together, a group of zeros) is in `never`.
"""

import random
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from aramis.errors import BadInput

_ALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ"
_CYRILLIC_TWINS = "ABCEHKMOPTXY"  # letters that are the same in both scripts
_BLACK, _WHITE, _YELLOW = (16, 16, 18), (242, 243, 240), (248, 196, 20)
_GREEN, _RED, _BLUE = (0, 110, 60), (178, 24, 32), (0, 51, 153)

Colour = tuple[int, int, int]  # red, green, blue


@dataclass(frozen=True, slots=True)
class Look:
    """How a plate is coloured, and the formats it carries where they differ from the country's."""

    name: str = "standard"
    paper: Colour = _WHITE
    ink: Colour = _BLACK
    strip: Colour | None = _BLUE  # the band on the left with stars and country code
    right: Colour | None = None  # a second band, as in France and Italy
    formats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Country:
    code: str  # as it stands on the strip
    formats: tuple[str, ...]
    letters: str = _ALL
    regions: tuple[str, ...] = ()
    never: str = r"(?!)"  # a regular expression; a number that holds it is not issued
    looks: tuple[Look, ...] = (Look(),)
    stars: bool = True  # a member of the European Union
    seal: bool = False  # a round seal or a crest stands in the first gap


def _codes(line: str) -> tuple[str, ...]:
    return tuple(line.split())


_OLD = Look("old, without strip", strip=None)
_DARK = Look("old, dark", paper=_BLACK, ink=_WHITE, strip=None)
_SWISS = Look("standard", strip=None)

COUNTRIES = (
    Country(
        "A",
        ("R 99999A", "R 9999AA", "R/ 999AA", "R 99AAA"),
        "ABCDEFGHJKLMNPRSTUVWXYZ",
        _codes("W G L S IL KL KR GU MD BN WU P AM BR DO FB FE FK GF GR HA"),
        r" 0",
        (Look(), Look("electric", ink=_GREEN), _DARK),
        seal=True,
    ),
    Country(
        "B",
        ("1-AAA/-999", "2-AAA/-999", "1-AAA-999"),
        never=r"-000|[IMOQW]{2}",
        looks=(
            Look(ink=_RED),
            Look("old, without strip", ink=_RED, strip=None, formats=("AAA-999", "999-AAA")),
        ),
    ),
    Country(
        "BG",
        ("R 9999/ AA", "R 9999 AA"),
        _CYRILLIC_TWINS,
        _codes("A B BH BP BT CA CB CH E EB EH K KH M H OB P PA PB PK PP C CM CO CC CT T TX Y X"),
        "0000",
    ),
    Country(
        "CH",
        ("R/ 999999", "R 99999"),
        regions=_codes("AG BE BL BS FR GE GR LU NE SG SH SO SZ TG TI VD VS ZG ZH"),
        never=r" 0",
        looks=(_SWISS,),
        stars=False,
        seal=True,
    ),
    Country("CY", ("AAA/ 999", "AAA 999"), "ABEHJKMNPTXYZ", never=" 000"),
    Country("CZ", ("9R9 /9999", "9R9 9999"), "ABCDEFHJKLMNPRSTUVXYZ", tuple("ABCEHJKLMPSTUZ"), r"^0| 0000"),
    Country(
        "D",
        ("R-A 999", "R/-AA 99", "R/-AA 999", "R-AA 9999", "R-A 9999"),
        regions=_codes(
            "B M HH K F S D L DO E HB DD H N DU BO W BI BN MS KA MA A WI MG GE AC BS KI C HAL MD FR KR LB AN OS HEI PB PF UL TÜ KN RV BB ES LÖ OG ERZ ROW TBB NEA STD OHZ"
        ),
        never=r"-(NS|SS|SA|KZ|HJ|HH|AH)\b| 0",
        looks=(
            Look(),
            Look("electric", formats=("R-A 999E", "R-AA 99E")),
            Look("tax-free", ink=_GREEN),
            Look("dealer", ink=_RED, formats=("R-06999", "R-069999")),
            _OLD,
        ),
        seal=True,
    ),
    Country(
        "DK",
        ("AA 99 /999", "AA 99 999"),
        "ABCDEGHJKLMNPRSTUVXYZ",
        never=r"^(II|OO)| 00 000",
        looks=(Look(), Look("goods", paper=_YELLOW), _OLD),
    ),
    Country(
        "E",
        ("9999 /AAA", "9999 AAA"),
        "BCDFGHJKLMNPRSTVWXYZ",
        never=r"0000",
        looks=(
            Look(),
            Look("taxi", paper=_BLUE, ink=_WHITE),
            Look("old, without strip", strip=None, formats=("R-9999-AA",)),
        ),
        regions=_codes("M B V SE MA BI Z A MU CA"),
    ),
    Country("EST", ("999 /AAA", "999 AAA"), "BCDFGHJKLMNPRSTVXYZ", never="000"),
    Country(
        "F",
        ("AA-999/-AA", "AA-999-AA"),
        "ABCDEFGHJKLMNPQRSTVWXYZ",
        never=r"SS|^WW|-000",
        looks=(
            Look(right=_BLUE),
            Look("old, yellow", paper=_YELLOW, strip=None, formats=("9999 AA /99", "999 AAA 99")),
        ),
    ),
    Country("FIN", ("AAA/-999", "AAA-999", "AAA-99"), "ABCEFGHIJKLMNOPRSTUVXYZ", never=r"-0"),
    Country(
        "UK",
        ("AA59 /AAA", "AA19 AAA", "AA69 AAA", "AA09 /AAA"),
        "ABCDEFGHJKLMNOPRSTUVWXY",
        never=r"^..(00|01|50)",
        looks=(
            Look("front"),
            Look("rear", paper=_YELLOW),
            Look("without strip", strip=None),
            Look("rear, without strip", paper=_YELLOW, strip=None),
            Look("electric", strip=_GREEN),
        ),
        stars=False,
    ),
    Country("GR", ("AAA/-9999", "AAA-9999"), "ABEHIKMNOPTXYZ", never=r"-0"),
    Country(
        "H",
        ("AAA/-999", "AAA-999", "AA AA/-999"),
        never=r"-000",
        looks=(Look(), Look("electric", paper=(120, 200, 120)), Look("taxi", paper=_YELLOW)),
    ),
    Country(
        "HR",
        ("R 999/-AA", "R 9999-AA"),
        _CONSONANTS,
        _codes("ZG ST RI OS PU ZD SB KA SK DU BJ KC"),
        " 000",
        (_OLD, Look()),
        seal=True,
    ),
    Country(
        "I",
        ("AA 9/99AA", "AA 999AA"),
        "ABCDEFGHJKLMNPRSTVWXYZ",
        never=r"EE",
        looks=(Look(right=_BLUE), Look("old, without strip", strip=None)),
    ),
    Country(
        "IRL",
        ("131-R/-9999", "12-R-99999", "222-R-9999", "08-R-9999"),
        regions=_codes("D C G L LH KE KY MO WX WW DL CW CE CN"),
        never=r"-0\d*$",
    ),
    Country(
        "L", ("AA/ 9999", "AA 9999"), "ABCDEFGHJKLMNPRSTUVWXYZ", never=" 0", looks=(Look(paper=_YELLOW),)
    ),
    Country("LT", ("AAA/ 999", "AAA 999"), "ABCDEFGHJKLMNOPRSTUVZ", never=" 000"),
    Country("LV", ("AA/-9999", "AA-999", "AA-9999"), "ABCDEFGHJKLMNOPRSTUVZ", never="-0"),
    Country("M", ("AAA/ 999", "AAA 999"), never=" 000"),
    Country("MD", ("AAA/ 999", "AAA 999"), _CONSONANTS, never=" 000", stars=False),
    Country(
        "N",
        ("AA 99999", "AA/ 99999"),
        "ABCDEFHJKLNPRSTUVXYZ",
        never=r" 0",
        looks=(Look(), Look("commercial", paper=_GREEN, ink=_BLACK, strip=None), _OLD),
        stars=False,
    ),
    Country(
        "NL",
        ("AA-999/-A", "9-AAA/-99", "A-999/-AA", "99-AAA-9", "99-AA-AA"),
        "BDFGHJKLNPRSTVXZ",
        never=r"S[SDA]|KKK|GVD|KVT|LPF|NSB|PSP|PVV|SGP|VVD|-000",
        looks=(
            Look(paper=_YELLOW),
            Look("old, without strip", paper=_YELLOW, strip=None),
            Look("taxi", paper=(70, 150, 220)),
        ),
    ),
    Country(
        "P",
        ("AA 99 /AA", "99-AA-99", "AA-99-AA"),
        "ABCDEFGHIJLMNOPQRSTUVXZ",
        looks=(Look(), Look("yellow band", right=_YELLOW)),
    ),
    Country(
        "PL",
        ("R/ 99999", "R 9999A", "R/ 999AA", "R 9A999", "R 99A99", "R 99AA9"),
        "ACEFGHJKLMNPRSTUVWXY",
        _codes(
            "WA WB WE WI WX KR KRA PO PZ GD GDA GA DW DWR LU LUB SK SB ST EL ERA RZ BI BIA CB CT ZS OP TK NO FZ WPR KWI SBE"
        ),
        r"00000| 0",
        (
            Look(),
            Look("old, dark", paper=_BLACK, ink=_WHITE, strip=None, formats=("AAA 9999", "AAA 999A")),
            Look("historic", paper=_YELLOW),
            Look("electric", paper=(150, 215, 150)),
        ),
    ),
    Country(
        "RO",
        ("R 99 /AAA", "B 999 AAA", "R 99 AAA", "B 99 /AAA"),
        "ABCDEFGHIJKLMNOPRSTUVWXYZ",
        _codes(
            "AB AG AR BC BH BN BR BT BV BZ CJ CL CS CT CV DB DJ GJ GL GR HD HR IF IL IS MH MM MS NT OT PH SB SJ SM SV TL TM TR VL VN VS"
        ),
        r" 00\b| 000| (III|OOO)| [IO]",
        (Look(), Look("temporary", ink=_RED, formats=("R 999999", "B 999999"))),
    ),
    Country(
        "S",
        ("AAA /999", "AAA 999", "AAA 99A"),
        "ABCDEFGHJKLMNOPRSTUWXYZ",
        never=r"O$| 000|^(APA|ARG|ASS|BAJ|FAN|FUL|GAY|HOR|KUK|LEM|LUS|NRP|OND|RAP|SEX|SUG|SUP|TOA|UCK|XUK)",
        looks=(Look(), _OLD, Look("taxi", paper=_YELLOW)),
    ),
    Country(
        "SK",
        ("R-999/AA", "R-999AA", "AA 999/AA"),
        "ABCDEFGHIJKLMNOPRSTUVXYZ",
        _codes("BA BL KE KS PO ZA NR TN TT BB MI MT PP SN LM DS"),
        "000",
        seal=True,
    ),
    Country(
        "SLO",
        ("R 99/-AAA", "R AA-999"),
        "ABCDEFGHIJKLMNOPRSTUVZ",
        _codes("LJ MB CE KR KP GO NM MS PO SG KK"),
        "-000",
        seal=True,
    ),
    Country(
        "SRB",
        ("R 999/-AA", "R 9999-AA"),
        _CONSONANTS,
        _codes("BG NS NI KG SU ZR PA KV VA UE SM"),
        " 000",
        stars=False,
        seal=True,
    ),
    Country(
        "TR", ("34 AA/ 999", "06 AA 9999", "35 AAA 99"), "ABCDEFGHIJKLMNOPRSTUVYZ", never=" 0", stars=False
    ),
    Country("UA", ("AA 9999/ AA", "AA 9999 AA"), "ABCEHIKMOPTX", never="0000", stars=False),
)


def country(code: str) -> Country:
    """The country that goes by this code on its plates."""
    by_code = {each.code: each for each in COUNTRIES}
    if code not in by_code:
        raise BadInput(f"no plates are known for country {code}; there are {', '.join(sorted(by_code))}")
    return by_code[code]


def random_number(
    of: Country, look: Look | None = None, avoid: Iterable[str] = (), rng: random.Random | None = None
) -> str:
    """A number as the country issues them, `/` where two rows break; never one that `avoid` names, however it was misread.

    The generator is the operating system's cryptographic one: nothing of the number that it replaces goes into it.
    """
    rng = rng or secrets.SystemRandom()
    read = {_bare(number) for number in avoid}
    formats = (look.formats if look else ()) or of.formats
    while True:
        number = _filled(rng.choice(formats), of, rng)
        if not _never(of.never).search(number.replace("/", "")) and _bare(number) not in read:
            return number


def one_row(number: str) -> str:
    return number.replace("/", "")


def two_rows(number: str) -> tuple[str, str]:
    """Above and below; a number without a place to break is broken at the gap nearest to its middle."""
    if "/" not in number:
        gaps = [at for at, sign in enumerate(number) if sign in " -"] or [len(number) // 2]
        at = min(gaps, key=lambda gap: abs(gap - len(number) / 2))
        number = number[:at] + "/" + number[at:]
    above, below = number.split("/")
    return above.strip(" -"), below.strip(" -")


def _filled(form: str, of: Country, rng: random.Random) -> str:
    drawn = {"A": of.letters, "9": "0123456789", "R": of.regions}
    return "".join(rng.choice(drawn[sign]) if sign in drawn else sign for sign in form)


def _bare(number: str) -> str:
    """What is left when look-alikes are one and separators are gone: a misreading is still the same number."""
    alike = str.maketrans("OQDIZSGB", "00012568")
    return re.sub(r"[^A-Z0-9]", "", number.upper()).translate(alike)


@cache
def _never(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)

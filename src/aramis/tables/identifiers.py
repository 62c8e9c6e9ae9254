"""What identifies a person, by the name of a column and by the look of its values.

The check list is that of HIPAA Safe Harbor, 45 CFR 164.514(b)(2): what has to go before health data count as de-identified.
The words are English, German, French, Spanish, Italian and Dutch ones as they stand in the heads of tables.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Identifier:
    """One of the eighteen: what it is, the words that name its columns, and the look of its values."""

    name: str
    words: tuple[str, ...] = ()
    looks: Callable[[str], bool] | None = None


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda value: compiled.fullmatch(value.strip()) is not None


def is_card_number(value: str) -> bool:
    """13 to 19 digits whose last is the check digit of the others (Luhn)."""
    digits = [int(digit) for digit in re.sub(r"[ -]", "", value) if digit.isdigit()]
    if not 13 <= len(digits) <= 19 or not re.fullmatch(r"[\d -]+", value.strip()):
        return False
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(value: str) -> bool:
    """A bank account whose check digits are right (ISO 13616)."""
    compact = value.replace(" ", "").upper()
    if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", compact):
        return False
    return int("".join(str(int(letter, 36)) for letter in compact[4:] + compact[:4])) % 97 == 1


def is_telephone(value: str) -> bool:
    """7 to 15 digits, with what people write between them; a bare number is no telephone."""
    digits = sum(letter.isdigit() for letter in value)
    marked = re.search(r"^\s*\+|[ ()/.-]", value.strip()) is not None
    # a date, an IP address
    other = re.fullmatch(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}.*|(\d+\.){3}\d+", value.strip())
    return (
        7 <= digits <= 15
        and marked
        and not other
        and re.fullmatch(r"\+?[\d ()/.-]+", value.strip()) is not None
    )


HIPAA = (
    Identifier(
        "names",
        ("name", "surname", "firstname", "lastname", "forename", "fullname", "familyname", "givenname", "patientname",
        "vorname", "nachname", "nom", "prenom", "nombre", "apellido", "apellidos", "cognome", "achternaam", "voornaam"),
    ),
    Identifier(
        "geographic subdivisions smaller than a state",
        ("address", "street", "city", "town", "county", "zip", "zipcode", "postcode", "postal", "district", "parish",
        "adresse", "strasse", "plz", "ort", "stadt", "gemeinde", "ville", "rue", "ciudad", "calle", "citta", "cap", "latitude",
        "longitude", "lat", "lon", "lng", "coordinates", "location", "residence", "neighbourhood", "neighborhood", "municipality"),
        _matches(r"-?\d{1,3}\.\d{3,},\s*-?\d{1,3}\.\d{3,}|POINT\s*\(.*\)"),
    ),
    Identifier(
        "dates, and ages over 89",
        ("date", "dob", "birth", "birthday", "birthdate", "born", "age", "admission", "discharge", "death", "deceased",
        "geburtsdatum", "geboren", "alter", "datum", "naissance", "fecha", "nascita", "data", "timestamp", "day", "month", "year"),
        _matches(r"\d{4}-\d{2}-\d{2}([T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"),
    ),
    Identifier("telephone numbers", ("phone", "telephone", "tel", "mobile", "cell", "telefon", "handy"), is_telephone),
    Identifier("fax numbers", ("fax", "telefax")),
    Identifier("email addresses", ("email", "mail", "courriel"), _matches(r"[^@\s]+@[^@\s]+\.[a-z]{2,}")),
    Identifier(
        "social security numbers",
        ("ssn", "socialsecurity", "nin", "nino", "insee", "sozialversicherungsnummer", "dni", "bsn", "pesel", "cpf", "aadhaar"),
        _matches(r"\d{3}-\d{2}-\d{4}"),
    ),
    Identifier("medical record numbers", ("mrn", "medicalrecord", "recordnumber", "patientid", "patient", "caseid")),
    Identifier("health plan beneficiary numbers", ("insurance", "policy", "beneficiary", "member", "memberid", "versichertennummer")),
    Identifier("account numbers", ("account", "iban", "konto", "creditcard", "card", "compte"), lambda v: is_iban(v) or is_card_number(v)),
    Identifier("certificate and licence numbers", ("licence", "license", "certificate", "passport", "ausweis", "permit")),
    Identifier(
        "vehicle identifiers and licence plates",
        ("plate", "vin", "vehicle", "registration", "kennzeichen", "matricula", "targa"),
        _matches(r"(?=.*\d)(?=.*[A-Z])[A-HJ-NPR-Z0-9]{17}"),
    ),
    Identifier(
        "device identifiers and serial numbers",
        ("device", "serial", "imei", "mac", "udid", "deviceid"),
        _matches(r"([0-9a-f]{2}[:-]){5}[0-9a-f]{2}"),
    ),
    Identifier("web addresses", ("url", "website", "homepage", "link", "profile"), _matches(r"(https?://|www\.)\S+")),
    Identifier(
        "IP addresses",
        ("ip", "ipaddress", "ipv4", "ipv6"),
        _matches(r"(\d{1,3}\.){3}\d{1,3}|([0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}"),
    ),
    Identifier("biometric identifiers", ("fingerprint", "iris", "voiceprint", "biometric", "dna", "genome")),
    Identifier("full-face photographs", ("photo", "photograph", "picture", "image", "face", "portrait", "foto", "bild")),
    Identifier(
        "any other unique number, characteristic or code",
        ("id", "uuid", "guid", "identifier", "uid", "username", "login", "user", "key", "code", "nummer", "number"),
        _matches(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}"),
    ),
)  # fmt: skip

# Those of the eighteen that half-identify: they become coarser in a release, the others go.
COARSENED = ("geographic subdivisions smaller than a state", "dates, and ages over 89")

QUASI = (
    "sex", "gender", "geschlecht", "sexe", "sexo", "race", "ethnicity", "ethnic", "nationality", "country", "citizenship", "origin",
    "nativecountry", "state", "region", "province", "marital", "maritalstatus", "married", "familienstand", "education", "degree",
    "school", "occupation", "job", "profession", "beruf", "workclass", "employer", "industry", "height", "weight", "language",
    "children", "household", "hospital", "clinic", "ward", "ageband", "agegroup",
)  # fmt: skip

# What Art. 9 and 10 GDPR call special, and what people keep to themselves.
SENSITIVE = (
    "disease", "diagnosis", "diagnose", "illness", "ill", "condition", "icd", "icd10", "health", "hiv", "cancer", "symptom", "krankheit",
    "maladie", "enfermedad", "malattia", "drug", "medication", "medicine", "treatment", "therapy", "allergy", "disability",
    "salary", "salaryclass", "income", "wage", "pay", "gehalt", "einkommen", "salaire", "salario", "debt", "loan", "credit",
    "balance", "amount", "religion", "belief", "politics", "political", "party", "union", "orientation", "sexuality", "sexlife",
    "genetic", "conviction", "crime", "criminal", "offence", "offense", "outcome", "result", "score", "grade", "vote",
)  # fmt: skip


def named(column: str, words: Sequence[str]) -> str | None:
    """The word by which the name of a column says what it is; None where it does not."""
    parts = [part for part in re.split(r"[^a-z0-9]+", _plain(column)) if part]
    pairs = ["".join(pair) for pair in pairwise(parts)]
    found = {*parts, *pairs, "".join(parts)}
    return next((word for word in words if word in found), None)


def look(values: Sequence[str]) -> Identifier | None:
    """Which of the eighteen half of these values or more look like."""
    for identifier in HIPAA:
        if identifier.looks and values and sum(map(identifier.looks, values)) * 2 >= len(values):
            return identifier
    return None


def _plain(name: str) -> str:
    """Lower case, words of `camelCase` apart, no accents."""
    from unicodedata import combining, normalize

    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return "".join(
        letter for letter in normalize("NFKD", apart.lower().replace("ß", "ss")) if not combining(letter)
    )

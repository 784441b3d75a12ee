"""What the name of a column reveals without reading it: a public domain, or that the column identifies people."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

Domain = dict[str, Any]  # the keys of an attribute


def whole(low: int, high: int, width: int = 1) -> Domain:
    return {"type": "integer", "min": low, "max": high} | ({"width": width} if width > 1 else {})


def real(low: float, high: float, bins: int) -> Domain:
    return {"type": "number", "min": low, "max": high, "bins": bins}


def category(*values: str) -> Domain:
    return {"type": "category", "values": list(values)}


def short(names: list[str]) -> list[str]:
    """The first three letters of each name: Jan, Mon."""
    return [name[:3] for name in names]


LISTS = tomllib.loads(files("ripost.schema").joinpath("vocabularies.toml").read_text("utf-8"))
SEX = tuple(category(*pair) for pair in LISTS["sexes"])
MONTH = (whole(1, 12), category(*LISTS["months"]), category(*short(LISTS["months"])))
WEEKDAY = (whole(0, 7), category(*LISTS["weekdays"]), category(*short(LISTS["weekdays"])))
COUNTRY = (category(*LISTS["countries_2"]), category(*LISTS["countries_3"]))
PERCENT = (real(0, 100, 50),)
ZIP = (whole(0, 99999, 1000),)
FLAG: tuple[Domain, ...] = ({"type": "boolean"},)
KNOWN: dict[str, tuple[Domain, ...]] = {
    "month": MONTH, "weekday": WEEKDAY, "dow": WEEKDAY, "dayofweek": WEEKDAY,
    "quarter": (whole(1, 4),), "week": (whole(1, 53),), "day": (whole(1, 31),), "hour": (whole(0, 23),),
    "minute": (whole(0, 59),), "second": (whole(0, 59),), "year": (whole(1900, 2099),), "age": (whole(0, 119),),
    "sex": SEX, "gender": SEX, "country": COUNTRY, "countrycode": COUNTRY, "iso2": COUNTRY[:1], "iso3": COUNTRY[1:],
    "state": (category(*LISTS["us_states"]),), "percent": PERCENT, "percentage": PERCENT, "pct": PERCENT,
    "lat": (real(-90, 90, 180),), "latitude": (real(-90, 90, 180),),
    "lon": (real(-180, 180, 180),), "lng": (real(-180, 180, 180),), "longitude": (real(-180, 180, 180),),
    "zip": ZIP, "zipcode": ZIP,
}  # fmt: skip
FLAGS = {"is", "has", "was", "did", "can"}
MEASURES = {"per", "num", "number", "count", "n", "total", "sum", "avg", "mean", "max", "min", "diff", "delta", "rate"}
IDS = {"id", "ids", "uid", "uuid", "guid", "pid", "ssn", "nin", "nino", "email", "mail", "phone", "telephone", "mobile"}
IDS |= {"passport", "iban", "login", "username", "userid", "personid", "patientid", "customerid", "surname", "lastname"}
PEOPLE = {"person", "user", "patient", "customer", "client", "employee", "student", "participant", "respondent"}
PEOPLE |= {"citizen", "household", "subscriber"}
NAMES = {"name", "names", "fullname", "firstname", "forename", "givenname", "middlename", "maidenname", "familyname"}
NAMES |= {"vorname", "nachname", "nom", "prenom", "nombre", "apellido", "apellidos", "cognome"}
NAMED = {"full", "first", "given", "middle", "maiden", "family", "last"} | PEOPLE  # whose name it is
NAMED |= {
    "doctor",
    "physician",
    "nurse",
    "teacher",
    "driver",
    "owner",
    "author",
    "member",
    "guest",
    "passenger",
    "agent",
}
NAMED |= {
    "mother",
    "father",
    "parent",
    "child",
    "spouse",
    "contact",
    "applicant",
    "tenant",
    "manager",
    "staff",
    "worker",
}
NUMBERS = {"num", "number", "no", "nr", "code"}  # what may follow an id: idNum
PERSONAL = IDS - {"id", "ids", "uuid", "guid"}


def split_words(name: str) -> list[str]:
    """The words of a name in small letters: depHour, dep_hour and dep-hour are dep and hour."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[\W_]+", parted) if word]


def find_known_domains(name: str) -> tuple[Domain, ...]:
    """The public domains that a name suggests, the likeliest first."""
    parts = split_words(name)
    if not parts or MEASURES & set(parts):
        return ()
    if len(parts) > 1 and parts[0] in FLAGS:
        return FLAG
    joined = "".join(parts[-3:])
    ends = ("".join(parts[-2:]), parts[-1])
    return next((KNOWN[end] for end in (joined, *ends) if end in KNOWN), ())


def is_identifier(name: str) -> bool:
    """Whether the name of a column suggests that it identifies people or rows."""
    parts = split_words(name)
    if len(parts) > 1 and parts[-1] in NUMBERS and parts[-2] in IDS | PEOPLE:
        return True
    return bool(parts) and (parts[-1] in IDS | PEOPLE or "".join(parts) in IDS or is_name_of_people(parts))


def is_name_of_people(parts: list[str]) -> bool:
    """Whether the words of a name are those of a column of people's names: name, first_name, patientName."""
    return "".join(parts) in NAMES or (len(parts) > 1 and parts[-1] in NAMES and parts[-2] in NAMED)


def is_personal(name: str) -> bool:
    """Whether the name suggests an id of a person rather than of anything else."""
    parts = set(split_words(name))
    return bool(parts & (PEOPLE | PERSONAL))

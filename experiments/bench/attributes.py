"""Attributes of the wide tables: bounds and categories are public facts, other values are clamped or coded as other."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from experiments.datasets.attributes import (
    ADULT,
    CALL_GROUP,
    CALL_TYPE,
    CITY,
    DISPOSITION,
    FIRE,
    NEIGHBORHOOD,
    PRIORITY,
    STATION,
    UNIT_TYPE,
    ZIPCODE,
    Attribute,
)
from experiments.datasets.coding import Coding, bins, dates, each, hours, or_missing

BUCKETS = 64  # of identifiers that have no sensible order


def listed(names: Sequence[str]) -> Coding:
    """Categories, and a last code for any other value and for a missing one."""
    known = pa.array(names, pa.string())

    def encode(column: pa.ChunkedArray) -> NDArray[np.int64]:
        found = pc.index_in(column.cast(pa.string()), value_set=known)
        return np.asarray(pc.fill_null(found, len(names)).to_numpy(), np.int64)

    return Coding(len(names) + 1, f"{len(names)} categories, and other", encode, missing=True)


def bucketed() -> Coding:
    """Buckets by a checksum of the text, for identifiers."""

    def encode(column: pa.ChunkedArray) -> NDArray[np.int64]:
        return np.array([zlib.crc32(str(value).encode()) % BUCKETS for value in column.to_pylist()], np.int64)

    return Coding(BUCKETS, f"{BUCKETS} buckets by checksum", encode)


def _chosen(attributes: Sequence[Attribute], names: str, **codings: Coding) -> tuple[Attribute, ...]:
    """The named attributes in this order, some with another coding."""
    known = {attribute.name: attribute for attribute in attributes}
    return tuple(replace(known[name], coding=codings.get(name, known[name].coding)) for name in names.split())


def _plain(**codings: Coding) -> tuple[Attribute, ...]:
    """Attributes that are named as their columns."""
    return tuple(Attribute(name, name, coding) for name, coding in codings.items())


PUBLIC = {"fnlwgt": bins(0, 1_500_000, 100), "capital-loss": bins(0, 5_000, 100)}
TEN = "age workclass education-num marital-status occupation relationship race sex hours-per-week income"
ADULT_10 = _chosen(ADULT, TEN)
ADULT_14 = _chosen(ADULT, f"{TEN} fnlwgt capital-gain capital-loss native-country", **PUBLIC)

EIGHT = "CallType CallDate CallFinalDisposition Zipcode Battalion Priority UnitType delay"
TWELVE = f"{EIGHT} AvailableHour StationArea CallTypeGroup ALSUnit"
TWENTY = (
    f"{TWELVE} OriginalPriority FinalPriority NumAlarms UnitSequenceInCallDispatch FirePreventionDistrict "
    "SupervisorDistrict lat lon"
)
FIRE_8, FIRE_12, FIRE_20 = (_chosen(FIRE, names) for names in (EIGHT, TWELVE, TWENTY))

YEARS = (date(2000, 4, 12), date(2020, 12, 31))  # from the start of the portal to the end of the later export's year
FIRE_35 = _plain(  # every column of the portal
    CallNumber=bins(0, 400_000_000, 100),
    UnitId=bucketed(),
    IncidentNumber=bins(0, 40_000_000, 100),
    CallType=listed(CALL_TYPE.split("|")),
    CallDate=dates(*YEARS, 100),
    WatchDate=dates(*YEARS, 100),
    ReceivedDtTm=hours(),
    EntryDtTm=hours(),
    DispatchDtTm=hours(),
    ResponseDtTm=or_missing(hours()),
    OnSceneDtTm=or_missing(hours()),
    TransportDtTm=or_missing(hours()),
    HospitalDtTm=or_missing(hours()),
    CallFinalDisposition=listed(DISPOSITION.split("|")),
    AvailableDtTm=or_missing(hours()),
    Address=bucketed(),
    City=listed(CITY.split("|")),
    ZipcodeOfIncident=listed(ZIPCODE.split()),
    Battalion=listed([f"B{number:02}" for number in range(1, 11)]),
    StationArea=listed(STATION.split()),
    Box=bucketed(),
    OriginalPriority=listed(PRIORITY.split()),
    Priority=listed(PRIORITY.split()),
    FinalPriority=each(2, 3),
    AlsUnit=listed(["false", "true"]),
    CallTypeGroup=listed(CALL_GROUP.split("|")),
    NumberOfAlarms=each(1, 5),
    UnitType=listed(UNIT_TYPE.split("|")),
    UnitSequenceInCallDispatch=each(1, 100),
    FirePreventionDistrict=listed([str(number) for number in range(1, 11)]),
    SupervisorDistrict=listed([str(number) for number in range(1, 12)]),
    Neighborhood=listed(NEIGHBORHOOD.split("|")),
    RowID=bucketed(),
    Latitude=bins(37.60, 37.86, 100),
    Longitude=bins(-122.52, -122.33, 100),
)

LABOR = _plain(  # mothers aged 21 to 35 with at least two children, US census of 1980; money in thousands of dollars
    kids=each(2, 15),
    boy1st=each(0, 1),
    boy2nd=each(0, 1),
    age=each(21, 35),
    agefstm=each(15, 35),
    black=each(0, 1),
    hispan=each(0, 1),
    weeks=each(0, 52),
    hours=each(0, 99),
    labinc=bins(0, 200, 100),
    faminc=bins(-50, 200, 125),
    educ=each(0, 20),
)
WORK = "working fulltime|working parttime|temp not working|unempl, laid off|retired|school|keeping house|other"
REGION = (
    "new england|middle atlantic|e. nor. central|w. nor. central|south atlantic|e. sou. central|w. sou. central|"
    "mountain|pacific"
)
INCOME = (
    "lt $1000|$1000 to 2999|$3000 to 3999|$4000 to 4999|$5000 to 5999|$6000 to 6999|$7000 to 7999|$8000 to 9999|"
    "$10000 - 14999|$15000 - 19999|$20000 - 24999|$25000 or more"
)
ATTEND = (
    "never|lt once a year|once a year|sevrl times a yr|once a month|2-3x a month|nrly every week|every week|"
    "more thn once wk"
)
HAPPINESS = _plain(  # General Social Survey, 1994 to 2006
    year=each(1994, 2006),
    workstat=listed(WORK.split("|")),
    prestige=or_missing(each(10, 90)),
    educ=or_missing(each(0, 20)),
    reg16=listed(["foreign", *REGION.split("|")]),
    babies=or_missing(each(0, 8)),
    income=listed(INCOME.split("|")),
    region=listed(REGION.split("|")),
    attend=listed(ATTEND.split("|")),
    happy=listed(["not too happy", "pretty happy", "very happy"]),
    owngun=listed(["iap", "no", "yes"]),
    tvhours=or_missing(each(0, 24)),
    black=each(0, 1),
    female=each(0, 1),
)
STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|District of Columbia|Florida|Georgia|"
    "Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|"
    "Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|"
    "North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|"
    "Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming"
)
MORTGAGES = _plain(  # men of the US census of 1960; quarters of birth before and after the end of the Korean war
    bpl=listed(STATES.split("|")),
    qob=each(1, 4),
    nonwhite=each(0, 1),
    vet_wwko=each(0, 1),
    home_ownership=each(0, 1),
    qob_minus_kw=bins(-60, 40, 100),
)

AIRPORTS, CARRIERS = (
    ["EWR", "JFK", "LGA"],
    ["9E", "AA", "AS", "B6", "DL", "EV", "F9", "FL", "HA", "MQ", "OO", "UA", "US", "VX", "WN", "YV"],
)
DELAYS_2 = _plain(dep_delay=or_missing(bins(-30, 300, 330)), arr_delay=or_missing(bins(-60, 300, 360)))  # minutes
WEATHER = {  # hourly, in Fahrenheit, miles per hour, inches, millibars
    "temp": or_missing(bins(0, 110, 44)),
    "dewp": or_missing(bins(-20, 90, 44)),
    "humid": or_missing(bins(0, 100, 40)),
    "wind_dir": or_missing(bins(0, 370, 37)),
    "wind_speed": or_missing(bins(0, 60, 30)),
    "pressure": or_missing(bins(970, 1050, 40)),
    "visib": or_missing(bins(0, 11, 11)),
}
WEATHER_10 = _plain(origin=listed(AIRPORTS), month=each(1, 12), hour=each(0, 23), **WEATHER)
FLIGHTS_35 = _plain(  # flights, with the weather when they left, their planes, and where they went
    month=each(1, 12),
    day=each(1, 31),
    hour=each(0, 23),
    minute=each(0, 59),
    origin=listed(AIRPORTS),
    dest=bucketed(),
    carrier=listed(CARRIERS),
    distance=bins(0, 5000, 50),
    dep_time=or_missing(bins(0, 2500, 25)),  # hours and minutes as HHMM
    arr_time=or_missing(bins(0, 2500, 25)),
    sched_arr_time=bins(0, 2500, 25),
    dep_delay=or_missing(bins(-30, 300, 33)),
    arr_delay=or_missing(bins(-60, 300, 36)),
    air_time=or_missing(bins(0, 720, 48)),
    flight=bins(0, 10_000, 50),
    tailnum=or_missing(bucketed()),
    **WEATHER,
    wind_gust=or_missing(bins(0, 80, 40)),
    precip=or_missing(bins(0, 2, 40)),
    plane_year=or_missing(each(1950, 2013)),
    type=listed(["Fixed wing multi engine", "Fixed wing single engine", "Rotorcraft"]),
    manufacturer=or_missing(bucketed()),
    model=or_missing(bucketed()),
    engines=or_missing(each(1, 4)),
    seats=or_missing(bins(0, 500, 50)),
    engine=listed(["4 Cycle", "Reciprocating", "Turbo-fan", "Turbo-jet", "Turbo-prop", "Turbo-shaft"]),
    lat=or_missing(bins(15, 75, 30)),
    lon=or_missing(bins(-180, -60, 40)),
    alt=or_missing(bins(-100, 10_000, 40)),
)
YEARS_OF_BIRTHS = (2015, 2017)
LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)]
BIRTHS_5 = _plain(  # names given to at least five children of a sex in a year
    year=each(*YEARS_OF_BIRTHS), sex=listed(["F", "M"]), first=listed(LETTERS), last=listed(LETTERS), length=each(2, 15)
)
RECIDIVISM_15 = _plain(  # men released from prisons of North Carolina in 1977 and 1978; age, time and spells in months
    black=each(0, 1),
    alcohol=each(0, 1),
    drugs=each(0, 1),
    super=each(0, 1),
    married=each(0, 1),
    felon=each(0, 1),
    workprg=each(0, 1),
    property=each(0, 1),
    person=each(0, 1),
    priors=each(0, 30),
    educ=each(0, 20),
    rules=each(0, 30),
    age=bins(180, 960, 52),
    tserved=bins(0, 240, 40),
    cens=each(0, 1),
)
HEALTH_12 = _plain(  # a person in a year of the RAND Health Insurance Experiment
    site=each(1, 6),
    coins=bins(0, 101, 4),  # the share that the patient pays
    year=each(1, 5),
    xage=bins(0, 66, 33),
    female=each(0, 1),
    educdec=or_missing(each(0, 25)),
    num=each(1, 14),  # persons of the family
    mhi=bins(0, 101, 25),
    mdvis=each(0, 79),
    totadm=each(0, 9),
    physlm=bins(0, 1.01, 2),
    binexp=each(0, 1),  # whether there was any medical expense
)

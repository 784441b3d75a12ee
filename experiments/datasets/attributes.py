"""Attributes: which columns of each data set are used, under which name, and how they are coded.

Names, orders of categories and bounds are those of shared/cases, so that tensors of the same attributes are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from experiments.datasets.coding import CHOSEN, SCANNED, Coding, bins, categories, dates, each, hours, or_missing


@dataclass(frozen=True)
class Attribute:
    name: str
    column: str
    coding: Coding


WORKCLASS = "?,Federal-gov,Local-gov,Never-worked,Private,Self-emp-inc,Self-emp-not-inc,State-gov,Without-pay"
EDUCATION = (
    "Preschool,1st-4th,5th-6th,7th-8th,9th,10th,11th,12th,HS-grad,Some-college,Assoc-voc,Assoc-acdm,Bachelors,"
    "Masters,Prof-school,Doctorate"
)
MARITAL = "Divorced,Married-AF-spouse,Married-civ-spouse,Married-spouse-absent,Never-married,Separated,Widowed"
OCCUPATION = (
    "?,Adm-clerical,Armed-Forces,Craft-repair,Exec-managerial,Farming-fishing,Handlers-cleaners,Machine-op-inspct,"
    "Other-service,Priv-house-serv,Prof-specialty,Protective-serv,Sales,Tech-support,Transport-moving"
)
RELATIONSHIP = "Husband,Not-in-family,Other-relative,Own-child,Unmarried,Wife"
RACE = "Amer-Indian-Eskimo,Asian-Pac-Islander,Black,Other,White"
COUNTRY = (
    "?,Cambodia,Canada,China,Columbia,Cuba,Dominican-Republic,Ecuador,El-Salvador,England,France,Germany,Greece,"
    "Guatemala,Haiti,Holand-Netherlands,Honduras,Hong,Hungary,India,Iran,Ireland,Italy,Jamaica,Japan,Laos,Mexico,"
    "Nicaragua,Outlying-US(Guam-USVI-etc),Peru,Philippines,Poland,Portugal,Puerto-Rico,Scotland,South,Taiwan,"
    "Thailand,Trinadad&Tobago,United-States,Vietnam,Yugoslavia"
)


def _names(joined: str, separator: str = ",") -> Coding:
    return categories(joined.split(separator))


ADULT = (
    Attribute("age", "age", each(17, 90)),
    Attribute("workclass", "workclass", _names(WORKCLASS)),
    Attribute("fnlwgt", "fnlwgt", bins(12_285, 1_490_400, 100, SCANNED)),
    Attribute("education", "education", _names(EDUCATION)),
    Attribute("education-num", "education_num", each(1, 16)),
    Attribute("marital-status", "marital_status", _names(MARITAL)),
    Attribute("occupation", "occupation", _names(OCCUPATION)),
    Attribute("relationship", "relationship", _names(RELATIONSHIP)),
    Attribute("race", "race", _names(RACE)),
    Attribute("sex", "sex", _names("Female,Male")),
    Attribute("capital-gain", "capital_gain", bins(0, 100_000, 100)),
    Attribute("capital-loss", "capital_loss", bins(0, 4_356, 100, SCANNED)),
    Attribute("hours-per-week", "hours_per_week", each(1, 99)),
    Attribute("native-country", "native_country", _names(COUNTRY)),
    Attribute("income", "income", _names("<=50K,>50K")),
)

CALL_TYPE = (
    "Administrative|Aircraft Emergency|Alarms|Assist Police|Citizen Assist / Service Call|"
    "Confined Space / Structure Collapse|Electrical Hazard|Elevator / Escalator Rescue|Explosion|"
    "Extrication / Entrapped (Machinery, Vehicle)|Fuel Spill|Gas Leak (Natural and LP Gases)|HazMat|High Angle Rescue|"
    "Industrial Accidents|Marine Fire|Medical Incident|Mutual Aid / Assist Outside Agency|Odor (Strange / Unknown)|"
    "Oil Spill|Other|Outside Fire|Smoke Investigation (Outside)|Structure Fire|Suspicious Package|Traffic Collision|"
    "Train / Rail Incident|Vehicle Fire|Water Rescue|Watercraft in Distress"
)
DISPOSITION = (
    "Against Medical Advice|CHP|Cancelled|Code 2 Transport|Code 3 Transport|Duplicate|Fire|Gone on Arrival|"
    "Medical Examiner|Multi-casualty Incident|No Merit|Other|Patient Declined Transport|SFPD|Unable to Locate"
)
CITY = (
    "BN|Brisbane|DC|Daly City|FM|FORT MASON|Fort Mason|HP|Hunters Point|OAK|PR|PRESIDIO|Presidio|SAN FRANCISCO|SF|SFO|"
    "San Francisco|TI|TREASURE ISLAND|Treasure Isla|Treasure Island|YB|Yerba Buena"
)
ZIPCODE = (
    "94102 94103 94104 94105 94107 94108 94109 94110 94111 94112 94114 94115 94116 94117 94118 94121 94122 94123 94124 "
    "94127 94129 94130 94131 94132 94133 94134 94158"
)
STATION = (
    "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 31 32 33 34 35 36 37 38 39 "
    "40 41 42 43 44 47 48 51 53 A1 A2 A3"
)
CALL_GROUP = "Alarm|Fire|Non Life-threatening|Potentially Life-Threatening"
UNIT_TYPE = "AIRPORT|CHIEF|ENGINE|INVESTIGATION|MEDIC|PRIVATE|RESCUE CAPTAIN|RESCUE SQUAD|SUPPORT|TRUCK"
NEIGHBORHOOD = (
    "Bayview Hunters Point|Bernal Heights|Castro/Upper Market|Chinatown|Excelsior|Financial District/South Beach|"
    "Glen Park|Golden Gate Park|Haight Ashbury|Hayes Valley|Inner Richmond|Inner Sunset|Japantown|Lakeshore|"
    "Lincoln Park|Lone Mountain/USF|Marina|McLaren Park|Mission|Mission Bay|Nob Hill|Noe Valley|None|North Beach|"
    "Oceanview/Merced/Ingleside|Outer Mission|Outer Richmond|Pacific Heights|Portola|Potrero Hill|Presidio|"
    "Presidio Heights|Russian Hill|Seacliff|South of Market|Sunset/Parkside|Tenderloin|Treasure Island|Twin Peaks|"
    "Visitacion Valley|West of Twin Peaks|Western Addition"
)
PRIORITY = "1 2 3 A B C E I"
PORTAL = (date(2000, 4, 12), date(2018, 12, 31))  # the portal's start, and the end of the sample's last year

FIRE = (
    Attribute("CallType", "CallType", _names(CALL_TYPE, "|")),
    Attribute("CallDate", "CallDate", dates(*PORTAL, 100)),
    Attribute("WatchDate", "WatchDate", dates(*PORTAL, 100)),
    Attribute("CallFinalDisposition", "CallFinalDisposition", _names(DISPOSITION, "|")),
    Attribute("AvailableDate", "AvailableDtTm", or_missing(dates(*PORTAL, 100))),
    Attribute("AvailableHour", "AvailableDtTm", or_missing(hours())),
    Attribute("City", "City", or_missing(categories(CITY.split("|"), "spellings, as published"))),
    Attribute("Zipcode", "Zipcode", or_missing(_names(ZIPCODE, " "))),
    Attribute("Battalion", "Battalion", _names("B01 B02 B03 B04 B05 B06 B07 B08 B09 B10 B99", " ")),
    Attribute("StationArea", "StationArea", or_missing(categories(STATION.split(), "areas that occur in the sample"))),
    Attribute("OriginalPriority", "OriginalPriority", or_missing(_names(PRIORITY, " "))),
    Attribute("Priority", "Priority", _names(PRIORITY, " ")),
    Attribute("FinalPriority", "FinalPriority", each(2, 3)),
    Attribute("ALSUnit", "ALSUnit", _names("false,true")),
    Attribute("CallTypeGroup", "CallTypeGroup", or_missing(_names(CALL_GROUP, "|"))),
    Attribute("NumAlarms", "NumAlarms", each(1, 5)),
    Attribute("UnitType", "UnitType", _names(UNIT_TYPE, "|")),
    Attribute("UnitSequenceInCallDispatch", "UnitSequenceInCallDispatch", or_missing(each(1, 100))),
    Attribute("FirePreventionDistrict", "FirePreventionDistrict", _names("1 2 3 4 5 6 7 8 9 10 None", " ")),
    Attribute("SupervisorDistrict", "SupervisorDistrict", _names("1 2 3 4 5 6 7 8 9 10 11 None", " ")),
    Attribute("Neighborhood", "Neighborhood", _names(NEIGHBORHOOD, "|")),
    Attribute("lat", "Latitude", bins(37.60, 37.86, 100)),
    Attribute("lon", "Longitude", bins(-122.52, -122.33, 100)),
    Attribute("delay", "Delay", bins(0, 60, 60)),
)

GOWALLA = (
    Attribute("lat", "lat", bins(-90, 90, 1000)),
    Attribute("lon", "lon", bins(-180, 180, 1000)),
)

JM1 = (
    Attribute("loc", "loc", bins(1, 3_442, 10, SCANNED)),
    Attribute("v(g)", "v_g", bins(1, 470, 10, SCANNED)),
    Attribute("ev(g)", "ev_g", bins(1, 165, 10, SCANNED)),
    Attribute("iv(g)", "iv_g", bins(1, 402, 10, SCANNED)),
    Attribute("n", "n", bins(0, 8_441, 10, SCANNED)),
    Attribute("v", "v", bins(0, 80_843.08, 10, SCANNED)),
    Attribute("l", "l", bins(0, 1.5, 10, CHOSEN)),
    Attribute("d", "d", bins(0, 500, 10, CHOSEN)),
    Attribute("i", "i", bins(0, 600, 10, CHOSEN)),
    Attribute("e", "e", bins(0, 32_000_000, 10, CHOSEN)),
    Attribute("b", "b", bins(0, 30, 10, CHOSEN)),
    Attribute("t", "t", bins(0, 1_800_000, 10, CHOSEN)),
    Attribute("lOCode", "lOCode", bins(0, 3_000, 10, CHOSEN)),
    Attribute("lOComment", "lOComment", bins(0, 400, 10, CHOSEN)),
    Attribute("lOBlank", "lOBlank", bins(0, 500, 10, CHOSEN)),
    Attribute("locCodeAndComment", "locCodeAndComment", bins(0, 150, 10, CHOSEN)),
    Attribute("uniq_Op", "uniq_Op", bins(0, 500, 10, CHOSEN)),
    Attribute("uniq_Opnd", "uniq_Opnd", bins(0, 1_100, 10, CHOSEN)),
    Attribute("total_Op", "total_Op", bins(0, 6_000, 10, CHOSEN)),
    Attribute("total_Opnd", "total_Opnd", bins(0, 3_500, 10, CHOSEN)),
    Attribute("branchCount", "branchCount", bins(1, 1_000, 10, CHOSEN)),
    Attribute("defects", "defects", _names("false,true")),
)

ATTRIBUTES = {"adult": ADULT, "fire": FIRE, "gowalla": GOWALLA, "jm1": JM1}

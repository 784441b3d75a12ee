"""Questions in SQL with their answers, one list for all who answer SQL. python -m tests.vectors.make writes it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import numpy as np

from ripost.errors import QueryError
from ripost.schema.domain import Domain
from ripost.view import View
from tests.answering.making import make_view
from tests.query.random_sql import wide_query

NAME = "questions"
RANDOM = 60
ORDER = re.compile(
    r" ORDER BY n DESC(, k\d [A-Z ]*[A-Z])*(, GROUPING\((?:[^()]|\([^()]*\))*\))?( LIMIT \d+ OFFSET \d+)?"
)  # of a random question
DOMAIN = {
    "a": {"type": "integer", "min": -3, "max": 8},
    "d": {"type": "date", "min": "2013-01-20", "max": "2013-02-28", "missing": "drop"},
    "c": {"type": "category", "values": ["x", "y", "z"], "outside": "drop"},
    "b": {"type": "boolean", "missing": "drop"},
    "delay": {"type": "integer", "min": -30, "max": 119, "width": 10},
    "at": {"type": "timestamp", "min": "2013-06-29T00:00:00", "max": "2013-07-02T00:00:00", "width": "1 hour"},
    "weight": {"type": "number", "min": 0.0, "max": 2.0, "bins": 8, "missing": "drop"},
    "place": {"type": "category", "values": ["New York", "Newark", "Boston", "O'Hare", "50%"], "missing": "drop"},
}
QUESTIONS = (
    "SELECT COUNT(*) FROM view",
    "select Place, count(*) as n from VIEW where DELAY >= 15 group by place order by 2 desc limit 3",
    "SELECT v.place, COUNT(*) AS n FROM view AS v WHERE v.b GROUP BY v.place",
    "SELECT COUNT(*) AS n FROM questions /* by the name of the file */ -- and a comment",
    'SELECT "c" AS "the letter", COUNT(*) AS "n" FROM "view" GROUP BY "the letter"',
    # conditions
    "SELECT COUNT(*) FROM view WHERE at BETWEEN '2013-06-30' AND '2013-06-30'",
    "SELECT COUNT(*) FROM view WHERE at <= '2013-06-30' AND NOT at < TIMESTAMP '2013-06-30'",
    "SELECT COUNT(*) FROM view WHERE at > '2013-06-29' AND at < '2013-07-01'",
    "SELECT COUNT(*) FROM view WHERE at = '2013-07-01' OR at = '2013-06-29 04:00:00'",
    "SELECT COUNT(*) FROM view WHERE d BETWEEN DATE '2013-02-01' AND '2013-02-10' AND c IN ('x', 'z')",
    "SELECT COUNT(*) FROM view WHERE place LIKE 'New%' AND place NOT LIKE '%k'",
    "SELECT COUNT(*) FROM view WHERE place ILIKE '%O%' OR place LIKE 'O''%'",
    "SELECT COUNT(*) FROM view WHERE place LIKE '50!%' ESCAPE '!' OR NOT place LIKE '_ew%'",
    "SELECT COUNT(*) FROM view WHERE weight > 0.3 AND weight <= 1.7 AND NOT (delay BETWEEN 12 AND 33 OR a IS NULL)",
    "SELECT COUNT(*) FROM view WHERE -2 < a AND 5 >= a AND b = true AND weight <> 0.5",
    "SELECT COUNT(*) FROM view WHERE EXTRACT(month FROM d) = 2 AND EXTRACT(dow FROM d) IN (0, 6)",
    "SELECT COUNT(*) FROM view WHERE DATE_TRUNC('week', d) >= '2013-02-04' AND HOUR(at) BETWEEN 6 AND 9",
    "SELECT COUNT(*) FROM view WHERE FLOOR(delay / 20) * 20 = 40 OR (a // 4) * 4 < 0",
    "SELECT COUNT(*) FROM view WHERE a = 3 AND a = 4",
    # bounds inside bins
    "SELECT COUNT(*) AS n, SHARE(*) AS s FROM view WHERE delay < 17",
    "SELECT COUNT(*) FROM view WHERE delay BETWEEN 31 AND 34",
    "SELECT c, COUNT(*) AS n FROM view(simultaneous) WHERE delay < 17 AND weight >= 0.3 GROUP BY c",
    "SELECT width(delay, 7) AS bin, COUNT(*) AS n, SHARE(*) AS s FROM view WHERE delay < 60 GROUP BY bin",
    "SELECT delay, COUNT(*) AS n FROM view WHERE delay BETWEEN -4 AND 43 GROUP BY delay",
    "SELECT COUNT(*) FROM view WHERE delay < 17 OR weight > 1.3 OR a = 2",
    "SELECT COUNT(*) FILTER (WHERE delay < 17) / COUNT(*) FILTER (WHERE delay < 64) AS r FROM view WHERE b",
    "SELECT COUNT(*) FILTER (WHERE delay < 17) - COUNT(*) FILTER (WHERE delay >= 17) AS d FROM view",
    "SELECT AVG(delay) AS mean, SUM(delay) AS total, MEDIAN(delay) AS mid FROM view WHERE delay >= 17 AND weight < 1.1",
    "SELECT MIN(delay) AS least, MAX(delay) AS most FROM view WHERE delay BETWEEN 13 AND 57 AND c = 'x'",
    # keys
    "SELECT DATE_TRUNC('month', d) AS month, COUNT(*) AS n FROM view GROUP BY 1",
    "SELECT DATE_TRUNC('week', d) AS week, COUNT(*) AS n FROM view WHERE c = 'x' GROUP BY week ORDER BY week DESC",
    "SELECT EXTRACT(hour FROM at) AS hour, COUNT(*) AS n FROM view GROUP BY hour HAVING n_low > 3 ORDER BY n DESC",
    "SELECT DATE_PART('day', at) AS day, b, COUNT(*) AS n FROM view GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT width(delay, 50) AS bin, COUNT(*) AS n FROM view GROUP BY bin",
    "SELECT width(weight, 0.4) AS bin, COUNT(*) AS n, AVG(a) AS mean FROM view GROUP BY bin",
    "SELECT width(at, '12 hours') AS half, COUNT(*) AS n FROM view GROUP BY half",
    "SELECT width(d, '10 days') AS part, COUNT(*) AS n FROM view GROUP BY part",
    "SELECT 4 * FLOOR(a / 4) AS bin, c, COUNT(*) AS n FROM view GROUP BY bin, c",
    "SELECT d, EXTRACT(week FROM d) AS week, COUNT(*) AS n FROM view WHERE d < '2013-01-25' GROUP BY ALL",
    "SELECT c, b, COUNT(*) AS n, GROUPING(c, b) AS level FROM view GROUP BY ROLLUP (c, b)",
    "SELECT c, b, COUNT(*) AS n FROM view GROUP BY CUBE (c, b)",
    "SELECT c, b, COUNT(*) AS n FROM view GROUP BY GROUPING SETS ((c, b), (b), ())",
    "SELECT c, b, SHARE(*) AS s FROM view GROUP BY c, b WITH ROLLUP",
    "SELECT DISTINCT c FROM view WHERE c <> 'y'",
    "SELECT DISTINCT c, b FROM view ORDER BY b DESC, c",
    # measures
    "SELECT c, COUNT(a) AS known, SUM(a) AS total, AVG(a) AS mean, MEDIAN(a) AS mid FROM view GROUP BY c",
    "SELECT QUANTILE_CONT(delay, 0.9), PERCENTILE_CONT(0.1) WITHIN GROUP (ORDER BY delay DESC) AS same FROM view",
    "SELECT APPROX_QUANTILE(weight, 0.25) AS low, PERCENTILE_APPROX(weight, 0.75) AS high FROM view WHERE b",
    "SELECT c, MEDIAN(d) AS mid, AVG(d) AS mean, MEDIAN(at) AS moment FROM view GROUP BY c",
    "SELECT c, MIN(delay) AS least, MAX(delay) AS most, MIN(d) AS first, MAX(at) AS last FROM view GROUP BY c",
    "SELECT MAX(delay) FILTER (WHERE a > 2 AND c = 'x') AS most FROM view",
    "SELECT c, MAX(delay) AS most, COUNT(*) AS n FROM view WHERE c = 'x' OR delay < 20 GROUP BY c ORDER BY n LIMIT 1",
    "SELECT c, MIN(delay) AS least FROM view(simultaneous) GROUP BY c",
    "SELECT SUM(CASE WHEN delay >= 15 THEN 1 ELSE 0 END) AS late, COUNT(CASE WHEN b THEN a END) AS m FROM view",
    "SELECT AVG(CASE WHEN delay >= 15 THEN 100 ELSE 0 END) AS percent, COUNT_IF(c = 'x') AS n FROM view",
    "SELECT c, SUM(CASE WHEN b THEN a ELSE 0 END) AS s, AVG(CASE WHEN b THEN delay END) AS m FROM view GROUP BY c",
    "SELECT SUM(CAST((delay > 30) AS INT)) AS n, SUM(b::INT) AS t, AVG(IF(c = 'x', 1, 0)) AS p FROM view",
    "SELECT AVG(CASE c WHEN 'x' THEN a WHEN 'y' THEN NULL ELSE a END) AS m, SUM(a) / COUNT(a) AS same FROM view",
    "SELECT place, ROUND(100.0 * COUNT(*) FILTER (WHERE b) / COUNT(*), 1) AS percent FROM view GROUP BY place",
    "SELECT ROUND(COUNT(*), -2) AS n, -COUNT(*) AS less, COUNT(*) / 12 AS monthly, 2 * AVG(a) AS twice FROM view",
    "SELECT 100 * (COUNT(*) FILTER (WHERE b) - COUNT(*) FILTER (WHERE NOT b)) AS d FROM view",
    "SELECT COUNT(*) FILTER (WHERE a > 6) / NULLIF(COUNT(*) FILTER (WHERE a > 4), 0) AS part FROM view WHERE b",
    "SELECT c, 100 * COUNT(*) / SUM(COUNT(*)) OVER () AS p, SHARE(*) OVER (PARTITION BY b) AS s, b FROM view "
    "GROUP BY c, b",
    "SELECT AVG(a), SUM(a), COUNT(a), COUNT(*), SHARE(*), MIN(a), 2 * COUNT(*) AS x FROM view",
    "SELECT c, COUNT(*) AS n, AVG(a) AS mean FROM view(simultaneous) GROUP BY c HAVING NOT c = 'x' OR n > 100",
    "SELECT c, COUNT(*) AS n FROM view GROUP BY c HAVING c LIKE 'x%' OR c IS NULL",
    "SELECT d, COUNT(*) AS n FROM view GROUP BY d HAVING d BETWEEN '2013-02-01' AND DATE '2013-02-03' ORDER BY n",
    "SELECT at, COUNT(*) AS n FROM view GROUP BY at HAVING at = '2013-06-30' AND n >= 0",
    # results
    "WITH t AS (SELECT c, COUNT(*) AS n FROM view GROUP BY c) SELECT MAX(n), MIN(n) AS least FROM t",
    "WITH t AS (SELECT c, COUNT(*) AS n FROM view GROUP BY c), u AS (SELECT * FROM t WHERE n > 10) SELECT c, n FROM u",
    "SELECT u.c AS letter, u.n FROM (SELECT c, COUNT(*) AS n FROM view GROUP BY c) AS u WHERE u.n_low > 1 ORDER BY n",
    "SELECT n_low AS low, c FROM (SELECT c, COUNT(*) AS n FROM view GROUP BY c) ORDER BY low DESC LIMIT 2 OFFSET 1",
    "SELECT MAX(d) FROM (SELECT d, COUNT(*) AS n FROM view GROUP BY d) WHERE n > 30",
)
REFUSED = (
    "SELECT * FROM view", "SELECT a FROM view", "SELECT COUNT(DISTINCT a) FROM view", "SELECT COUNT(*) FROM nowhere",
    "SELECT COUNT(*) FROM view WHERE COUNT(*) > 3", "SELECT COUNT(*) FROM view WHERE a", "SELECT COUNT(*) FROM view, t",
    "SELECT COUNT(*) + COUNT(*) FROM view", "SELECT COUNT(*) * COUNT(*) FROM view", "SELECT COUNT(*) - 3 FROM view",
    "SELECT SUM(d) FROM view", "SELECT AVG(c) FROM view", "SELECT 2 * MEDIAN(d) FROM view", "SELECT a - 1 FROM view",
    "SELECT COUNT(*) FROM view WHERE a LIKE 'x%'", "SELECT COUNT(*) FROM view WHERE c LIKE 'Q%'",
    "SELECT COUNT(*) FROM view WHERE d > 'yesterday'", "SELECT COUNT(*) FROM view WHERE c = x",
    "SELECT EXTRACT(hour FROM d), COUNT(*) FROM view GROUP BY 1", "SELECT EXTRACT(minute FROM at) FROM view GROUP BY 1",
    "SELECT MONTH(a) FROM view GROUP BY 1", "SELECT width(c, 2) FROM view GROUP BY 1",
    "SELECT CASE WHEN b THEN 1 END, COUNT(*) FROM view GROUP BY 1", "SELECT QUANTILE_CONT(a, 3) FROM view",
    "SELECT SUM(CASE WHEN b THEN 1 ELSE 2 END) FROM view", "SELECT AVG(CASE WHEN b THEN a ELSE 0 END) FROM view",
    "SELECT COUNT(*) AS n, COUNT(*) AS n FROM view", "SELECT COUNT(*) FROM view GROUP BY 3",
    "SELECT COUNT(*) FROM view LIMIT x", "SELECT DISTINCT ON (c) c FROM view", "SELECT ROUND(COUNT(*), 99) FROM view",
    "SELECT SUM(n) FROM (SELECT c, COUNT(*) AS n FROM view GROUP BY c)", "SELECT c FROM view UNION SELECT c FROM view",
    "SELECT c FROM (SELECT c, COUNT(*) AS n FROM view GROUP BY c) GROUP BY c", "SELECT ROW_NUMBER() OVER () FROM view",
    "WITH RECURSIVE t AS (SELECT COUNT(*) AS n FROM view) SELECT n FROM t", "SELECT COUNT(*) FROM view WHERE c = NULL",
    "SELECT COUNT(*) / SUM(COUNT(*)) OVER () AS s, c FROM view GROUP BY c HAVING s > 0", "DELETE FROM view", "SELECT",
)  # fmt: skip


def sql_view() -> View:
    """A view with every type of attribute that a question may treat in its own way."""
    return make_view(Domain.from_json(DOMAIN), leaves=250, seed=11, inner=0.4, marginals=True)


def all_questions() -> list[str]:
    rng = np.random.default_rng(5)
    return [*QUESTIONS, *(_without_ties(wide_query(rng)) for _ in range(RANDOM)), *REFUSED]


def _without_ties(sql: str) -> str:
    """The question without what the last bits of a sum decide: the order of a subtotal and the only group in it, and
    whether the mean of a group whose values are all 3 is below 3.
    """
    sql = re.sub(r"AVG\(a\) < (-?\d+)", r"AVG(a) < \1.37", sql)
    return ORDER.sub("", sql) if re.search("ROLLUP|CUBE|GROUPING SETS", sql) else sql


def answer_sql(view: View, sql: str) -> dict[str, Any]:
    """What a view answers: keys as they are, measures as [value, low, high]; or that it refuses."""
    try:
        table = view.sql(sql)
    except QueryError:
        return {"sql": sql, "refused": True}
    places = [i for i, name in enumerate(table.columns) if not _is_end(name, table.columns)]
    measures = [f"{table.columns[i]}_low" in table.columns for i in places]
    rows = [
        [[_plain(value) for value in row[i : i + 3]] if measure else _plain(row[i])
         for i, measure in zip(places, measures, strict=True)]
        for row in table.rows
    ]  # fmt: skip
    return {"sql": sql, "columns": [table.columns[i] for i in places], "rows": rows}


def _is_end(name: str, columns: list[str]) -> bool:
    return any(name.endswith(end) and name.removesuffix(end) in columns for end in ("_low", "_high"))


def _plain(value: Any) -> Any:
    """A value as JSON has it: moments as milliseconds since 1970, true and false as words."""
    if isinstance(value, dt.date):
        at = value if isinstance(value, dt.datetime) else dt.datetime.combine(value, dt.time())
        return (at - dt.datetime(1970, 1, 1)) / dt.timedelta(milliseconds=1)
    return str(value).lower() if isinstance(value, bool) else value

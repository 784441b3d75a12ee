"""Sentences: questions from a grammar, the same with faults, deep nestings, huge literals, and plain rubbish."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

NUMBERS = ["0", "1", "-1", "5", "10", "1.5", "1e3", "1e308", "1e999", "-1e999", "0x1F", "1_000", "1e", ".5", "5.", "00", "9" * 30, "9" * 400, "9" * 5000, "-9" * 3, "1e-400", "NaN"]  # fmt: skip
TEXTS = ["'A'", "'Ü'", "''", "'2013-01-15'", "'2013-02-30'", "'9999-12-31'", "'0001-01-01'", "'2013-01-01T05:00:00'", "'nan'", "'inf'", "'1 month'", "'" + "x" * 900 + "'", "'\0'", "'🎉'", "'a''b'", "'%s'", "'{0}'", "'\u202e'", "'[bold]'", "e'\\n'"]  # fmt: skip
OTHER = ["NULL", "TRUE", "FALSE", "CURRENT_DATE", "DATE '2013-01-15'", "INTERVAL '1' MONTH", "CAST('5' AS INT)", "?", "$1", ":a", "@a", "(SELECT 1)", "[1, 2]", "{'a': 1}", "a -> b", "CASE WHEN 1 THEN 2 END"]  # fmt: skip
COMPARE = ["=", "!=", "<>", "<", "<=", ">", ">=", "==", "<=>", "LIKE", "~", "IS", "IS NOT", "IS DISTINCT FROM"]
PATTERNS = [
    "'A%'",
    "'_'",
    "'%'",
    "''",
    "'%" + "_%" * 200 + "'",
    "'a$%' ESCAPE '$'",
    "'A' ESCAPE ''",
    "'A' ESCAPE 'ab'",
    "5",
    "NULL",
]
PARTS = ["year", "quarter", "month", "week", "day", "dow", "hour", "minute", "second", "century", "''", "epoch"]
FUNCTIONS = ["COUNT", "SUM", "AVG", "MEDIAN", "SHARE", "MEAN", "MIN", "MAX", "STDDEV", "QUANTILE_CONT", "APPROX_QUANTILE", "LIST", "FIRST", "WIDTH", "FLOOR", "UPPER", "getenv", "read_csv", "load_extension", "MONTH", "YEAR", "HOUR", "GROUPING"]  # fmt: skip
WORDS = ["SELECT", "FROM", "WHERE", "GROUP", "BY", "HAVING", "ORDER", "LIMIT", "view", "COUNT", "(", ")", "*", ",", ";", "'", '"', "--", "/*", "*/", "AND", "OR", "NOT", "IN", "BETWEEN", "UNION", "JOIN", "WITH", "AS", ".", "::", "||", "\\", "\n", "\t", "\0", "🎉", "ﬀ", "\u0661", "\u2028", "İ", "`", "$$", "{{", "%", "#"]  # fmt: skip


LIKELY = {
    "age": ["0", "5", "12", "19"], "place": ["'A'", "'B'", "'Ü'"], "day": ["'2013-01-15'", "'2013-03-01'"], "delay": ["0", "12.5", "60"],
    "pay": ["0.5", "10", "99"], "at": ["'2013-01-01T05:00:00'", "'2013-01-01 12:00'"], "ok": ["TRUE", "FALSE"], "x0": ["0", "1000000"], "x1": ["0", "1"],
    "ward": ["'A'", "'D'"], "wing": ["'north'", "'south'"], "night": ["'yes'", "'no'"], "first": ["0", "7"], "second": ["1", "9"], "third": ["2"],
    "region": ["'East'", "'West'"], "state": ["'NY'", "'CA'"], "hub": ["'yes'"], "sex": ["'male'"], "pregnant": ["TRUE"], "school": ["3", "15"],
    "cost": ["12", "100.5"], "period": ["'2026-01'", "'2026-02'"],
}  # fmt: skip


class Grammar:
    """Questions about a view's dimensions, most of them nearly right."""

    def __init__(self, names: Sequence[str], rng: Random) -> None:
        self.names, self.rng = list(names), rng

    def name(self) -> str:
        rng = self.rng
        if rng.random() < 0.05:
            return rng.choice(["nope", '""', "view.age", "a.b.c", "rowid", "*", '"AGE"', "é", "all", "value", "count"])
        name = rng.choice(self.names)
        return rng.choice([name, name, name.upper(), f'"{name}"', f"({name})"])

    def value(self, name: str = "") -> str:
        rng = self.rng
        likely = LIKELY.get(name.lower().strip('"()'))
        if likely and rng.random() < 0.9:
            return rng.choice(likely)
        found = rng.choice(rng.choice([NUMBERS, NUMBERS, TEXTS, TEXTS, OTHER]))
        return rng.choice([found, found, found, f"-{found}", f"({found})", f"- -{found}", f"CAST({found} AS DATE)"])

    def key(self) -> str:
        rng, name = self.rng, self.name()
        number = rng.choice([*NUMBERS, *["5", "10"] * 10])
        if rng.random() < 0.6:
            return name
        return rng.choice([
            name, name, f"width({name}, {self.value()})", f"FLOOR({name} / {number}) * {number}", f"{number} * ({name} // {number})",
            f"EXTRACT({rng.choice(PARTS)} FROM {name})", f"DATE_TRUNC('{rng.choice(PARTS)}', {name})", f"{rng.choice(FUNCTIONS)}({name})",
            f"date_part('{rng.choice(PARTS)}', {name})", str(rng.randint(-1, 4)), f"{name} + 1",
        ])  # fmt: skip

    def measure(self, depth: int = 0) -> str:
        rng, name = self.rng, self.name()
        if rng.random() < 0.5:
            return rng.choice(["COUNT(*)", "COUNT(*)", "SHARE(*)", f"AVG({name})", f"MEDIAN({name})"])
        return rng.choice([
            "COUNT(*)", "COUNT(*)", "SHARE(*)", f"COUNT({name})", f"COUNT(DISTINCT {name})", f"{rng.choice(FUNCTIONS)}({name})",
            f"AVG({name})", f"MEDIAN({name})", f"SUM({name})", f"QUANTILE_CONT({name}, {self.value()})",
            f"PERCENTILE_CONT({self.value()}) WITHIN GROUP (ORDER BY {name})", f"COUNT(*) FILTER (WHERE {self.condition(depth + 1)})",
            f"{rng.choice(NUMBERS)} * COUNT(*) / SUM(COUNT(*)) OVER ({rng.choice(['', f'PARTITION BY {name}', 'ORDER BY 1'])})",
            f"COUNT(*) FILTER (WHERE {self.condition(depth + 1)}) {rng.choice('-/+*')} {rng.choice(['COUNT(*)', 'SUM(*)', f'COUNT({name})', '100'])}",
            f"SUM(CASE WHEN {self.condition(depth + 1)} THEN {rng.choice(['1', name, self.value()])} ELSE {rng.choice(['0', 'NULL', name])} END)",
            f"AVG(IF({self.condition(depth + 1)}, 1, 0))", f"{rng.choice(['SUM', 'AVG'])}({name}) FILTER (WHERE {self.condition(depth + 1)})", f"AVG(DISTINCT {name})", f"SUM({name}) + AVG({self.name()})", f"COUNT_IF({self.condition(depth + 1)}) * 100.0 / COUNT(*)", f"MIN({name})", f"MAX({name})",
            f"COUNT(CASE {name} WHEN {self.value(name)} THEN 1 END)", f"ROUND({rng.choice(['COUNT(*)', f'AVG({name})'])}, {self.value()})", f"SUM({name}) / COUNT({name})",
            f"APPROX_QUANTILE({name}, {self.value()})", f"PERCENTILE_APPROX({name}, 0.5)", f"SHARE(*) OVER (PARTITION BY {name})", f"GROUPING({name})", f"{rng.choice(FUNCTIONS)}({self.value()}, {name})", self.value(),
        ])  # fmt: skip

    def condition(self, depth: int = 0) -> str:
        rng = self.rng
        if depth < 5 and rng.random() < 0.45:
            joined = rng.choice([" AND ", " OR ", " OR ", " XOR "])
            parts = joined.join(self.condition(depth + 1) for _ in range(rng.randint(1, 3)))
            return rng.choice([f"({parts})", f"NOT ({parts})", parts, f"NOT {parts}"])
        left = rng.choice([self.name] * 12 + [self.key, self.value])()
        if rng.random() < 0.8:
            low, high = (self.value(left) for _ in range(2))
            plain = [
                f"{left} = {low}",
                f"{left} IN ({low}, {high})",
                f"{left} {rng.choice(COMPARE[:7])} {low}",
                f"{left} BETWEEN {low} AND {high}",
            ]
            return rng.choice(plain)
        return rng.choice([
            f"{left} {rng.choice(COMPARE)} {self.value()}", f"{left} {rng.choice(COMPARE)} {self.value()}", f"{self.value()} < {left}",
            f"{left} BETWEEN {self.value()} AND {self.value()}", f"{left} IN ({', '.join(self.value() for _ in range(rng.choice([1, 2, 30])))})",
            f"{left} {rng.choice(['LIKE', 'NOT LIKE', 'ILIKE'])} {rng.choice(PATTERNS)}",
            f"{left} IS NULL", f"{left} IS NOT NULL", f"{left} NOT IN ({self.value()})", left, f"{left} IN (SELECT 1)", f"EXISTS ({left})",
        ])  # fmt: skip

    def statement(self) -> str:
        rng = self.rng
        keys = [self.key() for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 5]))]
        shown = [
            *(key for key in keys if rng.random() < 0.8),
            *(self.measure() for _ in range(rng.choice([0, 1, 1, 2, 4]))),
        ]
        shown = [f"{one} AS {rng.choice(['a', 'b', self.name()])}" if rng.random() < 0.2 else one for one in shown] or [
            rng.choice(["COUNT(*)", "*"])
        ]
        parts = [
            f"SELECT {rng.choice([''] * 8 + ['DISTINCT '])}{', '.join(shown)} FROM {rng.choice(['view'] * 60 + ['View', 'other', 'a.view', 'view v', 'view, view'])}"
        ]
        if rng.random() < 0.5:
            parts.append(f"WHERE {self.condition()}")
        if keys:
            listed = ", ".join(keys)
            parts.append(f"GROUP BY {rng.choice([listed, listed, listed, 'ALL', f'ROLLUP ({listed})', f'CUBE ({listed})', f'GROUPING SETS (({listed}), ())', f'{listed} WITH ROLLUP'])}")  # fmt: skip
        if rng.random() < 0.2:
            parts.append(
                f"HAVING {rng.choice(['COUNT(*)', self.measure(), self.name()])} {rng.choice(COMPARE[:7])} {rng.choice(['5', self.value(), self.measure()])}"
            )
        if rng.random() < 0.3:
            parts.append(
                f"ORDER BY {rng.choice([*keys, 'COUNT(*)', '1', self.key(), self.measure(), '2', 'count_low', 'ALL'])} {rng.choice(['', 'DESC', 'NULLS FIRST'])}"
            )
        if rng.random() < 0.2:
            parts.append(f"LIMIT {rng.choice([*NUMBERS, *['5'] * 20])}")
        if rng.random() < 0.1:
            parts.append(f"OFFSET {rng.choice(NUMBERS)}")
        text = " ".join(parts)
        return self.over_result(text) if rng.random() < 0.2 else text

    def over_result(self, inner: str) -> str:
        """A SELECT over the result of another, most of them right."""
        rng = self.rng
        shape = rng.choice(
            [
                "WITH t AS ({}) SELECT {} FROM t",
                "SELECT {1} FROM ({0}) AS t",
                "WITH t AS ({}), u AS (SELECT * FROM t) SELECT {} FROM u",
            ]
        )
        shown = rng.choice(
            ["*", "*", "MAX(count)", "MIN(count), MAX(count)", "count, count_low", "SUM(count)", "t.*", self.name()]
        )
        end = rng.choice(
            [
                "",
                "",
                " WHERE count > 5",
                " ORDER BY count DESC",
                " LIMIT 2",
                " GROUP BY 1",
                f" WHERE {self.condition(4)}",
            ]
        )
        return shape.format(inner, shown) + end


def sentence(names: Sequence[str], rng: Random, *, condition: bool) -> str:
    """A question, or a condition as the command line takes it."""
    grammar = Grammar(names, rng)
    text = grammar.condition() if condition else grammar.statement()
    way = rng.random()
    if way < 0.55:
        return text
    if way < 0.8:
        return _damaged(text, rng)
    if way < 0.9:
        return "".join(
            rng.choice([*WORDS, grammar.name(), grammar.value()]) + rng.choice(["", " "])
            for _ in range(rng.randint(0, 30))
        )
    if way < 0.95:
        return "".join(
            chr(rng.choice([rng.randrange(128), rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)]))
            for _ in range(rng.randint(1, 60))
        )
    deep = _deep(grammar.name(), rng)
    return deep if condition else f"SELECT {rng.choice(['COUNT(*)', deep])} FROM view WHERE {deep}"


def _damaged(text: str, rng: Random) -> str:
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        text = rng.choice([
            text[:at] + rng.choice(WORDS) + text[at:], text[:at] + text[at + rng.randint(1, 6) :], text[:at],
            text[:at] + text[at // 2 : at] + text[at:], text.replace(" ", rng.choice(WORDS), 1), text + " " + text,
        ])  # fmt: skip
    return text


def _deep(name: str, rng: Random) -> str:
    """Nested, chained or repeated far beyond what anyone would write."""
    n = rng.choice([50, 200, 1000, 3000, 10_000])
    one = f"{name} = 1"
    return rng.choice([
        "(" * n + one + ")" * n, "NOT " * n + one, "NOT (" * n + one + ")" * n, " AND ".join([one] * (n // 4)), " OR ".join([one] * (n // 4)),
        f"{name} = " + "-" * n + "1", f"{name} = " + "- " * n + "1", f"{name} IN (" + ", ".join(["1"] * n) + ")", f"{name} = " + "(" * n + "1" + ")" * n,
        "+".join([name] * n) + " = 1", "FLOOR(" * n + name + ")" * n + " = 1", "[" * n + "]" * n, "CASE WHEN " * n, "/*" * n, "'" * n, "((" * n,
        f"{name} = CAST(" * n, " AND ".join(f"({name} = {i} OR ok)" for i in range(n // 50)), f"{name}." * n + "x = 1", "SELECT (" * n, "1 + " * n + "1",
    ])  # fmt: skip

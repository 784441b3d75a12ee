"""Sections of a certificate, in reading order. The text and the page are made from them."""

from __future__ import annotations

from collections.abc import Sequence

from ripost.certify.certificate_statement import Section, SectionTable
from ripost.certify.certified_release import CertifiedRelease
from ripost.certify.proof_index import FOLDER, UNKNOWN, list_proofs
from ripost.certify.series_sections import describe_periods, explain_promise, list_digests
from ripost.privacy.ledger import Currency, Privacy
from ripost.release.promise import describe_discovery, list_charges, plain_words, promise
from ripost.schema.attribute import AttributeBase, OrderedAttribute
from ripost.series import Series
from ripost.view import View

FEW = 6  # categories that are all named
AGAIN = (
    "This view was estimated again from the noisy measurements in an earlier view of the same release. No table was "
    "read for it, and the two views together promise what the earlier one did."
)
MOST_PARAMETER = 200  # characters of a parameter


def title_certificate(subject: CertifiedRelease) -> str:
    """The title: a certificate, unless the release protects nobody."""
    if subject.view.privacy.is_private:
        return "Certificate of a differentially private release"
    return "No certificate: this release is NOT PRIVATE"


def list_sections(subject: CertifiedRelease) -> list[Section]:
    """All parts of a certificate."""
    view = subject.view
    because = (explain_promise(view),) if isinstance(view, Series) and view.privacy.is_private else ()
    parts = [
        Section("In plain words", (promise(view.privacy), *because, *plain_words(view.privacy))),
        _describe_release(subject),
        *([describe_periods(view), list_digests(view)] if isinstance(view, Series) else []),
        _describe_promise(view),
        _describe_spending(view),
        _describe_proofs(subject),
    ]
    parts += [_describe_debit(subject)] if subject.debit is not None else []
    return [*parts, _describe_method(subject), _list_limits(view), _list_entries(view)]


def _describe_release(subject: CertifiedRelease) -> Section:
    view = subject.view
    rows = []
    for name, attribute in view.domain:
        extra = [
            word
            for word, there in (
                (attribute.other_name, attribute.has_other),
                (attribute.missing_name, attribute.missing == "bin"),
            )
            if there
        ]
        label = name if attribute.label in (None, name) else f"{name} ({attribute.label})"
        rows.append(
            (label, describe_values(attribute), attribute.unit or "", " and ".join(extra), f"{attribute.size:,}")
        )
    facts = (
        ("file", subject.file),
        (
            "SHA-256 of the digests of its views" if isinstance(view, Series) else "SHA-256 of the view",
            subject.digest,
        ),
        *((("periods", f"{len(view.parts):,} of {view.rule}"),) if isinstance(view, Series) else ()),
        ("every figure estimates", view.measure.title),
        *(("and", content.measured.describe(name)) for name, content in view.measures.items()),
        *(() if view.period is None else (("counts only rows of the period", str(view.period)),)),
        ("holds", f"{len(view.content.values):,} {view.content.noun} for {view.domain.size_in_words} cells"),
        *view.domain.describe_structure(),
        *(() if view.measured is None else (("noisy measurements", f"{len(view.measured.value):,}"),)),
    )
    table = SectionTable(("attribute", "values", "unit", "also", "codes"), tuple(rows), right=4)
    words = (view.description,) if view.description else ()
    points = tuple(f"{name}: {attribute.description}" for name, attribute in view.domain if attribute.description)
    return Section("What was released", words, facts, points, table)


def describe_values(attribute: AttributeBase) -> str:
    """The values or bins of an attribute: all of them if they are few, or the first and the last."""
    if attribute.count <= FEW and not isinstance(attribute, OrderedAttribute):
        return ", ".join(attribute.describe(code) for code in range(attribute.count))
    return (
        f"{attribute.describe(0)}, …, {attribute.describe(attribute.count - 1)}"
        if attribute.count > 1
        else attribute.describe(0)
    )


def _describe_promise(view: View) -> Section:
    privacy = view.privacy
    spent = f"{view.epsilon_spent:.6g}"
    facts = [("definition", privacy.definition), ("epsilon", f"{float(privacy.epsilon):g} (exactly {privacy.epsilon})")]
    facts += [("delta", f"{float(privacy.delta):g}")] if privacy.delta else []
    facts += [
        ("spent", f"{spent} of epsilon {float(privacy.epsilon):g}, along the path with the largest privacy loss"),
        *(("discovered from the data", sentence) for sentence in describe_discovery(privacy)),
        ("protects", str(privacy.unit)),
        ("two tables are neighboring if", _neighboring(privacy)),
        ("noise from", privacy.entropy),
    ]
    if not privacy.is_private:
        nothing = "Nothing: the noise can be repeated. With fresh noise the same draws would promise what follows."
        return Section("What is promised", (nothing,), tuple(facts))
    return Section("What is promised", facts=tuple(facts))


def _neighboring(privacy: Privacy) -> str:
    if privacy.unit.column is None:
        return "one has one row more than the other"
    return f"one has the rows of one more {privacy.unit.column}, of which at most {privacy.unit.max_rows:,} are used"


def _describe_spending(view: View) -> Section:
    words = [
        "What is charged for one row, along the path from the whole table to a block with the largest privacy loss."
    ]
    if isinstance(view, Series):
        view = view.costliest
        words.append(
            f"This is the costliest period, {view.period.label if view.period else ''}; `ripost certificate` tells the "
            "same of another period from its own file."
        )
    currency = str(view.privacy.currency)
    rows = tuple((purpose, mechanism, f"{float(price):.6g}") for purpose, mechanism, price in list_charges(view))
    m = view.privacy.unit.max_rows
    if m > 1:
        factor = f"{m:,} squared" if view.privacy.currency is Currency.RHO else f"{m:,}"
        words.append(
            f"One {view.privacy.unit.column} with {m:,} rows is charged {factor} times as much; the promise covers it."
        )
    return Section(
        "What the budget was spent on", tuple(words), table=SectionTable(("purpose", "mechanism", currency), rows, 2)
    )


def _describe_proofs(subject: CertifiedRelease) -> Section:
    found = "; ".join(f"{check.name}: {check.detail}" for check in subject.checks)
    words = [
        f"Each line is proved in a file of {FOLDER}, which comes with the software. Its tests tie each proof to the "
        "code that it is about, and audit methods by enumerating every output on tiny tables.",
        f"The file was checked when this was written: {found}.",
    ]
    rows = tuple(list_proofs(subject.view))
    if any(proof == UNKNOWN for _, proof in rows):
        words.append("Ask for the version of the software that made the view where a proof is not known here.")
    return Section("Why to believe it", tuple(words), table=SectionTable(("claim", "proof"), rows, right=2))


def _describe_debit(subject: CertifiedRelease) -> Section:
    facts = tuple((str(name), str(value)) for name, value in (subject.debit or {}).items())
    words = ("This release was charged to a budget that the steward keeps for all releases of the table.",)
    return Section("Budget across releases", words, facts)


def _describe_method(subject: CertifiedRelease) -> Section:
    view = subject.view
    libraries = ", ".join(f"{name} {version}" for name, version in subject.libraries.items())
    origin = view.origin
    facts = [
        ("software", view.software),
        *([] if origin is None else [("estimated again from", f"{origin.digest}, published by {origin.software}")]),
        ("libraries", libraries or "not recorded in the view"),
        ("method", view.method),
        *((f"parameter {name}", _shorten(value)) for name, value in view.parameters.items()),
        ("certificate written on", subject.written.isoformat()),
    ]
    words = () if origin is None else (AGAIN,)
    return Section("How it was made", words, tuple(facts))


def _list_limits(view: View) -> Section:
    privacy = view.privacy
    further = () if not isinstance(view, Series) else (
        "The promise is that of the periods listed here. Other releases of the table add up with it, and so does a "
        "second release of a period. A row whose date was corrected can be in two periods.",
    )  # fmt: skip
    rows = () if privacy.unit.column is not None else (
        "One row is protected, not one person: a person with several rows in the table is protected less.",
    )  # fmt: skip
    points = (
        "Releases add up. Two views of one table at epsilon 1 promise epsilon 2 together.",
        *further,
        *rows,
        "What is true of people in general can be learned, also about people who are not in the table.",
        "Names, ranges, categories and bins are public and must have been chosen without looking at the data, or "
        "discovered within the promise.",
        "The figures are estimates. Their intervals are a model of the error, not a part of the promise.",
        "The checks find a ledger that contradicts itself. They cannot show that the noise was drawn as it says.",
        "The digest finds damage and careless edits. Neither it nor this certificate is a signature.",
    )
    return Section("What is not promised", points=points)


def _list_entries(view: View) -> Section:
    privacy = view.privacy
    rows = tuple(
        (
            e.purpose,
            e.mechanism_in_full,
            e.statistic,
            f"{e.sensitivity:,}",
            str(e.epsilon),
            f"{e.scale:.6g}",
            f"{e.blocks:,}",
        )
        for e in privacy.all_entries
    )
    head = ("purpose", "mechanism", "statistic", "sensitivity", str(privacy.currency), "scale", "blocks")
    found = privacy.discovery.entries if privacy.discovery else ()
    first = tuple(
        (one.purpose, "discrete Laplace", "votes of units", "1", str(one.epsilon), f"{one.scale:.6g}", "")
        for one in found
    )
    words = [
        f"All {len(rows):,} entries. Blocks of an entry share no row, so a row is charged for an entry at most once.",
    ]
    if isinstance(view, Series):
        words.append("They are those of the costliest period; the file of each period has its own.")
    if first:
        words.append(f"The first {len(first):,} lines are discovery: their price is epsilon for one unit.")
    return Section("The ledger", tuple(words), table=SectionTable(head, first + rows, right=3))


def _shorten(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
    return text if len(text) <= MOST_PARAMETER else f"{text[:MOST_PARAMETER]}…"

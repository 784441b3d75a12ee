"""The SQL of a ledger in PostgreSQL, and the sentences for its errors."""

from __future__ import annotations

from typing import LiteralString

from ripost.budget_ledger.hash_chain import START

SETTINGS: tuple[LiteralString, ...] = (
    "SET LOCAL lock_timeout = '60s'",
    "SET LOCAL idle_in_transaction_session_timeout = '60s'",  # whoever hangs does not lock out the others for good
    "SET LOCAL synchronous_commit = on",  # a debit waits for the disk, whatever the server does by default
    "SET LOCAL search_path = pg_catalog, pg_temp",
)
LOCK: LiteralString = "SELECT pg_advisory_xact_lock(1380536399, 0)"  # "RIPO"; ends with the transaction
ENTRIES: LiteralString = "SELECT number, kind, body, chain FROM ripost.entries ORDER BY number"
INSERT: LiteralString = "INSERT INTO ripost.entries VALUES (%s, %s, %s, %s)"
PLACE: LiteralString = """
    SELECT (SELECT system_identifier FROM pg_control_system()),
           (SELECT oid::bigint FROM pg_database WHERE datname = current_database()),
           'ripost.entries'::regclass::oid::bigint
"""
TABLE: LiteralString = """
    CREATE TABLE ripost.entries (
        number bigint PRIMARY KEY,
        kind text NOT NULL,
        body text NOT NULL,
        chain text NOT NULL
    )
"""
# The hash is that of hash_chain.py. Kinds and bodies are ASCII, which to_json writes as Python's json.dumps does.
CHECK = f"""
    CREATE FUNCTION ripost.check_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        last ripost.entries;
        said text;
    BEGIN
        SELECT * INTO last FROM ripost.entries ORDER BY number DESC LIMIT 1;
        said := '["' || coalesce(last.chain, '{START}') || '",' || NEW.number || ',' || to_json(NEW.kind)::text
            || ',' || to_json(NEW.body)::text || ']';
        IF NEW.number IS DISTINCT FROM coalesce(last.number + 1, 0) OR octet_length(said) <> length(said)
            OR NEW.chain IS DISTINCT FROM encode(sha256(convert_to(said, 'UTF8')), 'hex')
        THEN
            RAISE EXCEPTION 'the entry does not follow from the last one';
        END IF;
        IF NEW.kind NOT IN ('debited', 'released', 'failed') AND NOT pg_has_role(
            current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
        THEN
            RAISE EXCEPTION 'only the owner may write this' USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN NEW;
    END $$
"""
MAKE: tuple[str, ...] = (
    "CREATE SCHEMA ripost",
    TABLE,
    CHECK,
    "CREATE TRIGGER check_entry BEFORE INSERT ON ripost.entries FOR EACH ROW EXECUTE FUNCTION ripost.check_entry()",
    "REVOKE ALL ON SCHEMA ripost FROM PUBLIC",
    "REVOKE ALL ON ripost.entries FROM PUBLIC",
)
MAY_CHANGE: LiteralString = """
    SELECT pg_has_role(r.oid, c.relowner, 'MEMBER') OR pg_has_role(r.oid, d.datdba, 'MEMBER')
        OR has_table_privilege(r.oid, c.oid, 'UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
        OR has_schema_privilege(r.oid, 'ripost', 'CREATE')
    FROM pg_roles r, pg_class c, pg_database d
    WHERE r.rolname = %(role)s AND c.oid = 'ripost.entries'::regclass AND d.datname = current_database()
"""
LOST = "the connection to {name} was lost; nothing was written, so try again"
FAILED = "the server of {name} failed (SQLSTATE {state}); nothing was written"
STATES = {  # by SQLSTATE, or by its class
    "3F000": "there is no ledger in {name}; make one with ripost ledger init",
    "42P01": "there is no ledger in {name}; make one with ripost ledger init",
    "42P06": "{name} has a schema ripost already, and a cap is set once; choose another database",
    "42501": "the role may not do this to the ledger in {name}; use that of its owner, or of a publisher to debit it",
    "55P03": "others have been writing to {name} for {patience} seconds; try again",
    "23505": "somebody else wrote to {name} at the same moment; try again",
    "P0001": "the entry does not follow from the last one in {name}; try again",
    "25006": "{name} may only be read; name the server that is written to",
    "53": "the server of {name} has no room left; nothing was written",
    "57": LOST,
    "08": LOST,
}

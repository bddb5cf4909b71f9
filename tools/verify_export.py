#!/usr/bin/env python3
"""Verifies exports of the audit trail, offline, with Python's standard library alone.

Written from docs/audit-format.md, as a second opinion on the verifier of the service.

    verify_export.py [--checkpoint FILE]... [--key KEY]... [--actions FILE] [--parts] EXPORT...

Prints one line per export, and exits with 1 if one of them is broken. With --parts the files are
one export: downloads that broke off, each continued by `after`.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from pathlib import Path

MAX_COUNT = 2**53 - 1
HASH = re.compile(r"[0-9a-f]{64}")
ACTIONS = Path(__file__).resolve().parent.parent / "docs" / "audit-actions.json"


class Break(Exception):
    """The first thing that is wrong."""

    def __init__(self, kind, seq):
        super().__init__(kind)
        self.kind = kind
        self.seq = seq


# --- Canonical JSON (RFC 8785) ---


def parse_json(text):
    return json.loads(text, parse_int=number, parse_float=number, parse_constant=reject)


def number(text):
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("number out of range")
    return int(value) if value.is_integer() and abs(value) <= MAX_COUNT else value


def reject(name):
    raise ValueError(f"{name} is no JSON")


def canonical(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return canonical_string(value)
    if isinstance(value, (int, float)):
        return canonical_number(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    members = (canonical_string(name) + ":" + canonical(value[name]) for name in names)
    return "{" + ",".join(members) + "}"


def canonical_string(text):
    # JSON's parser has joined pairs already, so a surrogate that is left is alone.
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return json.dumps(text, ensure_ascii=False)


def canonical_number(value):
    """Writes a number as ECMAScript does."""
    if isinstance(value, int):
        return str(value)
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = ("+" if point > 0 else "-") + str(abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + power


def canonical_bytes(value):
    return canonical(value).encode()


def digest(value):
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def bounded(value):
    """Replaces a value that is too large by its digest."""
    return "sha256:" + digest(value) if len(canonical_bytes(value)) > 4096 else value


# --- The tree (RFC 9162) ---


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """Keeps one hash for each bit that is set in the size."""

    def __init__(self):
        self.size = 0
        self.hashes = []

    def append(self, leaf):
        rest = self.size
        while rest % 2 == 1:
            leaf = node_hash(self.hashes.pop(), leaf)
            rest //= 2
        self.hashes.append(leaf)
        self.size += 1

    def root(self):
        if not self.hashes:
            return hashlib.sha256(b"").digest()
        *lefts, root = self.hashes
        for left in reversed(lefts):
            root = node_hash(left, root)
        return root


def is_consistent(first, second, first_root, second_root, proof):
    """RFC 9162, section 2.1.4.2."""
    if first > second:
        return False
    if first == second:
        return not proof and first_root == second_root
    if first == 0:
        return not proof and first_root == Tree().root()
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for sibling in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node_hash(sibling, fr), node_hash(sibling, sr)
            while fn != 0 and not fn & 1:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node_hash(sr, sibling)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and fr == first_root and sr == second_root


# --- Ed25519 (RFC 8032), verification only: slow, and not for secrets ---

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def point(encoded):
    value = int.from_bytes(encoded, "little")
    y = value & (2**255 - 1)
    x = recover_x(y, value >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, p):
    total = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = add(total, p)
        p = add(p, p)
        scalar >>= 1
    return total


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def ed25519_verify(public_key, message, signature):
    if len(signature) != 64:
        return False
    a, r = point(public_key), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little")
    left, right = multiply(s, BASE), add(r, multiply(k % L, a))
    return (
        (left[0] * right[2] - right[0] * left[2]) % P == 0
        and (left[1] * right[2] - right[1] * left[2]) % P == 0
    )


# --- Signed checkpoints (C2SP tlog-checkpoint) ---


def decode_base64(text):
    """Decodes base64, and rejects every other spelling of the same bytes."""
    try:
        value = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return value if base64.b64encode(value).decode() == text else None


def parse_key(text):
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    typed = decode_base64(encoded)
    if typed is None or len(typed) != 33 or typed[0] != 1:
        raise SystemExit(f"--key must be <name>+<id>+<base64> of an Ed25519 key (got {text!r})")
    expected = hashlib.sha256(name.encode() + b"\n" + typed).digest()[:4]
    if expected.hex() != key_id:
        raise SystemExit(f"--key must have the id {expected.hex()} (got {key_id})")
    return (name, expected, typed[1:])


class Checkpoint:
    """Raises ValueError for a text that is no signed checkpoint."""

    def __init__(self, note):
        if any(ord(sign) < 32 and sign != "\n" for sign in note) or len(note.encode()) > 65536:
            raise ValueError("no note")
        end = note.rfind("\n\n")
        if end < 1 or not note.endswith("\n"):
            raise ValueError("no note")
        self.text = note[: end + 1]
        self.signatures = [self.signature(line) for line in note[end + 2 : -1].split("\n")]
        origin, size, root, *extensions = self.text[:-1].split("\n")
        self.root = decode_base64(root)
        if not origin or "" in extensions or not re.fullmatch(r"0|[1-9][0-9]{0,15}", size):
            raise ValueError("no checkpoint")
        if self.root is None or len(self.root) != 32 or int(size) > MAX_COUNT:
            raise ValueError("no checkpoint")
        self.origin, self.size = origin, int(size)

    @staticmethod
    def signature(line):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "\u2014" or not parts[1] or "+" in parts[1]:
            raise ValueError("no signature")
        value = decode_base64(parts[2])
        if value is None or len(value) < 5:
            raise ValueError("no signature")
        return (parts[1], value[:4], value[4:])

    def is_signed(self, keys):
        by_log = False
        for name, key_id, signature in self.signatures:
            for key_name, known_id, public_key in keys:
                if (name, key_id) != (key_name, known_id):
                    continue
                if not ed25519_verify(public_key, self.text.encode(), signature):
                    return False
                by_log = by_log or name == self.origin
        return by_log


# --- Records ---

TEXT = ("id", "action", "type", "category", "occurred_at", "recorded_at", "outcome")
TEXT += ("correlation_id", "causation_id", "stream")
COUNTS = ("seq", "schema_version", "revision")
HASHES = ("prev_hash", "hash")
BASE_MEMBERS = {*TEXT, *COUNTS, *HASHES, "actor"}


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT


def is_hash(value):
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def is_record(value):
    if not isinstance(value, dict):
        return False
    data = {"data_sha256"} if "data_sha256" in value else {"data", "changes", "targets"}
    context = {"context_sha256"} if "context_sha256" in value else {"context"}
    if set(value) != BASE_MEMBERS | data | context:
        return False
    actor = value["actor"]
    return (
        all(isinstance(value[name], str) for name in TEXT)
        and all(is_count(value[name]) for name in COUNTS)
        and all(is_hash(value[name]) for name in HASHES)
        and isinstance(actor, dict)
        and set(actor) == {"type", "id", "name"}
        and isinstance(actor["type"], str)
        and isinstance(actor["id"], str)
        and (actor["name"] is None or isinstance(actor["name"], str))
        and is_hash(value.get("data_sha256", "0" * 64))
        and is_hash(value.get("context_sha256", "0" * 64))
        and isinstance(value.get("data", {}), dict)
        and isinstance(value.get("changes", []), list)
        and isinstance(value.get("targets", []), list)
        and (value.get("context") is None or isinstance(value["context"], dict))
    )


def is_hash_line(value):
    if not isinstance(value, dict) or set(value) != {"seq", "hashes"}:
        return False
    hashes = value["hashes"]
    if not isinstance(value["seq"], (int, float)) or isinstance(value["seq"], bool):
        return False
    return isinstance(hashes, list) and 1 <= len(hashes) <= 256 and all(map(is_hash, hashes))


def leaf_hash(record):
    actor = record["actor"]
    leaf_actor = {"type": actor["type"], "id": bounded(actor["id"])}
    if actor["type"] != "user" and actor["name"] is not None:
        leaf_actor["name"] = bounded(actor["name"])
    leaf = {
        **{name: record[name] for name in (*COUNTS, "prev_hash")},
        **{
            name: bounded(record[name])
            for name in ("id", "type", "stream", "occurred_at", "correlation_id", "causation_id")
        },
        "actor": leaf_actor,
        "data_sha256": record.get("data_sha256") or digest(record["data"]),
        "context_sha256": record.get("context_sha256") or digest(record["context"]),
    }
    return hashlib.sha256(b"\x00" + canonical_bytes(leaf)).hexdigest()


UNKNOWN = {"action": "unknown.recorded", "category": "data", "outcome": "success", "targets": []}


def targets_of(record, rules):
    targets = []
    for rule in rules:
        if rule["field"] == "$id":
            found = record["id"]
        elif rule["field"] == "$stream":
            found = record["stream"].partition("-")[2] or record["stream"]
        else:
            found = record["data"].get(rule["field"])
        ids = found if isinstance(found, list) else [found]
        targets += [{"type": rule["type"], "id": one} for one in ids if isinstance(one, str)]
    return targets[:128]


# --- Changes ---

DEFAULT_POLICY = {
    "staleness_budget_seconds": 2592000,
    "source_priorities.repo": 1,
    "source_priorities.docs_html": 0.8,
    "source_priorities.docs_openapi": 1.2,
    "min_evidence_count": 1,
    "min_evidence_score": 0.3,
    "enforce_staleness": True,
    "enforce_refusal": False,
}
SEALED = {"credentials", "hook_secret", "address", "display_name", "password", "title"}


def pick(data, *names):
    return {name: data[name] for name in names if name in data}


def flat(prefix, value):
    fields = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            fields.update({f"{prefix}{name}.{last}": leaf for last, leaf in inner.items()})
        else:
            fields[prefix + name] = inner
    return fields


def policy_after(fields, event, data):
    if event == "PolicyReset":
        return dict(DEFAULT_POLICY)
    return {**fields, **flat("", data["changes"])} if event == "PolicyUpdated" else fields


def source_after(fields, event, data):
    if event == "SourceRegistered":
        given = pick(data, "name", "audience", "sync_interval_seconds", "credentials")
        defaults = {"audience": {"kind": "tenant"}, "sync_interval_seconds": 0}
        defined = flat("definition.", data["definition"])
        return {"status": "registered", **defaults, **given, **defined}
    if "status" not in fields:
        return fields
    if event == "SourceUpdated":
        given = pick(data, "name", "sync_interval_seconds", "credentials")
        if "definition" in data:
            kept = {n: v for n, v in fields.items() if not n.startswith("definition.")}
            fields = {**kept, **flat("definition.", data["definition"])}
        return {**fields, **given}
    if event == "SourceHookSet":
        return {**fields, "hook_id": data["hook_id"], "hook_secret": data["secret"]}
    if event == "SourceHookRemoved":
        return {**fields, "hook_id": None, "hook_secret": None}
    return {**fields, "status": "removed"} if event == "SourceRemoved" else fields


def tenant_after(fields, event, data):
    status = fields.get("status")
    if event == "TenantCreated" and status is None:
        return {"status": "active", "name": data["name"], "plan": None}
    if event == "TenantPlanChanged" and status == "active":
        return {**fields, "plan": data["plan"]}
    if event == "TenantErasureRequested" and status == "active":
        return {**fields, "status": "erasing"}
    return {"status": "erased"} if event == "TenantErased" else fields


def user_after(fields, event, data):
    status = fields.get("status")
    if event == "UserRegistered" and status is None:
        given = pick(data, "role", "address", "display_name", "password")
        return {"status": "active", "session_epoch": 1, **given}
    if event == "UserRegistrationVoided" and status is None:
        return {"status": "voided"}
    if status != "active":
        return fields
    if event == "UserRenamed":
        return {**fields, **pick(data, "display_name")}
    if event == "UserPasswordChanged":
        return {**fields, **pick(data, "password", "session_epoch")}
    if event == "UserSessionsRevoked":
        return {**fields, **pick(data, "session_epoch")}
    return {**fields, "status": "closed"} if event == "UserClosed" else fields


def apikey_after(fields, event, data):
    if event == "ApiKeyIssued" and "status" not in fields:
        return {"status": "active", **pick(data, "name", "scopes", "expires_at")}
    if event == "ApiKeyRevoked" and fields.get("status") == "active":
        return {**fields, "status": "revoked"}
    return fields


def invitation_after(fields, event, data):
    if event == "InvitationIssued" and "status" not in fields:
        return {"status": "open", **pick(data, "role", "expires_at", "address")}
    ends = {"InvitationAccepted": "accepted", "InvitationRevoked": "revoked"}
    if event in ends and fields.get("status") == "open":
        return {**fields, "status": ends[event]}
    return fields


def conversation_after(fields, event, data):
    if event == "ConversationStarted" and "status" not in fields:
        return {"status": "open", "document_ids": [], **pick(data, "title")}
    if fields.get("status") != "open":
        return fields
    if event == "ConversationRenamed":
        return {**fields, **pick(data, "title")}
    if event == "ConversationDocumentAdded":
        return {**fields, "document_ids": [*fields["document_ids"], data["document_id"]]}
    if event == "ConversationDeleted":
        return {**fields, "status": "deleted", "title": None}
    return fields


def packagelink_after(fields, event, data):
    if event == "PackageLinked":
        return {"status": "linked", **pick(data, "ecosystem", "name", "version")}
    if event == "PackageUnlinked" and fields.get("status") == "linked":
        return {**fields, "status": "unlinked"}
    return fields


def members_after(roles, event, data):
    """Fields of this kind are the roles by user."""
    user = data.get("user_id")
    if event == "MemberJoined" and user not in roles:
        return {**roles, user: data["role"]}
    if event == "MemberRoleChanged" and roles.get(user):
        return {**roles, user: data["role"]}
    return {**roles, user: None} if event == "MemberRemoved" and roles.get(user) else roles


KINDS = {
    "policy": policy_after,
    "source": source_after,
    "members": members_after,
    "tenant": tenant_after,
    "user": user_after,
    "apikey": apikey_after,
    "invitation": invitation_after,
    "conversation": conversation_after,
    "packagelink": packagelink_after,
}


class Fold:
    """Knows the fields of each stream whose events are all there."""

    def __init__(self):
        self.streams = {}

    def changes(self, record):
        """Returns None where they cannot be recomputed."""
        stream, data = record["stream"], record["data"]
        kind = stream.partition("-")[0]
        if kind not in KINDS:
            return []
        first = dict(DEFAULT_POLICY) if kind == "policy" else {}
        next_revision, before = self.streams.pop(stream, (0, first))
        if record["revision"] == 0:
            next_revision, before = 0, first
        if next_revision != record["revision"]:
            return None
        try:
            after = KINDS[kind](before, record["type"], data)
        except (KeyError, TypeError, AttributeError):
            return None
        self.streams[stream] = (next_revision + 1, after)
        if kind == "members":
            user = data.get("user_id")
            before, after = {"role": before.get(user)}, {"role": after.get(user)}
        names = sorted({*before, *after}, key=lambda name: name.encode("utf-16-be"))
        differ = [n for n in names if canonical(before.get(n)) != canonical(after.get(n))]
        return [
            {"field": n, "before": shown(n, before.get(n)), "after": shown(n, after.get(n))}
            for n in differ[:64]
        ]


def shown(name, value):
    if name in SEALED:
        return None if value is None else "[sealed]"
    return bounded(value) if isinstance(value, (str, list, dict)) else value


# --- The export ---

MANIFEST = {"format", "tenant_id", "filters", "omit", "records", "size", "root"}
MANIFEST |= {"content_sha256", "checkpoint", "consistency"}


class Verifier:
    def __init__(self, actions, keys, checkpoints):
        self.actions, self.keys, self.kept = actions, keys, checkpoints
        self.tree, self.fold, self.content = Tree(), Fold(), hashlib.sha256()
        self.previous, self.records, self.unchecked = "0" * 64, 0, 0
        self.manifest = None

    def line(self, line):
        """Returns the leaves of the line."""
        if self.manifest is not None:
            raise Break("trailing", None)
        text = line[:-1].decode("utf-8", "replace")
        if text.startswith('{"manifest"'):
            self.end(text)
            return []
        self.content.update(line)
        try:
            value = parse_json(text)
        except (ValueError, RecursionError):
            raise Break("line", self.tree.size) from None
        if is_record(value):
            self.record(value)
            return [value["hash"]]
        if not is_hash_line(value):
            raise Break("line", self.tree.size)
        if value["seq"] != self.tree.size:
            raise Break("seq", self.tree.size)
        for one in value["hashes"]:
            self.append(one)
        return value["hashes"]

    def record(self, record):
        seq = self.tree.size
        if record["seq"] != seq:
            raise Break("seq", seq)
        if record["prev_hash"] != self.previous:
            raise Break("prev_hash", seq)
        if leaf_hash(record) != record["hash"]:
            raise Break("hash", seq)
        action = self.actions.get(record["type"], UNKNOWN)
        for name in ("action", "category", "outcome"):
            if record[name] != action[name]:
                raise Break(name, seq)
        if "data" in record:
            targets = targets_of(record, action["targets"])
            if canonical(record["targets"]) != canonical(targets):
                raise Break("targets", seq)
            changes = self.fold.changes(record)
            if changes is None:
                self.unchecked += 1
            elif canonical(record["changes"]) != canonical(changes):
                raise Break("changes", seq)
        self.records += 1
        self.append(record["hash"])

    def append(self, leaf):
        self.tree.append(bytes.fromhex(leaf))
        self.previous = leaf
        for checkpoint in self.kept:
            if checkpoint.size == self.tree.size and checkpoint.root != self.tree.root():
                raise Break("checkpoint", self.tree.size - 1)

    def end(self, text):
        manifest = self.read_manifest(text)
        if manifest["records"] != self.records or manifest["size"] != self.tree.size:
            raise Break("manifest", None)
        if not manifest["filters"] and manifest["records"] < manifest["size"]:
            raise Break("manifest", None)
        if manifest["content_sha256"] != self.content.hexdigest():
            raise Break("content", None)
        if manifest["root"] != self.tree.root().hex():
            raise Break("root", None)
        if any(checkpoint.size > self.tree.size for checkpoint in self.kept):
            raise Break("checkpoint", self.tree.size)
        self.check_checkpoint(manifest)
        self.manifest = manifest

    def read_manifest(self, text):
        try:
            value = parse_json(text)
        except (ValueError, RecursionError):
            raise Break("manifest", None) from None
        manifest = value.get("manifest") if isinstance(value, dict) else None
        right = (
            isinstance(manifest, dict)
            and set(manifest) == MANIFEST
            and canonical({"manifest": manifest, "manifest_sha256": digest(manifest)}) == text
            and manifest["format"] == "footnote-audit-export/1"
            and isinstance(manifest["tenant_id"], str)
            and isinstance(manifest["filters"], dict)
            and isinstance(manifest["omit"], list)
            and all(name in ("context", "data") for name in manifest["omit"])
            and is_count(manifest["records"])
            and is_count(manifest["size"])
            and is_hash(manifest["root"])
            and is_hash(manifest["content_sha256"])
            and isinstance(manifest["checkpoint"], (str, type(None)))
            and isinstance(manifest["consistency"], list)
            and all(map(is_hash, manifest["consistency"]))
        )
        if not right:
            raise Break("manifest", None)
        return manifest

    def check_checkpoint(self, manifest):
        proof = [bytes.fromhex(one) for one in manifest["consistency"]]
        if manifest["checkpoint"] is None:
            if proof:
                raise Break("checkpoint", None)
            return
        try:
            checkpoint = Checkpoint(manifest["checkpoint"])
        except ValueError:
            raise Break("checkpoint", None) from None
        if self.keys and not checkpoint.is_signed(self.keys):
            raise Break("signature", None)
        size, root = self.tree.size, self.tree.root()
        if not is_consistent(checkpoint.size, size, checkpoint.root, root, proof):
            raise Break("checkpoint", None)


def verify(path, actions, keys, checkpoints):
    """Returns what is printed of an export, and whether it is valid."""
    verifier = Verifier(actions, keys, checkpoints)
    number_of_lines = 0
    try:
        with open(path, "rb") as file:
            for line in file:
                number_of_lines += 1
                if not line.endswith(b"\n"):
                    seq = verifier.tree.size
                    kind = "truncated" if verifier.manifest is None else "trailing"
                    raise Break(kind, seq if verifier.manifest is None else None)
                verifier.line(line)
        if verifier.manifest is None:
            number_of_lines += 1
            raise Break("truncated", verifier.tree.size)
    except Break as found:
        seq = "-" if found.seq is None else found.seq
        return f"{path}: broken kind={found.kind} seq={seq} line={number_of_lines}", False
    root = verifier.tree.root().hex()
    counts = f"records={verifier.records} size={verifier.tree.size}"
    return f"{path}: valid {counts} root={root} unchecked_changes={verifier.unchecked}", True


class Join:
    """Verifies each part by itself, and the leaves of all parts as one export."""

    def __init__(self, *terms):
        self.terms, self.whole, self.number = terms, Verifier(*terms), 0
        self.doubts = []

    def read(self, path, is_last):
        self.number += 1
        self.lines, self.start, self.lead = 0, self.whole.tree.size, Tree()
        self.part, self.is_continued, self.doubt = Verifier(*self.terms), False, None
        with open(path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    if is_last:
                        self.lines += 1
                        is_whole = self.part.manifest is not None
                        kind, seq = ("trailing", None) if is_whole else ("truncated", self.size())
                        raise Break(kind, seq)
                    break
                self.lines += 1
                self.line(line)
        if is_last:
            self.complete()
        elif self.doubt:
            self.doubts.append(self.doubt)

    def size(self):
        return self.part.tree.size

    def line(self, line):
        first, counted = self.size(), self.part.records
        leaves = self.part.line(line)
        if not leaves:
            return
        end = first + len(leaves)
        if self.part.records > counted:
            self.is_continued = self.is_continued or first <= self.start
        elif self.number > 1 and end > self.start and not self.is_continued:
            self.doubt = self.doubt or (self.number, self.start, self.lines)
        known = min(max(self.start - first, 0), len(leaves))
        for leaf in leaves[:known]:
            self.lead.append(bytes.fromhex(leaf))
        if known > 0 and first + known == self.start:
            if self.lead.root() != self.whole.tree.root():
                raise Break("root", self.start - 1)
        if known == 0:
            self.whole.line(line)
        else:
            for leaf in leaves[known:]:
                self.whole.append(leaf)

    def complete(self):
        """Compares the whole with the manifest of the last part."""
        if self.part.manifest is None:
            self.lines += 1
            raise Break("truncated", self.size())
        filters = self.part.manifest["filters"]
        is_filtered = bool(set(filters) - {"after"})
        if self.number > 1 and int(filters.get("after", -1)) >= self.start:
            raise Break("seq", self.start)
        tree = self.whole.tree
        if tree.size != self.size() or tree.root() != self.part.tree.root():
            raise Break("root", None)
        is_complete = not is_filtered and (self.number > 1 or "after" not in filters)
        if is_complete and self.whole.records != self.size():
            raise Break("manifest", None)
        if is_filtered and self.doubts:
            # A gap before this part looks like records that the filter left out.
            self.number, seq, self.lines = self.doubts[0]
            raise Break("seq", seq)


def verify_parts(paths, *terms):
    """Returns what is printed of an export in parts, and whether it is valid."""
    join = Join(*terms)
    try:
        for number, path in enumerate(paths, 1):
            join.read(path, number == len(paths))
    except Break as found:
        seq = "-" if found.seq is None else found.seq
        name = paths[join.number - 1]
        return f"{name}: broken kind={found.kind} seq={seq} line={join.lines}", False
    whole = join.whole
    counts = f"records={whole.records} size={whole.tree.size}"
    root = whole.tree.root().hex()
    return f"{paths[-1]}: valid {counts} root={root} unchecked_changes={whole.unchecked}", True


def main():
    parser = argparse.ArgumentParser(description="Verifies exports of the audit trail.")
    parser.add_argument("--checkpoint", action="append", default=[], help="a checkpoint you kept")
    parser.add_argument("--key", action="append", default=[], help="a key of the log")
    parser.add_argument("--actions", default=ACTIONS, help="audit-actions.json")
    parser.add_argument("--parts", action="store_true", help="the files are parts of one export")
    parser.add_argument("export", nargs="+")
    options = parser.parse_args()
    actions = json.loads(Path(options.actions).read_text(encoding="utf-8"))
    keys = [parse_key(text) for text in options.key]
    notes = [Path(path).read_text(encoding="utf-8") for path in options.checkpoint]
    try:
        kept = [Checkpoint(note) for note in notes]
    except ValueError as error:
        raise SystemExit(f"--checkpoint must be a signed checkpoint ({error})") from None
    if keys and not all(checkpoint.is_signed(keys) for checkpoint in kept):
        raise SystemExit("--checkpoint must be signed by one of the keys")
    if options.parts:
        results = [verify_parts(options.export, actions, keys, kept)]
    else:
        results = [verify(path, actions, keys, kept) for path in options.export]
    print("\n".join(text for text, _ in results))
    sys.exit(0 if all(valid for _, valid in results) else 1)


if __name__ == "__main__":
    main()

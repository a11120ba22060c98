#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# vqsim params: the four forms agree with each other; vqsim show: what it prints is a scenario.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

"$VQSIM" params >"$out/table" || fail "params: exit code"
"$VQSIM" params --json >"$out/json" || fail "params --json: exit code"
"$VQSIM" params --schema >"$out/schema" || fail "params --schema: exit code"
"$VQSIM" params --markdown >"$out/page" || fail "params --markdown: exit code"
python3 - "$out" <<'PY' || fail "the forms of params do not agree"
import json, sys
out = sys.argv[1]
rows = json.load(open(out + "/json"))["params"]
schema = json.load(open(out + "/schema"))
table = open(out + "/table").read().split("\n")
page = open(out + "/page").read()
assert len(rows) > 80, len(rows)
assert [r["path"] for r in rows] == sorted(r["path"] for r in rows)
for row in rows:
    node = schema
    for key in row["path"].split("."):
        assert node.get("additionalProperties") is False, row["path"]
        node = node["properties"][key]
    assert node["description"] == row["help"], row["path"]
    assert row["path"] in table, row["path"]
    assert "| `%s` |" % row["path"] in page, row["path"]
    if "choices" in row:
        assert node["enum"] == row["choices"], row["path"]
for key in ("include", "cases", "variants", "sweep", "sweep_zip", "expect"):
    assert key in schema["properties"], key
PY
[ "$("$VQSIM" params 'costs.slab.*' --json | grep -c '"path"')" -ge 10 ] || fail "params with a pattern"
"$VQSIM" params virtio_desc_cache_trh >"$out/stdout" 2>"$out/stderr"
[ $? = 3 ] || fail "params without a match: exit code"
[ -s "$out/stdout" ] && fail "params without a match: something on stdout"
grep -q 'did you mean virtio_desc_cache_thr?' "$out/stderr" || fail "params without a match: no hint"
"$VQSIM" params a b 2>/dev/null
[ $? = 2 ] || fail "params with two patterns: exit code"

cd "$SOURCE_DIR/tests/rejects/scenario" || exit 1
for options in "" "--origin" "--variant four --point 3" "--origin --set seed=7 --vary jitter=0,0.1"; do
    # shellcheck disable=SC2086
    "$VQSIM" show ok_cases_variants.json $options >"$out/shown.json" || fail "show $options: exit code"
    # Parts that are not in use are shown, too, and said to have no effect when they are read again.
    "$VQSIM" check "$out/shown.json" 2>"$out/stderr" || fail "show $options: not accepted again"
    grep -v 'has no effect' "$out/stderr" && fail "show $options: other findings"
    # What is shown is its own effective configuration.
    "$VQSIM" show "$out/shown.json" >"$out/again.json" 2>/dev/null
    grep -v '^ *"_' "$out/shown.json" | cmp -s - "$out/again.json" || fail "show $options: not a fixed point"
done
"$VQSIM" show ok_cases_variants.json --origin --set seed=7 --variant four >"$out/shown.json"
grep -A1 '"_seed": "command line"' "$out/shown.json" | grep -q '"seed": 7' || fail "show --origin: --set"
grep -q '"_virtio_desc_cache_thr": "ok_cases_variants.json:3:109"' "$out/shown.json" ||
    fail "show --origin: variant"
for options in "--variant fore" "--point 8" "--point -1" "--point x"; do
    # shellcheck disable=SC2086
    "$VQSIM" show ok_cases_variants.json $options >"$out/stdout" 2>"$out/stderr"
    [ $? = 3 ] || fail "show $options: exit code"
    [ -s "$out/stdout" ] && fail "show $options: something on stdout"
done
"$VQSIM" show 2>/dev/null
[ $? = 2 ] || fail "show without a file: exit code"

exit "$failed"

#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# vqsim check over the lists of tests/rejects: exit code, nothing on stdout, the place and the text on
# stderr; and the forms of its answer.
set -u
cd "$SOURCE_DIR/tests/rejects" || exit 1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

judge() { # folder verdict file place text
    local code want=3
    "$VQSIM" check "$1/$3" >"$out/stdout" 2>"$out/stderr"
    code=$?
    case $2 in accept | warn) want=0 ;; esac
    [ "$code" = "$want" ] || fail "$3: exit $code, expected $want"
    [ -s "$out/stdout" ] && fail "$3: something on stdout"
    if [ "$2" = accept ]; then
        [ -s "$out/stderr" ] && fail "$3: something on stderr"
        return
    fi
    [ "$5" = - ] || grep -qF -- "$5" "$out/stderr" || fail "$3: no \"$5\""
    [ "$4" = - ] || grep -q "\.json:$4: " "$out/stderr" || fail "$3: nothing at $4"
    if LC_ALL=C grep -q $'[\x01-\x09\x0b-\x1f\x7f]' "$out/stderr"; then
        fail "$3: a control character on stderr"
    fi
    iconv -f UTF-8 -t UTF-8 "$out/stderr" >/dev/null 2>&1 || fail "$3: stderr is not UTF-8"
    if [ "$2" = warn ]; then
        "$VQSIM" check --strict "$1/$3" >/dev/null 2>"$out/stderr"
        [ $? = 3 ] || fail "$3: --strict does not refuse"
        grep -q " error: " "$out/stderr" || fail "$3: --strict says no error"
    fi
}

count=0
for folder in json scenario; do
    while read -r verdict file place text; do
        case $verdict in '#'* | '') continue ;; esac
        judge "$folder" "$verdict" "$file" "$place" "$text"
        count=$((count + 1))
    done <"$folder.expect"
done
[ "$count" -ge 180 ] || fail "only $count files"

# Several files, one answer; the JSON form is always one document.
"$VQSIM" check json/ok_base.json json/bad_seed_null.json 2>/dev/null
[ $? = 3 ] || fail "two files, one bad: not refused"
"$VQSIM" check --json json/bad_seed_null.json json/warn_sweep_dup_values.json >"$out/json" 2>"$out/stderr"
[ $? = 3 ] || fail "--json: exit code"
[ -s "$out/stderr" ] && fail "--json: something on stderr"
python3 - "$out/json" <<'PY' || fail "--json: not as documented"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["ok"] is False and len(d["problems"]) == 2, d
p = d["problems"][0]
assert (p["severity"], p["line"], p["column"], p["path"]) == ("error", 4, 11, "seed"), p
assert p["file"].endswith("bad_seed_null.json") and p["text"]
assert d["problems"][1]["severity"] == "warning"
PY
"$VQSIM" check --json json/ok_base.json | python3 -c '
import json, sys
assert json.load(sys.stdin) == {"ok": True, "problems": []}' || fail "--json: a clean file"
"$VQSIM" check --json no_such_file.json | python3 -c '
import json, sys
p = json.load(sys.stdin)["problems"][0]
assert p["line"] is None and p["file"] == "no_such_file.json" and "No such file" in p["text"], p' ||
    fail "--json: a missing file"

# --set reaches the same rules, and says so without a file.
"$VQSIM" check json/ok_base.json --set guest.tx_ring.size=65536 2>"$out/stderr"
[ $? = 3 ] || fail "--set: not refused"
grep -q '^vqsim: error: guest.tx_ring.size: 65536 is larger than 32768' "$out/stderr" || fail "--set: message"
"$VQSIM" check json/ok_base.json --set workload.flow=1 2>"$out/stderr"
[ $? = 3 ] || fail "--set of a part that is not there: not refused"
grep -q 'workload.flow: not modelled yet' "$out/stderr" || fail "--set: not modelled yet"

# Wrong usage is 2.
"$VQSIM" check 2>/dev/null
[ $? = 2 ] || fail "no file: exit code"
"$VQSIM" check --no-such-option json/ok_base.json 2>/dev/null
[ $? = 2 ] || fail "unknown option: exit code"

exit "$failed"

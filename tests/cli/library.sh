# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts of this folder share: a folder of their own, and checks that say what failed.
set -u
here=$SOURCE_DIR/tests/cli
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# expect_code CODE COMMAND...: runs it; stdout and stderr are in ./out and ./err.
expect_code() {
  local want=$1 got
  shift
  "$@" >out 2>err
  got=$?
  [ "$got" -eq "$want" ] || fail "exit $got, not $want: $* ($(head -c 300 err))"
}

# expect_err TEXT, expect_out TEXT: of the last command.
expect_err() { grep -qF -- "$1" err || fail "no '$1' on stderr: $(head -c 300 err)"; }
expect_out() { grep -qF -- "$1" out || fail "no '$1' on stdout: $(head -c 300 out)"; }
expect_no_output() { [ ! -s out ] || fail "stdout is not empty: $(head -c 100 out)"; }

# expect_json FILTER: the last stdout is one JSON document for which the filter is true.
expect_json() {
  jq -e -s 'length == 1' out >/dev/null 2>jq.err || fail "not one JSON document: $(cat jq.err)"
  jq -e "$1" out >/dev/null 2>jq.err || fail "not true: $1 $(cat jq.err)"
}

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

finish() {
  [ $failures -eq 0 ] && echo "passed" && exit 0
  echo "$failures checks failed" >&2
  exit 1
}

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# vqsim report as a user meets it: from a sweep to a page, and its exit codes.
set -u
failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/vqsim report XXXXXX")
trap 'rm -rf -- "$work"' EXIT
cd "$work"

# expect CODE PATTERN COMMAND...: the exit code, and a pattern in what it says
expect() {
    local code=$1 pattern=$2 got said
    shift 2
    said=$("$@" 2>&1)
    got=$?
    if [ "$got" != "$code" ] || ! grep -q -e "$pattern" <<<"$said"; then
        echo "FAILED: $* left with $got instead of $code, or did not say \"$pattern\": $said"
        failed=1
    fi
}

cat >small.json <<'JSON'
{
  "version": 1, "name": "small <b>&", "question": "Does a cache of thr entries pay?",
  "kernel": "5.15", "seed": 7, "replications": 2, "duration": "1ms", "warmup": "200us",
  "guest": {"path": "xsk"},
  "host": {"backend": {"type": "polling"}},
  "workload": {"type": "saturating", "size": 64},
  "sweep": {"guest.virtio_desc_cache_thr": [0, 2, 4]}
}
JSON
"$VQSIM" sweep small.json --store "my sweep.db" >sweep.out 2>&1 || { cat sweep.out; exit 1; }

expect 0 'my sweep-report/index.html: [0-9]* plots' env -u DISPLAY "$VQSIM" report "my sweep.db"
page="my sweep-report/index.html"
[ -s "$page" ] || { echo "FAILED: no page"; exit 1; }
grep -q '<h1>Does a cache of thr entries pay?</h1>' "$page" || { echo "FAILED: no question"; failed=1; }
grep -q 'small &lt;b&gt;&amp;' "$page" || { echo "FAILED: name not escaped"; failed=1; }
grep -q 'saves guest CPU time per packet' "$page" || { echo "FAILED: no answer"; failed=1; }
grep -q 'The path of a packet' "$page" || { echo "FAILED: no path"; failed=1; }
[ "$(grep -c '<svg' "$page")" -ge 8 ] || { echo "FAILED: few pictures"; failed=1; }
# What an answer rests on is run beside the points and is none of them.
"$VQSIM" list "my sweep.db" | grep -q ', probes' || { echo "FAILED: no probes in the store"; failed=1; }
grep -q 'left out of the plots' "$page" && { echo "FAILED: probes count as points"; failed=1; }
empty=$(find . -empty -type f)
[ -z "$empty" ] || { echo "FAILED: empty files: $empty"; failed=1; }

# Two files in a folder are a plot; a broken one beside it costs only itself.
mkdir mine
printf -- '-- title: Mine\nSELECT replication AS x, packets AS y FROM run ORDER BY 1' >mine/one.sql
printf "load 'style.gp'\nplot data using 'x':'y' with points notitle\n" >mine/one.gp
expect 0 'a b/index.html: 1 plots' "$VQSIM" report "my sweep.db" -o "a b" --plots mine
echo 'SELECT nonsense' >mine/two.sql
cp mine/one.gp mine/two.gp
expect 3 'plot two: two.sql: .*nonsense' "$VQSIM" report "my sweep.db" -o "a b" --plots mine
grep -q '<h3>Mine</h3>' "a b/index.html" || { echo "FAILED: the good plot is gone"; failed=1; }

# Without gnuplot: data and scripts are kept.
mkdir bin
expect 4 'gnuplot not found' env PATH="$work/bin" "$VQSIM" report "my sweep.db" -o none
[ -s none/gain_ns_by_thr.dat ] && [ -s none/gain_ns_by_thr.gp ] || { echo "FAILED: no data kept"; failed=1; }
[ ! -e none/index.html ] || { echo "FAILED: a page without pictures"; failed=1; }
# One that fails, and one that says nothing and draws nothing.
printf '#!/bin/sh\nexit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
expect 4 'no terminal svg' env PATH="$work/bin" "$VQSIM" report "my sweep.db" -o none
printf '#!/bin/sh\nexit 0\n' >bin/gnuplot
expect 3 'nothing to plot.*no whole picture' env PATH="$work/bin" "$VQSIM" report "my sweep.db" -o none

mkdir nothing
expect 3 'nothing to plot' "$VQSIM" report "my sweep.db" -o never --plots nothing
[ ! -e never ] || { echo "FAILED: a folder for nothing"; failed=1; }
expect 3 'no such folder' "$VQSIM" report "my sweep.db" --plots missing
expect 3 'error' "$VQSIM" report missing.db
expect 3 'error' "$VQSIM" report small.json
expect 4 'small.json: .*give -o the name of a folder' "$VQSIM" report "my sweep.db" -o small.json
expect 2 'one store is needed' "$VQSIM" report
expect 2 'option' "$VQSIM" report --frobnicate x.db
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Stores that are refused, full disks, and the commands that read a store.
. "$SOURCE_DIR/tests/cli/library.sh"
sweep() { "$VQSIM" sweep "$here/tiny.json" --no-probes "$@"; }

# Refused files: exit 3 before any run, the file as it was, no neighbour.
for file in newer_schema foreign_app text_file truncated corrupt_page readonly; do
  cp "$SOURCE_DIR/tests/rejects/db/$file.db" f.db
  [ $file = readonly ] && chmod 444 f.db
  before=$(sha256sum <f.db)
  for command in "sweep $here/tiny.json --store" "run $here/tiny.json --store" list export "rerun --all"; do
    expect_code 3 "$VQSIM" $command f.db
    expect_err "f.db: error: "
    expect_no_output
    [ "$before" = "$(sha256sum <f.db)" ] || fail "$command changed $file"
  done
  ls f.db-* 2>/dev/null && fail "$file got files beside it"
  rm -f f.db
done
expect_code 3 sweep --store "$work"
expect_err "is a directory"
expect_code 3 sweep --store no/such/folder.db
expect_err "cannot be created"
cp "$SOURCE_DIR/tests/rejects/db/ok_empty.db" e.db
expect_code 0 sweep --store e.db

# A store that may only be read.
mkdir closed
cp e.db closed/
chmod 444 closed/e.db
expect_code 3 sweep --store closed/e.db
expect_err "not writable"
expect_code 0 "$VQSIM" list closed/e.db
expect_code 0 "$VQSIM" export closed/e.db
[ "$(ls closed)" = e.db ] || fail "reading left files"

# No room: exit 4, the folder is named, what was finished stays and the sweep goes on later.
"$VQSIM" export e.db >whole.csv
(
  ulimit -f 700
  sweep --store full.db
) >out 2>err
[ $? -eq 4 ] || fail "full disk: exit status"
expect_err "finished runs are kept"
expect_no_output
kept=$(sqlite3 full.db 'SELECT count(*) FROM run')
[ "$kept" -gt 0 ] && [ "$kept" -lt 60 ] || fail "$kept runs were kept"
expect_code 0 sweep --store full.db
expect_err "reused $kept"
"$VQSIM" export full.db >full.csv
same whole.csv full.csv
"$VQSIM" export e.db >/dev/full 2>err
[ $? -eq 4 ] || fail "stdout that is full: exit status"

# Another revision of the models.
cp e.db old.db
sqlite3 old.db 'UPDATE result SET revision = 99999'
expect_code 3 sweep --store old.db
expect_err "60 runs of model revision 99999"
expect_code 0 sweep --store old.db --force

# list
expect_code 0 "$VQSIM" list e.db
expect_out "tiny"
expect_code 0 "$VQSIM" list e.db --json
expect_json '.scenarios[0] | .scenario == "tiny" and .runs == 60 and .configs == 20'
expect_code 0 "$VQSIM" list e.db --runs --json
expect_json '(.runs | length) == 60 and .runs[0].replication == 0'
expect_code 0 "$VQSIM" list e.db --runs
[ "$(wc -l <out)" -eq 61 ] || fail "list --runs: $(wc -l <out) lines"

# rerun: identical, then different when the store says otherwise.
expect_code 0 "$VQSIM" rerun e.db 7
expect_out "run 7 is identical: fingerprint "
expect_code 0 "$VQSIM" rerun e.db --all
[ "$(grep -c identical out)" -eq 60 ] || fail "rerun --all"
expect_err "vqsim: 60 runs again: 60 identical, 0 differ"
sqlite3 e.db "UPDATE result SET fingerprint = '0123456789abcdef' WHERE id = 7; UPDATE metric SET value = 1 WHERE run_id = 7 AND name = 'tx_pps'"
expect_code 1 "$VQSIM" rerun e.db 7
expect_out "run 7 differs: fingerprint 0123456789abcdef stored, "
expect_out "tx_pps: 1 stored, "
expect_code 1 "$VQSIM" rerun e.db --all
expect_err "vqsim: 60 runs again: 59 identical, 1 differ"
expect_code 3 "$VQSIM" rerun e.db 9999
expect_code 2 "$VQSIM" rerun e.db
expect_code 2 "$VQSIM" rerun e.db x
expect_code 2 "$VQSIM" rerun e.db 7 --all
expect_code 3 "$VQSIM" export none.db
expect_err "none.db: error: "
finish

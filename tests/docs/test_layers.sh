#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Includes name their folder and go down the layers only: engine <- models <- study <- cli; third-party headers
# stay in their files; every source has its licence line; no absolute path of a machine.
set -uo pipefail
cd "$SOURCE_DIR"
failed=0
fail() { echo "$*"; failed=1; }

forbid() { # FOLDER PATTERN
  grep -rnE "^#include \"$2" "$1" --include='*.[ch]' && fail "$1 includes a higher layer"
}
forbid sim/engine '(models|sim/study|sim/cli)/'
forbid models '(sim/study|sim/cli)/'
forbid sim/study 'sim/cli/'
grep -rnE '^#include "[^/"]+"' sim models tests --include='*.[ch]' && fail "a quoted include without its folder"

only() { # HEADER FILE_PATTERN
  grep -rlE "^#include <$1" sim models --include='*.[ch]' | grep -vE "$2" && fail "<$1> outside its files"
}
only 'sqlite3\.h' '^sim/study/store'
only '(cjson/)?cJSON\.h' '^sim/study/(document|json_scan|value|layer|axis|scenario)[a-z_]*\.[ch]'
only 'gsl/' '^sim/engine/(stream|interval|law|batch_means)\.[ch]|^sim/study/(store_function|fit_[a-z_]+)\.c'
only 'pthread\.h' '^sim/study/experiment'
only 'pcap' '^sim/study/trace_pcap[a-z_]*\.c'
only 'zlib\.h' '^sim/study/trace_input\.c'
only 'sha2\.h' '^sim/study/sha256'

for file in $(git ls-files 2>/dev/null '*.c' '*.h' '*.sh' | grep -v '^tests/models/vectors/'); do
  head -3 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || fail "$file: no licence line"
done
git ls-files 2>/dev/null | grep -v '\.csv$' | xargs grep -nE '/(work|home|root|tmp/wt)/' -- 2>/dev/null |
  grep -v 'tests/docs/test_layers.sh' && fail "an absolute path of a machine"
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual page has every command of `vqsim help`, and each with exactly the options that
# `vqsim help COMMAND` lists: what is missing on either side is named.
set -euo pipefail
page=$SOURCE_DIR/docs/vqsim.1

commands() { "$VQSIM" help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | sort -u; }
pages() { sed -n '/^\.Sh COMMANDS/,/^\.Sh OPTIONS/s/^\.It Cm \([a-z]*\).*/\1/p' "$page" | sort -u; }

# Options begin a line of the help and follow Fl in the page; of an option with two names (--a, -b)
# each counts.
helped() { "$VQSIM" help "$1" | sed -n 's/^  \(-[^ =]*\).*/\1/p' | sort -u; }
paged() {
  sed -n '/^\.Sh COMMANDS/,/^\.Sh OPTIONS/p' "$page" | grep "^\.It Cm $1\( \|\$\)" |
    grep -o 'Fl [^ ]*' | sed 's/^Fl /-/' | sort -u
}

differ=0
compare() { # NAME: of what, the two lists as files 3 and 4
  diff -U0 --label "$1 of the program" --label "$1 of docs/vqsim.1" "$2" "$3" || differ=1
}
compare commands <(commands) <(pages)
for command in $(commands); do
  compare "options of $command" <(helped "$command") <(paged "$command" || true)
done
[ -n "$(helped run)" ] && [ -n "$(paged run)" ] # neither list is empty by a mistake of this test
exit $differ

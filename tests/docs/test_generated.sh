#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages that are generated equal what the program prints now:
#   vqsim params --markdown >docs/parameters.md; vqsim params --metrics >docs/metrics.md
set -euo pipefail
diff "$SOURCE_DIR/docs/parameters.md" <("$VQSIM" params --markdown)
diff "$SOURCE_DIR/docs/metrics.md" <("$VQSIM" params --metrics)
# No page holds both sides of a merge.
! grep -nE '^(<{7}|>{7}) ' "$SOURCE_DIR"/*.md "$SOURCE_DIR"/docs/*

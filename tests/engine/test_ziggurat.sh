#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The checked-in tables are what their generator prints.
set -euo pipefail
"$BUILD_DIR/tests/ziggurat_tables" | cmp - "$SOURCE_DIR/sim/engine/law_ziggurat.inc"

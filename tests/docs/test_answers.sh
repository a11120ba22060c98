#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Figures of docs/answers.md and docs/findings.md are those of the program: headline rows of each table and a figure or more of
# each finding, rerun; the ranges over the costs of the six senders and of one machine. Not held: machines beside two, their ranges, and
# what takes longer than seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$SOURCE_DIR/tests/docs/figures.py" "$VQSIM" "$SOURCE_DIR" "$work"

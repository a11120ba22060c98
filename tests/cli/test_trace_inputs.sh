#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every capture of tests/rejects is read, warned of or refused as its list says: exit code, place, text, packets,
# bytes and gaps. Compressed by gzip it is the same.
. "$SOURCE_DIR/tests/cli/library.sh"
rejects=$SOURCE_DIR/tests/rejects

picoseconds() { # 10us,2us -> 10000000,2000000
  sed -E 's/([0-9]+)us/\1000000/g; s/([0-9]+)ns/\1000/g; s/([0-9]+)ps/\1/g' <<<"$1"
}

gaps() { # of the CSV on stdin
  awk -F, 'NR == 1 { next }
    { split($1, part, "."); s = part[1]; p = part[2]
      if (n++) printf("%s%.0f", (n > 2 ? "," : ""), (s - last_s) * 1e12 + (p - last_p))
      last_s = s; last_p = p }'
}

# One file against its line of the list.
expect_capture() { # NAME_IN_MESSAGES VERDICT FILE PLACE PACKETS BYTES GAPS TEXT
  local verdict=$2 file=$3 place=$4 packets=$5 bytes=$6 gaps=$7 text=$8
  if [ "$verdict" = reject ]; then
    expect_code 3 "$VQSIM" trace info "$file" --json
    expect_no_output
    expect_code 3 "$VQSIM" trace convert "$file"
    expect_no_output
    severity=error
  else
    expect_code 0 "$VQSIM" trace info "$file" --json
    expect_json ".packets == $packets and .bytes == $bytes"
    severity=warning
  fi
  if [ "$verdict" = accept ]; then
    [ ! -s err ] || fail "$1: $(head -c 200 err)"
  else
    [ "$place" = - ] && place="" || place=":$place"
    grep -qF -- "$file$place: $severity: " err || fail "$1: no '$file$place: $severity: ': $(head -c 200 err)"
    expect_err "$text"
    LC_ALL=C grep -q '[^ -~]' <(tr -d '\n' <err | sed 's/…//g') && fail "$1: raw bytes in a message"
  fi
  if [ "$verdict" = warn ]; then
    expect_code 3 "$VQSIM" trace info "$file" --json --strict
    expect_no_output
  fi
  if [ "$gaps" != - ]; then
    "$VQSIM" trace convert "$file" -o converted.csv 2>/dev/null
    [ "$(gaps <converted.csv)" = "$(picoseconds "$gaps")" ] || fail "$1: gaps $(gaps <converted.csv)"
  fi
}

walk() { # FOLDER
  local verdict file place packets bytes gaps text
  while read -r verdict file place packets bytes gaps text; do
    [ "$verdict" = "#" ] && continue
    [ -f "$rejects/$1/$file" ] || { fail "$1/$file is not there"; continue; }
    expect_capture "$1/$file" "$verdict" "$rejects/$1/$file" "$place" "$packets" "$bytes" "$gaps" "$text"
    if [ "$(stat -c %s "$rejects/$1/$file")" -gt 0 ]; then
      gzip -nc "$rejects/$1/$file" >"$file.gz"
      expect_capture "$file.gz" "$verdict" "$file.gz" "$place" "$packets" "$bytes" "$gaps" "$text"
    fi
    listed=$((listed + 1))
  done <"$rejects/$1.expect"
  [ "$listed" -eq "$(find "$rejects/$1" -type f | wc -l)" ] || fail "$1: a file is not in the list"
}

listed=0
walk pcap
listed=0
walk csv

# A line of a megabyte.
{ printf 'time,len\n0.0,'; head -c 1000000 /dev/zero | tr '\0' 9; printf '\n'; } >long.csv
expect_capture long.csv reject long.csv 2:1 - - - "line 2 is longer than 65536 bytes"

# A block of three megabytes that nobody knows is passed over; one whose end differs is not, nor one that is cut.
large_block() { # END_OF_LENGTH BYTES
  head -c 60 "$rejects/pcap/ng_named_pcap.pcap"
  printf '\xad\x0b\x00\x00\xcc\xc6\x2d\x00'
  head -c "$2" /dev/zero
  printf '%b' "\\x$1\\xc6\\x2d\\x00"
  tail -c 92 "$rejects/pcap/ng_named_pcap.pcap"
}
large_block cc 3000000 >large.pcapng
expect_capture large.pcapng accept large.pcapng - 1 60 - -
large_block cd 3000000 >large.pcapng
expect_capture large.pcapng reject large.pcapng - - - - "block at offset 60: lengths 3000012 and 3000013 differ"
large_block cc 2000000 >large.pcapng
expect_capture large.pcapng warn large.pcapng - 0 0 - "last block cut short: 2000104 of 3000012 bytes; used 0 packets"

# What is told besides.
expect_code 0 "$VQSIM" trace info "$rejects/pcap/snaplen96.pcap"
expect_out "4 packets truncated by snaplen 96"
expect_code 0 "$VQSIM" trace info "$rejects/pcap/snaplen64_origbig.pcap" --json
expect_json '.sg_histogram == {"4": 1} and .sg_source == "model"'
expect_code 0 "$VQSIM" trace info "$rejects/pcap/snaplen64_origbig.pcap" --json --frag-bytes 4096
expect_json '.sg_histogram == {"18": 1}'
expect_code 0 "$VQSIM" trace info "$rejects/pcap/ts_identical.pcap"
expect_out "n/a"
expect_code 0 "$VQSIM" trace info "$rejects/csv/ok_queue_dir.csv" --json
expect_json '.received == 1'
expect_code 3 "$VQSIM" trace info "$rejects/csv/ok_queue_dir.csv" --queues 1
expect_err "ok_queue_dir.csv:3:1: error: line 3: queue 3 of 1"
finish

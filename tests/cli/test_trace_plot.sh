#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# vqsim trace plot: pictures with their data and scripts; a plot added to the folder; what is left without gnuplot.
. "$SOURCE_DIR/tests/cli/library.sh"
traces=$SOURCE_DIR/tests/study/data/traces
pictures="dispersion entries gaps rate sizes"

expect_code 2 "$VQSIM" trace plot a
expect_err "plot needs a folder: -o DIR"
expect_code 2 "$VQSIM" trace plot a -o b --json
printf 'time,len\n0,66\n0,66\n' >instant.csv
expect_code 3 "$VQSIM" trace plot instant.csv -o none
expect_err "nothing to draw over time: all packets (2) have one time"
[ ! -e none ] || fail "a folder of nothing"
expect_code 4 "$VQSIM" trace plot "$traces/tcp_rx.pcap.gz" -o no/folder
expect_code 3 "$VQSIM" trace plot "$SOURCE_DIR/tests/rejects/pcap/caplen_huge.pcap" -o none
[ ! -e none ] || fail "a folder of what was refused"

# Every kind of capture, the shortest and one with silence included.
printf 'time,len\n0,66\n0.000001,1514\n' >two.csv
(echo time,len,sg; for i in $(seq 0 99); do echo "$((i * i)).5,$((60 + i * 600)),$((1 + i % 45))"; done) >long.csv
for file in two.csv long.csv "$traces"/{tcp_rx.pcap.gz,pktgen_b32.trace.gz,tcp_tx.perf-script.gz}; do
  name=$(basename "$file")
  expect_code 0 "$VQSIM" trace plot "$file" --size 60 -o "plots_$name"
  expect_out "plots_$name: 5 pictures: dispersion.svg entries.svg gaps.svg rate.svg sizes.svg"
  for picture in $pictures; do
    grep -q '</svg>' "plots_$name/$picture.svg" || fail "$name: $picture.svg is not whole"
    [ -s "plots_$name/$picture.dat" ] && [ -s "plots_$name/$picture.gp" ] || fail "$name: $picture has no data or script"
  done
  grep -q "$name" "plots_$name/rate.svg" || fail "$name: the picture does not name the capture"
done

# The data adds up: packets over time, shares of all.
packets=$("$VQSIM" trace info "$traces/tcp_rx.pcap.gz" --json 2>/dev/null | jq .packets)
awk -v packets="$packets" 'NR > 1 { n += $2 } END { exit n != packets }' plots_tcp_rx.pcap.gz/entries.dat || fail "entries.dat"
# Rates are over spans of one length; what is missing is the end of the last one.
awk -v packets="$packets" 'NR == 2 { span = 2 * $1 } NR > 1 { n += $2 * span } END { exit !(n <= packets && n > 0.98 * packets) }' \
  plots_tcp_rx.pcap.gz/rate.dat || fail "rate.dat"
[ "$(wc -l <plots_tcp_rx.pcap.gz/rate.dat)" -le 513 ] || fail "rate.dat grows"
for data in sizes gaps; do
  awk 'NR > 2 && $2 < last { exit 1 } { last = $2 } END { exit last != 100 }' "plots_tcp_rx.pcap.gz/$data.dat" || fail "$data.dat is no distribution"
done

# A script drawn again by hand gives the same picture.
(cd plots_tcp_rx.pcap.gz && gnuplot -e "out = 'again.svg'" gaps.gp) || fail "the script does not run alone"
same plots_tcp_rx.pcap.gz/gaps.svg plots_tcp_rx.pcap.gz/again.svg

# A plot is a file; one that is broken leaves the others their pictures.
mkdir data
cp -r "$SOURCE_DIR/plots" data/plots
echo "load 'style.gp'; plot 'sizes.dat' using 'bytes':'bytes_percent' with lines title capture" >data/plots/trace/mine.gp
VQSIM_DATA=data expect_code 0 "$VQSIM" trace plot two.csv -o mine
expect_out "6 pictures: dispersion.svg entries.svg gaps.svg mine.svg rate.svg sizes.svg"
echo 'plot nothing(x)' >data/plots/trace/mine.gp
rm -r mine
VQSIM_DATA=data expect_code 3 "$VQSIM" trace plot two.csv -o mine
expect_err 'mine.gp'
[ -e mine/sizes.svg ] && [ ! -e mine/mine.svg ] || fail "pictures beside a broken one"

# Without gnuplot: an error, and everything that it would need.
mkdir empty
PATH=$work/empty expect_code 4 "$VQSIM" trace plot two.csv -o bare 
expect_err "gnuplot not found: install the package gnuplot-nox (or gnuplot); the data and the scripts are in bare"
for picture in $pictures; do
  [ -s "bare/$picture.dat" ] && [ -s "bare/$picture.gp" ] && [ ! -e "bare/$picture.svg" ] || fail "without gnuplot: $picture"
done
[ -s bare/style.gp ] || fail "no style"
finish

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 128-bit whole numbers, for sums that 64 bits cannot hold: levels x picoseconds, sums of times,
 * products of two random words. They are an extension of both compilers; this file is the one place
 * that says so.
 */
#ifndef SIM_ENGINE_WIDE_H
#define SIM_ENGINE_WIDE_H

__extension__ typedef __int128 sim_wide;
__extension__ typedef unsigned __int128 sim_wide_unsigned;

#endif

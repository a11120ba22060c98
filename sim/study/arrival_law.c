/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/arrival_law.h"

#include <math.h>

/* Share of time in the state of the high rate. */
static double share_high(const struct arrival_law *law)
{
    const double both = law->leave_high + law->leave_low;

    return both > 0 ? law->leave_low / both : 1;
}

double arrival_law_mean_rate(const struct arrival_law *law)
{
    const double high = share_high(law);

    return high * law->high + (1 - high) * law->low;
}

/*
 * Right after an arrival the state is high with probability high x share / mean. From there the
 * time to the next arrival is that to the end of a chain of two states, left at rates fast and
 * slow: the roots of x^2 - trace x + product. The density at 0, the mean rate right after an
 * arrival, gives the share (Kuczura's p where low = 0).
 */
struct arrival_gaps arrival_law_gaps(const struct arrival_law *law)
{
    const double s1 = law->leave_high, s2 = law->leave_low;
    const double l1 = law->high, l2 = law->low;
    const double high = share_high(law);
    const double trace = l1 + l2 + s1 + s2;
    const double product = l1 * l2 + l1 * s2 + l2 * s1;
    const double apart = sqrt((s1 + l1 - s2 - l2) * (s1 + l1 - s2 - l2) + 4 * s1 * s2);
    const double fast = (trace + apart) / 2, slow = product / fast;
    const double at_arrival =
        (high * l1 * l1 + (1 - high) * l2 * l2) / (high * l1 + (1 - high) * l2);
    double share = fast > slow ? (at_arrival - slow) / (fast - slow) : 1;

    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return (struct arrival_gaps){share, fast, slow};
}

double arrival_gaps_tail(const struct arrival_gaps *gaps, double t)
{
    return gaps->share * exp(-gaps->fast * t) + (1 - gaps->share) * exp(-gaps->slow * t);
}

double arrival_law_dispersion(const struct arrival_law *law, double t)
{
    const double s1 = law->leave_high, s2 = law->leave_low, s = s1 + s2;
    const double apart = law->high - law->low;
    const double x = s * t;

    if (s <= 0) {
        return 1;
    }
    /* 1 - (1 - e^-x)/x; its series where that is a difference of equal numbers. */
    const double grown = x < 1e-5 ? x / 2 : 1 + expm1(-x) / x;

    return 1 + 2 * s1 * s2 * apart * apart / (s * s * (law->high * s2 + law->low * s1)) * grown;
}

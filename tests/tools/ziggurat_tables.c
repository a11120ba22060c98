/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints sim/engine/law_ziggurat.inc: the tables of both ziggurats, found in long double and
 * rounded once, so that no mathematical library enters the draws that a table decides.
 *
 * A decreasing density f with f(0) = 1 is covered by LAYERS strips of equal area v. Strip 0 is the
 * box below f(r) and the tail beyond r; strip i >= 1 is the box 0..x[i] times f(x[i])..f(x[i+1]).
 * r is right when the last strip ends at f = 1.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define LAYERS 256

struct law {
    const char *name;
    long double (*density)(long double x);
    long double (*inverse)(long double f);
    long double (*tail)(long double r); /* area beyond r */
};

static long double exponential_density(long double x)
{
    return expl(-x);
}

static long double exponential_inverse(long double f)
{
    return -logl(f);
}

static long double normal_density(long double x)
{
    return expl(-x * x / 2);
}

static long double normal_inverse(long double f)
{
    return sqrtl(-2 * logl(f));
}

static long double normal_tail(long double r)
{
    return sqrtl(acosl(-1.0L) / 2) * erfcl(r / sqrtl(2));
}

static const struct law laws[] = {
    {"exponential", exponential_density, exponential_inverse, exponential_density},
    {"normal", normal_density, normal_inverse, normal_tail},
};

/* Fills x[0..LAYERS] from r; returns by how much the last strip ends above 1 (below: negative). */
static long double fill(const struct law *law, long double r, long double *x)
{
    long double area = r * law->density(r) + law->tail(r);
    long double top = law->density(r);

    x[0] = area / top;
    x[1] = r;
    for (int i = 1; i < LAYERS; i++) {
        top += area / x[i];
        if (top >= 1 && i < LAYERS - 1) {
            return 1;
        }
        x[i + 1] = i == LAYERS - 1 ? 0 : law->inverse(top);
    }
    return top - 1;
}

static void solve(const struct law *law, long double *x)
{
    long double low = 1, high = 20;

    for (int i = 0; i < 200; i++) {
        long double middle = (low + high) / 2;

        if (fill(law, middle, x) > 0) {
            low = middle; /* strips too large: go out */
        } else {
            high = middle;
        }
    }
    fill(law, high, x);
}

static void print(const struct law *law, const long double *x)
{
    printf("\nstatic const struct ziggurat ziggurat_%s = {\n    .r = %a,\n    .inside = {",
           law->name, (double)x[1]);
    for (int i = 0; i < LAYERS; i++) {
        printf("%s%#llx,", i % 5 ? " " : "\n        ",
               (unsigned long long)floorl(x[i + 1] / x[i] * 0x1p53L));
    }
    printf("\n    },\n    .width = {");
    for (int i = 0; i < LAYERS; i++) {
        printf("%s%a,", i % 4 ? " " : "\n        ", (double)(x[i] * 0x1p-53L));
    }
    printf("\n    },\n    .density = {");
    for (int i = 0; i <= LAYERS; i++) {
        double f = i == 0 ? 0 : i == LAYERS ? 1 : (double)law->density(x[i]);

        printf("%s%a,", i % 4 ? " " : "\n        ", f);
    }
    printf("\n    },\n};\n");
}

/* A point of the normal law below these is decided and within the 3 that a jitter is held at, by a margin
 * that no rounding bridges. */
static void print_strips(const long double *x)
{
    printf("\n/* of law_strip[] */\n#define LAW_STRIPS");
    for (int i = 0; i < LAYERS; i++) {
        long double most = x[i + 1] < 3 ? x[i + 1] : 3 - 0x1p-48L;

        printf("%s{%#llx, %a},", i % 2 ? " " : " \\\n    ",
               (unsigned long long)floorl(most / x[i] * 0x1p53L), (double)(x[i] * 0x1p-53L));
    }
    printf("\n");
}

int main(void)
{
    printf("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
           "/* Printed by tests/tools/ziggurat_tables.c; included by law.c alone. */\n");
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        long double x[LAYERS + 1];

        solve(&laws[i], x);
        print(&laws[i], x);
        if (laws[i].density == normal_density) {
            print_strips(x);
        }
    }
    return 0;
}

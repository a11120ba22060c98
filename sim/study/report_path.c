/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/report_path.h"

#include <stdlib.h>
#include <string.h>

#include "sim/study/html.h"

#define STEP_SYMBOLS 5

struct step {
    const char *title;
    const char *symbols[STEP_SYMBOLS];
};

/* In the order a packet takes them: OUT steps on the way to the backend, then the way back. */
#define OUT 5
static const struct step steps[] = {
    {"stack", {"stack"}},
    {"driver",
     {"start_xmit", "virtnet_xsk_run", "virtnet_xsk_xmit", "xsk_tx_peek_desc", "sg_init_table"}},
    {"table", {"__kmalloc", "kmem_cache_alloc", "___slab_alloc", "desc_cache"}},
    {"add to the ring", {"virtqueue_add_outbuf", "virtqueue_add"}},
    {"kick", {"virtqueue_kick_prepare", "notify"}},
    {"interrupt, poll", {"vring_interrupt", "napi_poll", "virtqueue_enable_cb"}},
    {"used ring", {"virtqueue_get_buf_ctx"}},
    {"detach", {"detach_buf"}},
    {"table back", {"kfree", "kmem_cache_free", "__slab_free"}},
    {"reclaim", {"free_old_xmit"}},
};
#define STEPS (sizeof steps / sizeof steps[0])

struct path {
    char label[400];
    char thr[32];
    char sg[32]; /* entries per packet, where they are swept */
    double ns[STEPS][STEP_SYMBOLS];
    double other;
    char others[200]; /* names of symbols that are in no step */
    double sum;
};

/* The picture of each label, one after the other. */
struct pictures {
    FILE *page;
    struct path path;
    size_t count;
};

static void put_figure(struct pictures *pictures);

static bool take_symbol(void *context, int columns, const char *const *names,
                        const char *const *values)
{
    struct pictures *pictures = context;
    struct path *path = &pictures->path;
    double ns = values[3] ? strtod(values[3], NULL) : 0;

    (void)columns;
    (void)names;
    if (strcmp(path->label, values[0] ? values[0] : "") != 0) {
        put_figure(pictures);
        memset(path, 0, sizeof *path);
    }
    snprintf(path->label, sizeof path->label, "%s", values[0] ? values[0] : "");
    snprintf(path->thr, sizeof path->thr, "%s", values[1] ? values[1] : "");
    snprintf(path->sg, sizeof path->sg, "%s", values[4] ? values[4] : "");
    path->sum += ns;
    for (size_t i = 0; i < STEPS; i++) {
        for (size_t k = 0; k < STEP_SYMBOLS && steps[i].symbols[k]; k++) {
            if (strcmp(values[2], steps[i].symbols[k]) == 0) {
                path->ns[i][k] = ns;
                return true;
            }
        }
    }
    size_t used = strlen(path->others);
    path->other += ns;
    snprintf(path->others + used, sizeof path->others - used, "%s%s", used > 0 ? ", " : "",
             values[2]);
    return true;
}

/* One point of each label: threshold 0 and, where the entries per packet are swept, the least that
 * take a table. */
static const char select_first[] =
    ", ranked AS (SELECT config_id, label, thr, sg, place, sg IS NOT NULL AS swept,"
    " row_number() OVER (PARTITION BY label ORDER BY sg IS NOT NULL, thr IS NULL, thr <> 0, thr, "
    "sg < 2, sg,"
    " config_id) AS nth FROM point"
    " WHERE config_id IN (SELECT config_id FROM run r JOIN symbol y ON y.run_id = r.id)),"
    " first AS (SELECT config_id, label, thr, sg, row_number() OVER (ORDER BY swept, place, config_id)"
    " AS nth FROM ranked WHERE nth = 1)"
    " SELECT f.label, f.thr, y.name,"
    " sum(y.ns_per_packet) / (SELECT count(*) FROM run WHERE config_id = f.config_id), f.sg"
    " FROM first f JOIN run r ON r.config_id = f.config_id JOIN symbol y ON y.run_id = r.id"
    " WHERE f.nth <= 12 GROUP BY f.nth, y.name ORDER BY f.nth, y.name";

/* Geometry in pixels. */
#define WIDTH  980
#define BOX_W  146
#define BOX_H  96
#define GAP    24
#define TOP    34
#define BOTTOM 196

static void put_text(FILE *page, int x, int y, const char *class, const char *text)
{
    fprintf(page, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    html_text(page, text);
    fputs("</text>\n", page);
}

static void put_box(FILE *page, int x, int y, const struct step *step, const double *ns)
{
    double sum = 0;
    char text[120];
    int line = y + 54;

    for (size_t k = 0; k < STEP_SYMBOLS; k++) {
        sum += ns[k];
    }
    fprintf(page, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" class=\"%s\"/>\n", x,
            y, BOX_W, BOX_H, sum > 0 ? "box" : "box none");
    put_text(page, x + BOX_W / 2, y + 18, "t", step->title);
    snprintf(text, sizeof text, "%.1f ns", sum);
    put_text(page, x + BOX_W / 2, y + 37, "n", text);
    for (size_t k = 0; k < STEP_SYMBOLS && step->symbols[k]; k++) {
        if (ns[k] > 0 && strcmp(step->symbols[k], step->title) != 0) {
            snprintf(text, sizeof text, "%s %.1f", step->symbols[k], ns[k]);
            put_text(page, x + BOX_W / 2, line, "s", text);
            line += 10;
        }
    }
}

static void put_arrow(FILE *page, size_t nth, int x1, int y1, int x2, int y2)
{
    fprintf(page,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"a\" "
            "marker-end=\"url(#path-head-%zu)\"/>\n",
            x1, y1, x2, y2, nth);
}

/* The style once for all pictures; the arrow's head for each, since a picture may be folded away.
 */
static void put_style(FILE *page, size_t nth)
{
    if (nth == 1) {
        fputs("<style>.path text{font-family:sans-serif;text-anchor:middle;fill:#222}.path "
              ".t{font-size:13px;font-weight:bold}.path .n{font-size:15px;fill:#0072B2}.path "
              ".s{font-size:9.5px;fill:#444}.path .h{font-size:12px;fill:#555}.path "
              ".box{fill:#eef4fa;stroke:#0072B2}.path .none{fill:#f4f4f4;stroke:#bbb}.path "
              ".host{fill:#fdf1e7;stroke:#D55E00}.path .a{stroke:#444;stroke-width:1.4}</style>\n",
              page);
    }
    fprintf(page,
            "<defs><marker id=\"path-head-%zu\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
            "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" "
            "fill=\"#444\"/></marker></defs>\n",
            nth);
}

static int column_x(size_t column)
{
    return (int)column * (BOX_W + GAP) + 2;
}

static void put_picture(FILE *page, const struct path *path, size_t nth)
{
    int host_x = column_x(OUT), host_w = WIDTH - 2 - host_x;

    fprintf(page,
            "<svg class=\"path\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"The path of a packet with guest time by step\">\n",
            WIDTH, BOTTOM + BOX_H + 8);
    put_style(page, nth);
    put_text(page, column_x(2) + BOX_W / 2, 20, "h", "guest: out");
    put_text(page, column_x(2) + BOX_W / 2, BOTTOM - 14, "h", "guest: back");
    put_text(page, host_x + host_w / 2, 20, "h", "host");
    for (size_t i = 0; i < STEPS; i++) {
        bool out = i < OUT;
        /* The way back runs from right to left. */
        size_t column = out ? i : STEPS - 1 - i;
        int x = column_x(column), y = out ? TOP : BOTTOM, middle = y + BOX_H / 2;

        put_box(page, x, y, &steps[i], path->ns[i]);
        if (out) {
            put_arrow(page, nth, x + BOX_W + 1, middle, x + BOX_W + GAP - 1, middle);
        } else {
            put_arrow(page, nth, x + BOX_W + GAP - 1, middle, x + BOX_W + 1, middle);
        }
    }
    fprintf(page, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" class=\"host\"/>\n",
            host_x, TOP, host_w, BOTTOM + BOX_H - TOP);
    int middle = (TOP + BOTTOM + BOX_H) / 2;
    put_text(page, host_x + host_w / 2, middle - 14, "t", "backend");
    put_text(page, host_x + host_w / 2, middle + 4, "h", "its own CPU");
    put_text(page, host_x + host_w / 2, middle + 20, "h", "or device:");
    put_text(page, host_x + host_w / 2, middle + 36, "h", "no guest time");
    fputs("</svg>\n", page);
}

static void put_figure(struct pictures *pictures)
{
    const struct path *path = &pictures->path;
    FILE *page = pictures->page;

    if (path->sum <= 0) {
        return;
    }
    fputs(pictures->count == 0 ? "<h2>The path of a packet</h2>\n<details open>" : "<details>",
          page);
    pictures->count++;
    fputs("<summary>", page);
    html_text(page, path->label);
    if (path->sg[0] != '\0') {
        fprintf(page, ", entries: %s", path->sg);
    }
    fprintf(page, ": %.1f&nbsp;ns</summary>\n<figure>\n", path->sum);
    put_picture(page, path, pictures->count);
    fputs("<figcaption>Guest CPU time per packet by step for <b>", page);
    html_text(page, path->label);
    fputs("</b>", page);
    if (path->sg[0] != '\0') {
        fprintf(page, " with packets of %s %s", path->sg,
                strcmp(path->sg, "1") == 0 ? "entry" : "entries");
    }
    if (path->thr[0] != '\0') {
        fprintf(page, " at threshold %s", path->thr);
    }
    fprintf(page, ", mean over the replications; in all %.1f&nbsp;ns", path->sum);
    if (path->other > 0) {
        fprintf(page, ", of which %.1f&nbsp;ns in no step: ", path->other);
        html_text(page, path->others);
    }
    fputs(".</figcaption>\n</figure>\n</details>\n", page);
}

bool path_html(struct store *store, const char *with, FILE *page, struct error *error)
{
    struct pictures pictures = {.page = page};
    char *sql = NULL;

    if (asprintf(&sql, "%s%s", with, select_first) < 0) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    bool ok = store_query(store, sql, take_symbol, &pictures, error);
    free(sql);
    put_figure(&pictures);
    if (pictures.count > 0) {
        fputs("<p class=\"small\">Small print of a step: its kernel symbols. Grey: not on this "
              "path. A "
              "cost that is paid once for many packets (kick, interrupt, poll) is shared among "
              "them. Of a sweep one point is drawn, no mean over its points. At most 12 paths are "
              "drawn.</p>\n",
              page);
    }
    return ok;
}

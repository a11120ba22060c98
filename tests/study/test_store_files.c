/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening files that are no store, stores that cannot be written, and stores in use. */
#include <fcntl.h>
#include <sys/stat.h>

#include "sim/study/store_private.h"
#include "tests/study/store_fixture.h"

struct bytes {
    char data[65536];
    size_t count;
};

static void read_all(const char *path, struct bytes *bytes)
{
    FILE *in = fopen(path, "rb");

    ck_assert_msg(in != NULL, "%s", path);
    bytes->count = fread(bytes->data, 1, sizeof bytes->data, in);
    fclose(in);
}

static void write_all(const char *path, const struct bytes *bytes)
{
    FILE *out = fopen(path, "wb");

    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(bytes->data, 1, bytes->count, out), bytes->count);
    fclose(out);
}

static size_t files_in(const char *folder)
{
    char command[400];
    int count = 0;
    FILE *in;

    snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
    in = popen(command, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_int_eq(fscanf(in, "%d", &count), 1);
    pclose(in);
    return (size_t)count;
}

/* A refused file keeps its bytes, gets no neighbours, and the message says why. */
static void check_refused(const char *path, const char *folder, bool write, const char *message)
{
    static struct bytes before, after;
    struct error error = {0};
    size_t files = files_in(folder);

    read_all(path, &before);
    ck_assert_ptr_null(store_open(path, write, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_str_eq(error.source, path);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s: %s", path, error.text);
    read_all(path, &after);
    ck_assert_uint_eq(before.count, after.count);
    ck_assert_int_eq(memcmp(before.data, after.data, before.count), 0);
    ck_assert_uint_eq(files_in(folder), files);
}

START_TEST(store_refuses_files_that_are_none_and_changes_nothing)
{
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"newer_schema.db", "newer version (schema 999, this program knows 1)"},
        {"foreign_app.db", "not a store of this program"},
        {"text_file.db", "file is not a database"},
        {"truncated.db", "database disk image is malformed; try: sqlite3 FILE .recover"},
        {"corrupt_page.db", "database disk image is malformed"},
        {"readonly.db", "not a store of this program (a database with other tables)"},
    };
    struct folder folder;

    folder_init(&folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct bytes bytes;
        char path[600];

        snprintf(path, sizeof path, TESTS_DIR "/rejects/db/%s", cases[i].name);
        read_all(path, &bytes);
        write_all(folder.store, &bytes);
        check_refused(folder.store, folder.path, true, cases[i].message);
        check_refused(folder.store, folder.path, false, cases[i].message);
    }
    folder_fini(&folder);
}
END_TEST

START_TEST(store_takes_an_empty_file_and_an_empty_database)
{
    static struct bytes bytes;
    struct folder folder;
    struct error error = {0};
    char answer[200];

    folder_init(&folder);
    for (int i = 0; i < 2; i++) {
        struct store *store;

        if (i == 1) {
            read_all(TESTS_DIR "/rejects/db/ok_empty.db", &bytes);
        }
        write_all(folder.store, &bytes);
        check_refused(folder.store, folder.path, false, "holds no runs");
        store_close(open_store(folder.store));
        store = store_open(folder.store, false, &error);
        ck_assert_ptr_nonnull(store);
        ck_assert_str_eq(ask(store, "PRAGMA application_id", answer), "1987146601");
        ck_assert_str_eq(ask(store, "PRAGMA user_version", answer), "1");
        store_close(store);
        ck_assert_uint_eq(files_in(folder.path), 1);
    }
    folder_fini(&folder);
}
END_TEST

START_TEST(store_refuses_places_that_hold_no_file)
{
    static const struct {
        const char *tail, *message;
    } cases[] = {{"", "is a directory"}, {"/no/such.db", "cannot be created"}};
    struct folder folder;
    char path[400];

    folder_init(&folder);
    for (size_t i = 0; i < 2; i++) {
        struct error error = {0};

        snprintf(path, sizeof path, "%s%s", folder.path, cases[i].tail);
        ck_assert_ptr_null(store_open(path, true, &error));
        ck_assert_int_eq(error.kind, ERROR_INPUT);
        ck_assert_msg(strstr(error.text, cases[i].message) != NULL, "%s", error.text);
    }
    snprintf(path, sizeof path, "%s/pipe", folder.path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    {
        struct error error = {0};

        ck_assert_ptr_null(store_open(path, true, &error));
        ck_assert_str_eq(error.text, "is not a regular file");
    }
    {
        struct error error = {0};

        ck_assert_ptr_null(store_open(folder.store, false, &error));
        ck_assert_int_eq(error.kind, ERROR_INPUT);
    }
    folder_fini(&folder);
}
END_TEST

START_TEST(store_that_is_read_only_is_read_and_not_written)
{
    struct folder folder;
    struct error error = {0};
    struct store *store;

    folder_init(&folder);
    store_close(open_store(folder.store));
    ck_assert_int_eq(chmod(folder.store, 0444), 0);
    check_refused(folder.store, folder.path, true, "not writable");
    store = store_open(folder.store, false, &error);
    ck_assert_ptr_nonnull(store);
    free(exported(store, STORE_JSON));
    store_close(store);
    ck_assert_uint_eq(files_in(folder.path), 1);
    folder_fini(&folder);
}
END_TEST

START_TEST(store_is_read_while_another_writes)
{
    struct scenario *scenario = tiny_scenario("");
    struct problems none = {0};
    struct folder folder;
    struct error error = {0};
    struct store *writer, *reader;
    char answer[200];

    folder_init(&folder);
    writer = open_store(folder.store);
    reader = store_open(folder.store, false, &error);
    ck_assert_ptr_nonnull(reader);
    ck_assert(store_begin(writer, &error));
    ck_assert_int_ne(store_scenario(writer, scenario, &none, &error), 0);
    ck_assert_str_eq(ask(reader, "SELECT count(*) FROM scenario", answer), "0");
    ck_assert(store_commit(writer, &error));
    ck_assert_str_eq(ask(reader, "SELECT count(*) FROM scenario", answer), "1");
    store_close(reader);
    store_close(writer);
    ck_assert_uint_eq(files_in(folder.path), 1);
    folder_fini(&folder);
    scenario_free(scenario);
}
END_TEST

START_TEST(store_file_names_may_hold_anything)
{
    struct folder folder;
    struct error error = {0};
    struct store *store;
    char path[400];

    folder_init(&folder);
    snprintf(path, sizeof path, "%s/a b%%41?c#d;e'f&mode=ro.db", folder.path);
    store_close(open_store(path));
    store = store_open(path, false, &error);
    ck_assert_msg(store != NULL, "%s", error.text);
    store_close(store);
    ck_assert_int_eq(access(path, F_OK), 0);
    folder_fini(&folder);
}
END_TEST

START_TEST(store_knows_network_file_systems)
{
    ck_assert_str_eq(store_network_name(0x6969), "nfs");
    ck_assert_str_eq(store_network_name((int32_t)0xff534d42), "cifs"); /* where f_type is 32 bits */
    ck_assert_str_eq(store_network_name(0x00c36400), "ceph");
    ck_assert_ptr_null(store_network_name(0xef53));     /* ext4 */
    ck_assert_ptr_null(store_network_name(0x01021994)); /* tmpfs */
}
END_TEST

int main(void)
{
    const TTest *cases[] = {store_refuses_files_that_are_none_and_changes_nothing,
                            store_takes_an_empty_file_and_an_empty_database,
                            store_refuses_places_that_hold_no_file,
                            store_that_is_read_only_is_read_and_not_written,
                            store_is_read_while_another_writes,
                            store_file_names_may_hold_anything,
                            store_knows_network_file_systems,
                            NULL};

    return suite_run("store_files", cases);
}

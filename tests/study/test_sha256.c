/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/sha256.h"

#include <string.h>

#include "tests/suite.h"

/* Answers of FIPS 180-4, appendix B, and of the empty text. */
START_TEST(sha256_gives_the_published_digests)
{
    static const struct {
        const char *text, *hex;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char hex[SHA256_HEX_BYTES];
        struct sha256 sha;

        sha256_init(&sha);
        sha256_add_text(&sha, cases[i].text);
        sha256_end(&sha, hex);
        ck_assert_str_eq(hex, cases[i].hex);
    }
}
END_TEST

START_TEST(sha256_does_not_depend_on_the_pieces)
{
    char whole[SHA256_HEX_BYTES], pieces[SHA256_HEX_BYTES];
    struct sha256 sha;

    sha256_init(&sha);
    sha256_add_text(&sha, "revision=1\nseed=7\n");
    sha256_end(&sha, whole);
    sha256_init(&sha);
    sha256_add_text(&sha, "revision=1\n");
    sha256_add(&sha, "seed=7\n", 7);
    sha256_end(&sha, pieces);
    ck_assert_str_eq(whole, pieces);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {sha256_gives_the_published_digests,
                            sha256_does_not_depend_on_the_pieces, NULL};

    return suite_run("sha256", cases);
}

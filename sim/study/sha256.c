/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/sha256.h"

#include <string.h>

void sha256_init(struct sha256 *sha)
{
    SHA256Init(&sha->context);
}

void sha256_add(struct sha256 *sha, const void *data, size_t bytes)
{
    SHA256Update(&sha->context, data, bytes);
}

void sha256_add_text(struct sha256 *sha, const char *text)
{
    sha256_add(sha, text, strlen(text));
}

void sha256_end(struct sha256 *sha, char hex[SHA256_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_LENGTH];

    SHA256Final(digest, &sha->context);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[SHA256_HEX_BYTES - 1] = '\0';
}

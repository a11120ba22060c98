/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256 as 64 lower case hexadecimal digits: the names of scenarios and configurations in the
 * store. The text is fed in pieces, so that nothing has to be glued together first.
 */
#ifndef SIM_STUDY_SHA256_H
#define SIM_STUDY_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include <sha2.h>

#define SHA256_HEX_BYTES 65 /* with the NUL */

struct sha256 {
    SHA2_CTX context; /* libmd's */
};

void sha256_init(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *data, size_t bytes);
void sha256_add_text(struct sha256 *sha, const char *text); /* without its NUL */
void sha256_end(struct sha256 *sha, char hex[SHA256_HEX_BYTES]);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small pieces of a line. Without stdio's lock and format strings: a report is
 * little else. The caller looks at ferror() when the line is done.
 */
#ifndef FARGS_OUT_PUT_H
#define FARGS_OUT_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void fargs_put(FILE *out, const char *text);
void fargs_put_char(FILE *out, char c);
/* Right-aligned in @width columns, filled with @fill. */
void fargs_put_u64(FILE *out, uint64_t v, int width, char fill);
void fargs_put_s64(FILE *out, int64_t v);
void fargs_put_u128(FILE *out, unsigned __int128 v);
/* With 0x in front; 0 is 0x0. */
void fargs_put_hex(FILE *out, uint64_t v);
/* @bytes of foreign text, escaped; @extra as for fargs_escape. */
void fargs_put_escaped(FILE *out, const void *text, size_t bytes, const char *extra);

#endif

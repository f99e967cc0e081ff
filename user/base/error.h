/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why something failed, in words for a person. Libraries fill one in and
 * return NULL, false or a negative errno; only commands print it.
 */
#ifndef FARGS_UTIL_ERROR_H
#define FARGS_UTIL_ERROR_H

struct fargs_error_text {
	char text[512];
};

/* Sets the text. @err may be NULL. Returns -@code, so "return fail(...)" works. */
int fargs_fail(struct fargs_error_text *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif

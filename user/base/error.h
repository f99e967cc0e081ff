/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Error messages for users. Library functions fill in a struct fargs_error_text and return NULL,
 * false or a negative errno; only commands print the message.
 */
#ifndef FARGS_BASE_ERROR_H
#define FARGS_BASE_ERROR_H

struct fargs_error_text {
	char text[512];
};

/*
 * Formats the message into @err, which may be NULL. Returns -@code, for use as "return
 * fargs_fail(...)".
 */
int fargs_fail(struct fargs_error_text *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scope guards: release the memory, file or other resource that a variable holds, whenever control
 * leaves the variable's scope.
 *
 *	__cleanup_free char *text = read_text();
 *	__cleanup_fclose FILE *file = open_file();
 *
 *	if (!text || !file)
 *		return -ENOMEM;
 *	...
 *	return fargs_take_ptr(text);
 *
 * The variable must be initialised at its declaration: NULL, or -1 for a file descriptor, means
 * that there is nothing to release. Guards run in reverse order of declaration, after the value of
 * a "return" has been computed. They preserve errno.
 */
#ifndef FARGS_BASE_CLEANUP_H
#define FARGS_BASE_CLEANUP_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define __cleanup_with(fn)	__attribute__((cleanup(fn)))

/*
 * Defines the guard __cleanup_with(@fn##_scope) for variables of the pointer type @type. It calls
 * @fn unless the variable is NULL.
 */
#define FARGS_DEFINE_CLEANUP(type, fn)						\
	static inline void fn##_scope(__typeof__(type) *p)			\
	{									\
		int saved = errno;						\
										\
		if (*p)								\
			fn(*p);							\
		errno = saved;							\
	}

/* free() preserves errno by itself. */
static inline void fargs_cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void fargs_cleanup_close(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

FARGS_DEFINE_CLEANUP(FILE *, fclose)
FARGS_DEFINE_CLEANUP(DIR *, closedir)

#define __cleanup_free		__cleanup_with(fargs_cleanup_free)
#define __cleanup_close		__cleanup_with(fargs_cleanup_close)
/* Errors of fclose() are ignored, so do not use this guard for files that are written. */
#define __cleanup_fclose	__cleanup_with(fclose_scope)
#define __cleanup_closedir	__cleanup_with(closedir_scope)

/*
 * Moves ownership out of @p: returns its value and sets @p to NULL, so that its guard releases
 * nothing.
 */
#define fargs_take_ptr(p)							\
	({									\
		__typeof__(p) taken_ = (p);					\
										\
		(p) = NULL;							\
		taken_;								\
	})

/*
 * Moves ownership out of *@fd: returns the descriptor and sets *@fd to -1, so that its guard closes
 * nothing.
 */
static inline int fargs_take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif

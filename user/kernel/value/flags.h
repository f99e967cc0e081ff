/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the bits and of the values of numbers.
 */
#ifndef FARGS_KERNEL_VALUE_FLAGS_H
#define FARGS_KERNEL_VALUE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_flag {
	const char *name;
	uint64_t value;
	/*
	 * A number has this name if its bits in @mask equal @value. 0: the name can be looked up,
	 * but numbers are not shown by it.
	 */
	uint64_t mask;
};

struct fargs_flags {
	const struct fargs_flag *flags;	/* in the order in which names are shown */
	size_t nr;
};

/* Maximum number of flags, and maximum size of a name, including its NUL. */
#define FARGS_FLAG_TABLE_MAX	128
#define FARGS_FLAG_NAME		48

/* Flags that were read from a kernel or a file. */
struct fargs_flag_table {
	struct fargs_flags flags;
	struct fargs_flag array[FARGS_FLAG_TABLE_MAX];
	char names[FARGS_FLAG_TABLE_MAX][FARGS_FLAG_NAME];
};

enum fargs_naming_kind {
	FARGS_NAMING_FLAGS,	/* names of @flags, joined by '|', and other bits in hexadecimal */
	FARGS_NAMING_VALUE,	/* one of @flags, or a number */
	FARGS_NAMING_CLONE,	/* @flags, and in the lowest byte one of @signals */
	FARGS_NAMING_MODE,	/* type and permissions of a file */
	FARGS_NAMING_DEV,	/* dev_t of the kernel */
	FARGS_NAMING_HEX,
	FARGS_NAMING_SYMBOL,	/* an address in the kernel's code */
};

/* How the numbers of a type, or those of an argument, are shown. */
struct fargs_naming {
	enum fargs_naming_kind kind;
	unsigned int bytes;	/* size of the number; 0: that of the value */
	const struct fargs_flags *flags;
	const struct fargs_flags *signals;
};

/* Room for the text of any number, including a NUL. */
#define FARGS_NAMING_TEXT	1024

/*
 * Writes @v, a number of @bytes bytes, to @text. Returns the length of the text; 0: @v has no name,
 * or is an address, for which the caller looks up the symbol. @naming may be from a file.
 */
size_t fargs_naming_text(const struct fargs_naming *naming, uint64_t v, unsigned int bytes,
			 char text[FARGS_NAMING_TEXT]);

/* Finds the flag called @name, of @len bytes; NULL: there is none. */
const struct fargs_flag *fargs_flags_find(const struct fargs_flags *flags, const char *name,
					  size_t len);

#endif

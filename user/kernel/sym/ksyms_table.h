/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of kernel symbols (ksyms.h), shared by the lookup functions (ksyms.c) and by the
 * functions that read and write the table as text (kallsyms.c).
 */
#ifndef FARGS_KERNEL_SYM_KSYMS_TABLE_H
#define FARGS_KERNEL_SYM_KSYMS_TABLE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/strindex.h"
#include "kernel/sym/ksyms.h"

struct fargs_ksyms {
	char *text;				/* text that was parsed: names point into it */
	struct fargs_ksym *syms;		/* text symbols, by address, then in file order */
	size_t nr;
	struct fargs_ksym *bounds;		/* symbols that show where code ends, by address */
	size_t nr_bounds;
	struct fargs_ksym *data;		/* data symbols; use fargs_ksyms_data() */
	size_t nr_data;
	pthread_mutex_t lock;			/* held while the following two change */
	atomic_bool is_data_sorted;
	/* The index by name: allocated at first, filled by the first lookup. */
	atomic_bool is_indexed;
	const char **names;			/* names of syms, the keys of by_name */
	struct fargs_strindex by_name;
	const struct fargs_ksym **named;	/* text symbols in the order of by_name.order */
	struct fargs_module_list *modules;	/* memory ranges of modules; NULL: unknown */
	struct fargs_ksym *module_syms;		/* for each of @modules, a symbol "[name]" */
};

static inline bool fargs_ksyms_is_code(char type)
{
	/* Upper and lower case differ in this bit. */
	type |= 'a' - 'A';
	return type == 't' || type == 'w';
}

/*
 * Is @name, of a symbol of vmlinux that begins with '_', one of the linker script's for the end of
 * a section? nm counts some of these as code. Symbols of the script that are followed by more
 * functions, such as __sched_text_end, do not count.
 */
static inline bool fargs_ksyms_is_end_name(const char *name)
{
	static const char *const names[] = {
		"_etext", "_einittext", "__inittext_end", "__end_rodata", "_edata", "__init_end",
		"__bss_stop", "_end",
	};
	size_t i;

	/* Many names begin with "__": compare only those that can be in the list. */
	if (name[1] != 'e' &&
	    (name[1] != '_' || (name[2] != 'i' && name[2] != 'b' && name[2] != 'e')))
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static inline bool fargs_ksyms_is_section_end(const struct fargs_ksym *sym)
{
	return !sym->module && sym->name[0] == '_' && fargs_ksyms_is_end_name(sym->name);
}

/*
 * Returns ks->data, by address, then in file order. The first call sorts the array. Threads may
 * call this function at the same time.
 */
const struct fargs_ksym *fargs_ksyms_data(const struct fargs_ksyms *ks);

/*
 * Parses ks->text, of @size bytes, into syms and bounds, in the order of the text. The byte after
 * the text must be writable. @is_live: the symbols of each module are consecutive, as the kernel
 * lists them. In a recording, modules may be mixed, since a module may have been loaded at the
 * address of an earlier one. Returns 0, or -errno with @err.
 */
int fargs_kallsyms_parse(struct fargs_ksyms *ks, size_t size, bool is_live,
			 struct fargs_error_text *err);

#endif

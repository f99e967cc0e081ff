/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel symbols, from /proc/kallsyms of this machine or from a trace file, which contains lines of
 * the same format (address type name [module]).
 */
#ifndef FARGS_KERNEL_SYM_KSYMS_H
#define FARGS_KERNEL_SYM_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/*
 * KSYM_NAME_LEN since 6.1 (128 before): the maximum size, with the NUL, of a symbol's name or of a
 * name in BTF. Longer names in a file are rejected, because a small file could cause huge output:
 * many functions can share a name, and each event prints several names.
 */
#define FARGS_KSYM_NAME_LEN	512

static inline bool fargs_ksym_name_fits(const char *name)
{
	return strnlen(name, FARGS_KSYM_NAME_LEN) < FARGS_KSYM_NAME_LEN;
}

struct fargs_ksyms;
struct fargs_module_list;

struct fargs_ksym {
	uint64_t addr;
	const char *name;
	const char *module;	/* NULL: vmlinux */
	char type;		/* type letter, as printed by nm */
};

/* Reads /proc/kallsyms. Fails if addresses are hidden (kptr_restrict). */
struct fargs_ksyms *fargs_ksyms_load(struct fargs_error_text *err);
/*
 * Parses @size bytes of @text in the format of /proc/kallsyms. Keeps no pointer to @text. Returns
 * NULL with errno: EINVAL for another format, ENOENT if there are no text symbols, EPERM if
 * addresses are hidden.
 */
struct fargs_ksyms *fargs_ksyms_parse(const char *text, size_t size, struct fargs_error_text *err);
/*
 * Like fargs_ksyms_parse(), but takes ownership of @text, from malloc(), even on failure. The byte
 * after @text must be writable.
 */
struct fargs_ksyms *fargs_ksyms_parse_own(char *text, size_t size, struct fargs_error_text *err);
/*
 * Like fargs_ksyms_parse(), for text with the modules in the kernel's original order, so that freed
 * functions can be recognised (module_spans.h).
 */
struct fargs_ksyms *fargs_ksyms_parse_live(const char *text, size_t size,
					   struct fargs_error_text *err);
void fargs_ksyms_destroy(struct fargs_ksyms *ks);

/*
 * Sets the modules' memory ranges, replacing previous ones. Takes ownership of @modules, even on
 * failure. Returns 0 or -ENOMEM.
 */
int fargs_ksyms_set_modules(struct fargs_ksyms *ks, struct fargs_module_list *modules);
/* Returns the modules' memory ranges; NULL if they are unknown. */
const struct fargs_module_list *fargs_ksyms_modules(const struct fargs_ksyms *ks);

/*
 * Returns the number of text symbols (t T w W) named @name, and sets *@first to the array of them,
 * sorted by address.
 */
size_t fargs_ksyms_find_name(const struct fargs_ksyms *ks, const char *name,
			     const struct fargs_ksym *const **first);
/*
 * Returns the only text symbol named @name, or NULL. Reads all names: for the first few lookups,
 * this is faster than fargs_ksyms_find_name(), which builds an index.
 */
const struct fargs_ksym *fargs_ksyms_find_only(const struct fargs_ksyms *ks, const char *name);
/*
 * Returns the text symbol whose range contains @addr; NULL for data, and for addresses after the
 * end of a section or module. If the modules' ranges are known, and @addr is in a module but in
 * none of its functions, returns a symbol "[name]" that covers the module.
 */
const struct fargs_ksym *fargs_ksyms_find_addr(const struct fargs_ksyms *ks, uint64_t addr);
/*
 * Same as fargs_ksyms_find_addr(), and sets *@begin and *@end (exclusive) to a range that contains
 * @addr, for all of which the result is the same. If there is no symbol, the range is only @addr.
 */
const struct fargs_ksym *fargs_ksyms_find_range(const struct fargs_ksyms *ks, uint64_t addr,
						uint64_t *begin, uint64_t *end);
/*
 * Returns the data symbol at exactly @addr; NULL: there is none, or more than one. Symbols have no
 * size, so it is not known which object contains the addresses after it: string literals have no
 * symbols. Keys of locks are left out.
 */
const struct fargs_ksym *fargs_ksyms_find_data(const struct fargs_ksyms *ks, uint64_t addr);
/*
 * Returns the number of data symbols of vmlinux called @name, and copies the last of them to @sym.
 * @module: if not NULL, *@module is set to the module of another such symbol, if there is one.
 */
size_t fargs_ksyms_find_objects(const struct fargs_ksyms *ks, const char *name,
				const char **module, struct fargs_ksym *sym);
/*
 * Returns the end of @sym, which fargs_ksyms_find_addr() returned: the first address after @sym
 * that is not part of it.
 */
uint64_t fargs_ksyms_end(const struct fargs_ksyms *ks, const struct fargs_ksym *sym);

/* The number of text symbols, and the @i-th of them. They are sorted by address, in one array. */
size_t fargs_ksyms_count(const struct fargs_ksyms *ks);
const struct fargs_ksym *fargs_ksyms_at(const struct fargs_ksyms *ks, size_t i);

/*
 * Formats the symbols in the format that fargs_ksyms_parse() reads. The caller frees the text.
 */
char *fargs_ksyms_text(const struct fargs_ksyms *ks, size_t *size);

#endif

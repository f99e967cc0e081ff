/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel symbols, from /proc/kallsyms of this machine or from a trace file, which has lines of the
 * same format (address type name [module]).
 */
#ifndef FARGS_KERNEL_SYM_KSYMS_H
#define FARGS_KERNEL_SYM_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/*
 * KSYM_NAME_LEN since 6.1 (128 before): names of symbols and in BTF are shorter. Names in files are
 * held to that limit, since many functions can share a long name, and each event prints some.
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
	char type;		/* as printed by nm */
};

/* Reads /proc/kallsyms; fails if addresses are hidden (kptr_restrict). */
struct fargs_ksyms *fargs_ksyms_load(struct fargs_error_text *err);
/*
 * Parses @size bytes of the same format. Keeps no pointer to the text. NULL with errno: EINVAL for
 * another format, ENOENT if there are no text symbols, EPERM if addresses are hidden.
 */
struct fargs_ksyms *fargs_ksyms_parse(const char *text, size_t size, struct fargs_error_text *err);
/* The same for the original order of /proc/kallsyms, module by module (module_spans.h). */
struct fargs_ksyms *fargs_ksyms_parse_live(const char *text, size_t size,
					   struct fargs_error_text *err);
void fargs_ksyms_destroy(struct fargs_ksyms *ks);

/*
 * Sets the modules' memory ranges, replacing previous ones. Takes ownership of @modules, also on
 * failure. -ENOMEM.
 */
int fargs_ksyms_set_modules(struct fargs_ksyms *ks, struct fargs_module_list *modules);
/* NULL: unknown. */
const struct fargs_module_list *fargs_ksyms_modules(const struct fargs_ksyms *ks);

/* Text symbols (t T w W) named @name, by address: their number, and the first in *@first. */
size_t fargs_ksyms_find_name(const struct fargs_ksyms *ks, const char *name,
			     const struct fargs_ksym *const **first);
/*
 * Returns the text symbol whose range contains @addr. NULL for data and addresses after the end of
 * a section or module. If the modules' ranges are known, an address in a module without a matching
 * function has the symbol "[name]", which begins with the module.
 */
const struct fargs_ksym *fargs_ksyms_find_addr(const struct fargs_ksyms *ks, uint64_t addr);
/*
 * The end of @sym, a result of fargs_ksyms_find_addr(): the first address that it is not found for.
 */
uint64_t fargs_ksyms_end(const struct fargs_ksyms *ks, const struct fargs_ksym *sym);

/* All text symbols by address, in one array; fargs_ksyms_at() returns element @i. */
size_t fargs_ksyms_count(const struct fargs_ksyms *ks);
const struct fargs_ksym *fargs_ksyms_at(const struct fargs_ksyms *ks, size_t i);

/*
 * Formats the text symbols, and the data symbols that end them, for fargs_ksyms_parse(). The caller
 * frees the text.
 */
char *fargs_ksyms_text(const struct fargs_ksyms *ks, size_t *size);

#endif

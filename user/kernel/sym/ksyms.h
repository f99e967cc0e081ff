/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel symbols: from /proc/kallsyms of this machine or out of a trace file,
 * which stores lines of the same form (address type name [module]).
 */
#ifndef FARGS_SYM_KSYMS_H
#define FARGS_SYM_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/*
 * KSYM_NAME_LEN of kernels since 6.1 (128 before): no name, of a symbol or in BTF, is as long.
 * Names in files are held to it: those of many functions may be one, and each event prints some.
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
	char type;		/* as nm prints it */
};

/* Reads /proc/kallsyms; fails when addresses are hidden (kptr_restrict). */
struct fargs_ksyms *fargs_ksyms_load(struct fargs_error_text *err);
/*
 * Parses @size bytes of text of the same form. Keeps no pointer to it. NULL with errno:
 * EINVAL for another form, ENOENT if there is no code, EPERM if addresses are hidden.
 */
struct fargs_ksyms *fargs_ksyms_parse(const char *text, size_t size, struct fargs_error_text *err);
/* The same of text that is as /proc/kallsyms has it, module by module (module_spans.h). */
struct fargs_ksyms *fargs_ksyms_parse_live(const char *text, size_t size,
					   struct fargs_error_text *err);
void fargs_ksyms_destroy(struct fargs_ksyms *ks);

/*
 * Says where modules lie; takes @modules, also if there is no memory for it, and gives up those
 * that were known before. -ENOMEM.
 */
int fargs_ksyms_set_modules(struct fargs_ksyms *ks, struct fargs_module_list *modules);
/* NULL: that is not known. */
const struct fargs_module_list *fargs_ksyms_modules(const struct fargs_ksyms *ks);

/* All text symbols (t T w W) with that name, by address: count, and the first in *@first. */
size_t fargs_ksyms_find_name(const struct fargs_ksyms *ks, const char *name,
			     const struct fargs_ksym *const **first);
/*
 * The text symbol whose range holds @addr, or NULL: data, and what is after the end of a section
 * or of a module, has no name. Where it is known where modules lie: of one whose function is not
 * known it is the module, "[name]", from its begin on.
 */
const struct fargs_ksym *fargs_ksyms_find_addr(const struct fargs_ksyms *ks, uint64_t addr);
/* Where @sym, which that has found, ends: the first address that it does not find it for. */
uint64_t fargs_ksyms_end(const struct fargs_ksyms *ks, const struct fargs_ksym *sym);

/* All text symbols by address: one array, at its element @i. */
size_t fargs_ksyms_count(const struct fargs_ksyms *ks);
const struct fargs_ksym *fargs_ksyms_at(const struct fargs_ksyms *ks, size_t i);

/*
 * The text symbols, and those of data that they end at, in the form that fargs_ksyms_parse reads;
 * free() it.
 */
char *fargs_ksyms_text(const struct fargs_ksyms *ks, size_t *size);

#endif

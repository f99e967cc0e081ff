// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/value/symbolic.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/tracefs.h"
#include "kernel/value/btf_flags.h"
#include "kernel/value/meanings.h"
#include "kernel/value/print_fmt.h"
#include "kernel/value/uapi.h"

/* Maximum number of typedefs and qualifiers in a row. A longer chain is considered a cycle. */
#define CHAIN_MAX	64

const struct fargs_symbolic_event fargs_symbolic_events[] = {
	{ "kmem", "mm_page_alloc", "gfp_flags" },
	{ "kmem", "kmalloc", "gfp_flags" },
	{ "kmem", "kmem_cache_alloc", "gfp_flags" },
};

const size_t fargs_nr_symbolic_events = sizeof(fargs_symbolic_events) /
					sizeof(fargs_symbolic_events[0]);

/* The sizes that a meaning can give to a number: that of the value, 2, 4 or 8 bytes. */
#define NR_SIZES	4

struct fargs_symbolic {
	fargs_symbolic_format_fn format;
	void *arg;
	/* Names of the traced kernel's flags; NULL: not looked up yet, or the kernel has none. */
	struct fargs_flag_table *tables[FARGS_NR_MEANINGS];
	bool is_looked_up[FARGS_NR_MEANINGS];
	struct fargs_naming namings[FARGS_NR_MEANINGS][NR_SIZES];
};

struct fargs_symbolic *fargs_symbolic_create(fargs_symbolic_format_fn format, void *arg)
{
	struct fargs_symbolic *symbolic = calloc(1, sizeof(*symbolic));

	if (symbolic) {
		symbolic->format = format;
		symbolic->arg = arg;
	}
	return symbolic;
}

void fargs_symbolic_destroy(struct fargs_symbolic *symbolic)
{
	size_t i;

	if (!symbolic)
		return;
	for (i = 0; i < FARGS_NR_MEANINGS; i++)
		free(symbolic->tables[i]);
	free(symbolic);
}

const char *fargs_symbolic_read_format(void *arg, const struct fargs_symbolic_event *event,
				       size_t *bytes, char **to_free)
{
	const struct fargs_tracefs_event name = { (char *)event->system, (char *)event->name };
	struct fargs_error_text ignored;
	const char *dir = fargs_tracefs_dir(&ignored);

	*to_free = dir ? fargs_tracefs_read(dir, &name, "format", bytes) : NULL;
	return *to_free;
}

static bool take_formats(struct fargs_symbolic *symbolic, struct fargs_flag_table *flags)
{
	bool is_found = false;
	const char *text;
	char *to_free;
	size_t i, bytes;

	for (i = 0; i < fargs_nr_symbolic_events && !is_found; i++) {
		to_free = NULL;
		text = symbolic->format(symbolic->arg, &fargs_symbolic_events[i], &bytes,
					&to_free);
		is_found = text && fargs_print_fmt_flags(flags, text, bytes,
							 fargs_symbolic_events[i].field, 4);
		free(to_free);
	}
	return is_found;
}

static bool fill(struct fargs_symbolic *symbolic, const struct btf *btf,
		 enum fargs_meaning meaning, struct fargs_flag_table *flags)
{
	const struct btf *base = btf__base_btf(btf);

	if (base)
		btf = base;
	switch (meaning) {
	case FARGS_MEANING_GFP:
		return take_formats(symbolic, flags) || fargs_btf_flags_gfp(flags, btf);
	case FARGS_MEANING_VM:
		return fargs_btf_flags_vm(flags, btf);
	case FARGS_MEANING_VM_FAULT:
		return fargs_btf_flags_enum(flags, btf, "vm_fault_reason");
	case FARGS_MEANING_FAULT_FLAG:
		return fargs_btf_flags_enum(flags, btf, "fault_flag");
	case FARGS_MEANING_BLK_OPF:
		return fargs_btf_flags_blk_opf(flags, btf);
	case FARGS_MEANING_SLAB:
		return fargs_btf_flags_slab(flags, btf);
	default:
		return false;
	}
}

/* Returns the names of the traced kernel's flags; NULL: it has none. */
static const struct fargs_flags *traced_flags(struct fargs_symbolic *symbolic,
					      const struct btf *btf, enum fargs_meaning meaning)
{
	struct fargs_flag_table **table = &symbolic->tables[meaning];

	if (!symbolic->is_looked_up[meaning]) {
		symbolic->is_looked_up[meaning] = true;
		/* Without memory, the numbers are shown without names. */
		*table = calloc(1, sizeof(**table));
		if (*table && !fill(symbolic, btf, meaning, *table)) {
			free(*table);
			*table = NULL;
		}
	}
	return *table ? &(*table)->flags : NULL;
}

/* How numbers of each meaning are shown, except for the traced kernel's own flags. */
static const struct {
	enum fargs_naming_kind kind;
	enum fargs_uapi group;
} rows[FARGS_MEANING_GFP] = {
	[FARGS_MEANING_OPEN] = { FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN },
	[FARGS_MEANING_OPEN_FLAGS] = { FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN_FLAGS },
	[FARGS_MEANING_DFD] = { FARGS_NAMING_VALUE, FARGS_UAPI_DFD },
	[FARGS_MEANING_AT_STAT] = { FARGS_NAMING_FLAGS, FARGS_UAPI_AT_STAT },
	[FARGS_MEANING_AT_UNLINK] = { FARGS_NAMING_FLAGS, FARGS_UAPI_AT_UNLINK },
	[FARGS_MEANING_AT_ACCESS] = { FARGS_NAMING_FLAGS, FARGS_UAPI_AT_ACCESS },
	[FARGS_MEANING_ACCESS] = { FARGS_NAMING_FLAGS, FARGS_UAPI_ACCESS },
	[FARGS_MEANING_RENAME] = { FARGS_NAMING_FLAGS, FARGS_UAPI_RENAME },
	[FARGS_MEANING_SEEK] = { FARGS_NAMING_VALUE, FARGS_UAPI_SEEK },
	[FARGS_MEANING_PROT] = { FARGS_NAMING_FLAGS, FARGS_UAPI_PROT },
	[FARGS_MEANING_MAP] = { FARGS_NAMING_FLAGS, FARGS_UAPI_MAP },
	[FARGS_MEANING_MADVISE] = { FARGS_NAMING_VALUE, FARGS_UAPI_MADVISE },
	[FARGS_MEANING_CLONE] = { FARGS_NAMING_CLONE, FARGS_UAPI_CLONE },
	[FARGS_MEANING_CLONE_FLAGS] = { FARGS_NAMING_FLAGS, FARGS_UAPI_CLONE },
	[FARGS_MEANING_UNSHARE] = { FARGS_NAMING_FLAGS, FARGS_UAPI_UNSHARE },
	[FARGS_MEANING_SETNS] = { FARGS_NAMING_FLAGS, FARGS_UAPI_SETNS },
	[FARGS_MEANING_SIGNAL] = { FARGS_NAMING_VALUE, FARGS_UAPI_SIGNAL },
	[FARGS_MEANING_SIGMASK] = { FARGS_NAMING_VALUE, FARGS_UAPI_SIGMASK },
	[FARGS_MEANING_POLL] = { FARGS_NAMING_FLAGS, FARGS_UAPI_POLL },
	[FARGS_MEANING_MODE] = { FARGS_NAMING_MODE, FARGS_UAPI_OTHERS },
	[FARGS_MEANING_DEV] = { FARGS_NAMING_DEV, FARGS_UAPI_OTHERS },
	[FARGS_MEANING_HEX] = { FARGS_NAMING_HEX, FARGS_UAPI_OTHERS },
	[FARGS_MEANING_SYMBOL] = { FARGS_NAMING_SYMBOL, FARGS_UAPI_OTHERS },
};

static const struct fargs_naming *naming_of(struct fargs_symbolic *symbolic,
					    const struct btf *btf, enum fargs_meaning meaning,
					    unsigned int bytes)
{
	struct fargs_naming *naming = &symbolic->namings[meaning][bytes ? __builtin_ctz(bytes) : 0];

	if (meaning == FARGS_MEANING_NONE)
		return NULL;
	naming->bytes = bytes;
	if (meaning >= FARGS_MEANING_GFP) {
		naming->flags = traced_flags(symbolic, btf, meaning);
		naming->kind = naming->flags ? FARGS_NAMING_FLAGS : FARGS_NAMING_HEX;
	} else {
		naming->kind = rows[meaning].kind;
		naming->flags = fargs_uapi_flags(rows[meaning].group);
		naming->signals = fargs_uapi_flags(FARGS_UAPI_SIGNAL);
	}
	return naming;
}

/*
 * Sets *@meaning to that of the innermost typedef of @type_id that has one. Returns false if the
 * type is not an integer.
 */
static bool read_type(const struct btf *btf, uint32_t type_id, enum fargs_meaning *meaning)
{
	const struct btf_type *t;
	int i;

	*meaning = FARGS_MEANING_NONE;
	for (i = 0; i < CHAIN_MAX; i++, type_id = t->type) {
		t = btf__type_by_id(btf, type_id);
		if (!t)
			return false;
		switch (btf_kind(t)) {
		case BTF_KIND_TYPEDEF:
			if (*meaning == FARGS_MEANING_NONE)
				*meaning = fargs_meaning_of_typedef(btf__name_by_offset(btf,
										t->name_off));
			break;
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			break;
		default:
			return btf_kind(t) == BTF_KIND_INT &&
			       !(btf_int_encoding(t) & BTF_INT_BOOL) && t->size <= 8;
		}
	}
	return false;
}

const struct fargs_naming *fargs_symbolic_of_type(struct fargs_symbolic *symbolic,
						  const struct btf *btf, uint32_t type_id)
{
	enum fargs_meaning meaning;

	return read_type(btf, type_id, &meaning) ? naming_of(symbolic, btf, meaning, 0) : NULL;
}

const struct fargs_naming *fargs_symbolic_of_member(struct fargs_symbolic *symbolic,
						    const struct btf *btf, uint32_t type_id,
						    const char *of, const char *name)
{
	enum fargs_meaning meaning;

	if (!read_type(btf, type_id, &meaning))
		return NULL;
	if (meaning == FARGS_MEANING_NONE)
		meaning = fargs_meaning_of_member(of, name);
	return naming_of(symbolic, btf, meaning, 0);
}

/*
 * Returns what is after the "->" if @text is only NAME->..., which may be cast. Returns NULL for
 * other values, which are computed from the register, or read from memory that it points to.
 */
static const char *after_arrow(const char *text)
{
	const char *name;

	while (*text == '(') {
		text = strchr(text, ')');
		if (!text)
			return NULL;
		text += 1 + strspn(text + 1, " ");
	}
	for (name = text; isalnum((unsigned char)*text) || *text == '_'; text++)
		;
	return text > name && !strncmp(text, "->", 2) ? text + 2 : NULL;
}

/*
 * Returns the meaning of a system call's argument in the register @name, such as "regs->di", of a
 * function whose only parameter is the registers. In BTF, this parameter may have another name.
 */
static enum fargs_meaning of_register(const char *func, const char *name, unsigned int *bytes)
{
	static const char prefix[] = "__x64_sys_";
	static const char *const registers[] = { "di", "si", "dx", "r10", "r8", "r9" };
	const char *reg;
	unsigned int i;

	if (strncmp(func, prefix, sizeof(prefix) - 1))
		return FARGS_MEANING_NONE;
	reg = after_arrow(name);
	for (i = 0; reg && i < sizeof(registers) / sizeof(registers[0]); i++)
		if (!strcmp(reg, registers[i]))
			return fargs_meaning_of_syscall_arg(func + sizeof(prefix) - 1, i, bytes);
	return FARGS_MEANING_NONE;
}

const struct fargs_naming *fargs_symbolic_of_param(struct fargs_symbolic *symbolic,
						   const struct btf *btf, uint32_t type_id,
						   const char *func, const char *name)
{
	enum fargs_meaning meaning;
	unsigned int bytes = 0;

	if (!read_type(btf, type_id, &meaning))
		return NULL;
	if (meaning == FARGS_MEANING_NONE)
		meaning = fargs_meaning_of_param(func, name);
	if (meaning == FARGS_MEANING_NONE)
		meaning = of_register(func, name, &bytes);
	return naming_of(symbolic, btf, meaning, bytes);
}

bool fargs_symbolic_find(struct fargs_symbolic *symbolic, const struct btf *btf, const char *name,
			 uint64_t *value)
{
	const struct fargs_flags *flags;
	const struct fargs_flag *flag;
	unsigned int i;

	for (i = FARGS_MEANING_GFP; i < FARGS_NR_MEANINGS; i++) {
		flags = traced_flags(symbolic, btf, i);
		flag = flags ? fargs_flags_find(flags, name, strlen(name)) : NULL;
		if (flag) {
			*value = flag->value;
			return true;
		}
	}
	return false;
}

void fargs_symbolic_offer(struct fargs_symbolic *symbolic, const struct btf *btf,
			  struct fargs_near *near)
{
	const struct fargs_flags *flags;
	unsigned int i;
	size_t j;

	for (i = FARGS_MEANING_GFP; i < FARGS_NR_MEANINGS; i++) {
		flags = traced_flags(symbolic, btf, i);
		for (j = 0; flags && j < flags->nr; j++)
			fargs_near_offer(near, flags->flags[j].name);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/variable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The section of per-CPU variables. */
#define PER_CPU	".data..percpu"

enum found {
	FOUND_ONE,
	FOUND_NONE,
	FOUND_MANY,
	FOUND_IN_MODULE,
	FOUND_FREED,	/* the variable is used only while the kernel starts */
};

struct fargs_variable_memo {
	const struct btf *btf;
	char *name;
	enum found found;
	size_t nr;		/* number of variables, if FOUND_MANY */
	const char *module;	/* if FOUND_IN_MODULE */
	struct fargs_variable v;
};

void fargs_variables_deinit(struct fargs_variables *variables)
{
	while (variables->nr)
		free(variables->memos[--variables->nr].name);
	free(variables->memos);
	variables->memos = NULL;
}

/*
 * Sets the type of the variable and, if it is in the section of per-CPU variables, is_per_cpu and
 * its offset in the section as its address. Sets nothing if BTF describes several. BTF of a module
 * also describes the module's own section, which is elsewhere.
 */
static void describe(struct fargs_variable_memo *memo)
{
	const struct btf *base = btf__base_btf(memo->btf), *btf = base ? base : memo->btf;
	uint32_t id, i, end = btf__type_cnt(btf);
	struct fargs_variable v = { };
	unsigned int nr = 0;

	for (id = 1; id < end; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id), *var;
		const struct btf_var_secinfo *info = btf_is_datasec(t) ? btf_var_secinfos(t) : NULL;

		for (i = 0; info && i < btf_vlen(t); i++) {
			var = btf__type_by_id(btf, info[i].type);
			if (!var || strcmp(btf__name_by_offset(btf, var->name_off), memo->name))
				continue;
			nr++;
			v.type_id = var->type;
			v.is_per_cpu = !strcmp(btf__name_by_offset(btf, t->name_off), PER_CPU);
			v.addr = v.is_per_cpu ? info[i].offset : 0;
		}
	}
	if (nr == 1)
		memo->v = v;
}

static uint64_t addr_of(const struct fargs_ksyms *ksyms, const char *name)
{
	struct fargs_ksym sym;

	return fargs_ksyms_find_objects(ksyms, name, NULL, &sym) ? sym.addr : 0;
}

static bool is_between(const struct fargs_ksyms *ksyms, uint64_t addr, const char *first,
		       const char *end)
{
	return addr >= addr_of(ksyms, first) && addr < addr_of(ksyms, end);
}

static void find_symbol(struct fargs_variable_memo *memo, const struct fargs_ksyms *ksyms)
{
	struct fargs_ksym sym;

	memo->nr = fargs_ksyms_find_objects(ksyms, memo->name, &memo->module, &sym);
	memo->found = memo->nr > 1 ? FOUND_MANY : memo->nr ? FOUND_ONE :
		      memo->module ? FOUND_IN_MODULE : FOUND_NONE;
	if (memo->found != FOUND_ONE)
		return;
	memo->v.addr = sym.addr;
	memo->v.is_per_cpu = is_between(ksyms, sym.addr, "__per_cpu_start", "__per_cpu_end");
	if (!memo->v.is_per_cpu && is_between(ksyms, sym.addr, "__init_begin", "__init_end"))
		memo->found = FOUND_FREED;
}

/* Adds the start of the section to the address of a per-CPU variable that BTF describes. */
static void find_section(struct fargs_variable_memo *memo, const struct fargs_ksyms *ksyms)
{
	/* Before 6.15, it is 0, and kallsyms lists per-CPU variables as absolute symbols. */
	uint64_t start = addr_of(ksyms, "__per_cpu_start");
	struct fargs_ksym sym;

	memo->v.addr += start;
	/* BTF describes no other variables, but they may have the same name. */
	memo->nr = fargs_ksyms_find_objects(ksyms, memo->name, NULL, &sym) + !start;
	memo->found = memo->nr > 1 ? FOUND_MANY : FOUND_ONE;
}

static void find(struct fargs_variable_memo *memo, const struct fargs_ksyms *ksyms)
{
	describe(memo);
	if (!ksyms)
		return;
	if (memo->v.is_per_cpu)
		find_section(memo, ksyms);
	else
		find_symbol(memo, ksyms);
	if (memo->v.is_per_cpu)
		memo->v.offsets = addr_of(ksyms, "__per_cpu_offset");
}

/* Returns the cached result for @node, which is found at its first use; NULL: out of memory. */
static const struct fargs_variable_memo *look_up(struct fargs_variables *variables,
						 const struct fargs_ksyms *ksyms,
						 const struct btf *btf,
						 const struct fargs_node *node)
{
	struct fargs_variable_memo *memo, found = { .btf = btf };
	size_t i;

	for (i = 0; i < variables->nr; i++)
		if (variables->memos[i].btf == btf && fargs_node_is(node, variables->memos[i].name))
			return &variables->memos[i];
	found.name = strndup(node->text, node->len);
	memo = found.name ? fargs_array_add(variables->memos, variables->nr) : NULL;
	if (!memo) {
		free(found.name);
		return NULL;
	}
	find(&found, ksyms);
	*memo = found;
	return memo;
}

int fargs_variable_find(struct fargs_variable *v, struct fargs_variables *variables,
			const struct fargs_ksyms *ksyms, const struct btf *btf,
			const struct fargs_node *node, struct fargs_diagnostic *m)
{
	const struct fargs_variable_memo *memo = look_up(variables, ksyms, btf, node);

	if (!memo)
		return fargs_diagnostic_no_memory(m);
	*v = memo->v;
	switch (memo->found) {
	case FOUND_NONE:
		return fargs_diagnostic_at(m, node->column, "the kernel has no variable '%s'",
					   memo->name);
	case FOUND_MANY:
		return fargs_diagnostic_at(m, node->column, "%zu variables are called '%s'",
					   memo->nr, memo->name);
	case FOUND_IN_MODULE:
		return fargs_diagnostic_at(m, node->column, "'%s' is a variable of the module %s: "
					   "only those of vmlinux are available", memo->name,
					   memo->module);
	case FOUND_FREED:
		return fargs_diagnostic_at(m, node->column, "the kernel has freed '%s', which it "
					   "used only to start", memo->name);
	default:
		break;
	}
	if (ksyms && v->is_per_cpu && !v->offsets)
		return fargs_diagnostic_at(m, node->column, "'%s' is a per-CPU variable, but the "
					   "kernel has no symbol __per_cpu_offset", memo->name);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/lifetimes.h"

#include <bsd/stdlib.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/ksyms.h"
#include "source/pt/input/code.h"

/* Name of BPF code in /proc/kallsyms. */
#define BPF		"bpf"
/* Prefix of the names of code that ftrace and kprobes generate. */
#define MADE		"__builtin__"

struct state {
	struct fargs_pt_input *in;
	const struct fargs_pt_copied *copied;
	const struct fargs_file_pt_module *modules;
	size_t nr_modules;
	/* Time at which the trace starts. Code copied before this time was valid at the start. */
	uint64_t first_ns;
};

static bool holds_at(const struct fargs_pt_code *code, uint64_t ns)
{
	return code->bytes && code->from_ns <= ns && (!code->until_ns || ns < code->until_ns);
}

static bool overlaps(const struct fargs_pt_code *code, uint64_t addr, uint64_t bytes)
{
	return code->addr < addr + bytes && addr < code->addr + code->bytes;
}

static uint64_t find_first(const struct fargs_pt_input *in)
{
	uint64_t first = UINT64_MAX;
	size_t i;

	for (i = 0; i < in->nr_switches; i++)
		if (in->switches[i].from == in->switches[i].to && in->switches[i].ns < first)
			first = in->switches[i].ns;
	return first;
}

/*
 * Returns whether the BPF program at code->addr was registered before its copy began, and not
 * unregistered before the copy ended. Sets code->from_ns to the time of registration.
 */
static bool find_program(const struct state *s, const struct fargs_pt_copied *copied,
			 struct fargs_pt_code *code)
{
	const struct fargs_pt_symbol *sym;
	bool is_there = false;
	size_t i;

	for (i = 0; i < s->in->nr_symbols; i++) {
		sym = &s->in->symbols[i];
		if (sym->addr != code->addr || sym->ns > copied->end_ns)
			continue;
		is_there = !sym->is_removed;
		if (is_there && sym->ns <= copied->begin_ns)
			code->from_ns = sym->ns;
		else if (is_there)
			is_there = false;
	}
	return is_there;
}

/* Returns whether a part of the module was copied before tracing began. */
static bool was_there(const struct state *s, const struct fargs_pt_copied *copied)
{
	const struct fargs_pt_copied *c;

	for (c = s->copied; c <= copied; c++)
		if (c->begin_ns < s->first_ns && !strcmp(c->name, copied->name))
			return true;
	return false;
}

/*
 * Returns whether the module was loaded during the whole copy. Sets the code's lifetime from load
 * and unload events.
 */
static bool find_module(const struct state *s, const struct fargs_pt_copied *copied,
			struct fargs_pt_code *code)
{
	const struct fargs_file_pt_module *m;
	size_t i;

	/*
	 * If the recording has no load event of the module, the code's lifetime begins when its
	 * copy began, or at the start of the trace if a part of the module was copied before that.
	 */
	code->from_ns = was_there(s, copied) ? 0 : copied->begin_ns;
	for (i = 0; i < s->nr_modules; i++) {
		m = &s->modules[i];
		if (m->ns > copied->end_ns)
			break;
		if (strncmp(m->name, copied->name, sizeof(copied->name)))
			continue;
		if (m->is_removed && m->ns >= copied->begin_ns)
			return false;
		code->from_ns = m->is_removed ? UINT64_MAX : m->ns;
	}
	/* The module had been unloaded, but still had symbols when its address range was copied. */
	if (code->from_ns == UINT64_MAX)
		return false;
	for (; i < s->nr_modules && !code->until_ns; i++)
		if (s->modules[i].is_removed &&
		    !strncmp(s->modules[i].name, copied->name, sizeof(copied->name)))
			code->until_ns = s->modules[i].ns;
	return true;
}

/*
 * Trims @code to the part that no earlier copy covers. Of several copies of the same code, the
 * first one is used, since the recorded changes are relative to it.
 */
static void trim_covered(const struct state *s, const struct fargs_pt_copied *copied,
			 struct fargs_pt_code *code)
{
	const struct fargs_pt_copied *before;
	const struct fargs_pt_code *first;
	uint64_t end, n;

	for (before = s->copied; before < copied && code->bytes; before++) {
		first = &s->in->codes[before->code];
		if (!first->bytes || first->from_ns != code->from_ns ||
		    !overlaps(first, code->addr, code->bytes))
			continue;
		end = first->addr + first->bytes;
		if (first->addr > code->addr) {
			code->bytes = first->addr - code->addr;
			continue;
		}
		n = end - code->addr < code->bytes ? end - code->addr : code->bytes;
		code->addr += n;
		code->at += n;
		code->bytes -= n;
	}
}

static void set_begin(const struct state *s, const struct fargs_pt_copied *copied)
{
	struct fargs_pt_code *code = &s->in->codes[copied->code];
	bool is_first = copied->begin_ns < s->first_ns, is_there;

	if (!strcmp(copied->name, FARGS_CODE_KERNEL))
		return;
	/* Code that ftrace and kprobes generate after tracing began is in TEXT_POKE records. */
	if (!strncmp(copied->name, MADE, strlen(MADE)))
		is_there = is_first;
	else if (!strcmp(copied->name, BPF))
		is_there = is_first || find_program(s, copied, code);
	else
		is_there = find_module(s, copied, code);
	if (is_there)
		trim_covered(s, copied, code);
	else
		code->bytes = 0;
}

/* Splits code range @i after @bytes; the rest becomes a separate element of in->codes. */
static int split_code(struct fargs_pt_input *in, size_t i, uint64_t bytes)
{
	struct fargs_pt_code rest = in->codes[i];

	if (!bytes || bytes >= rest.bytes)
		return 0;
	rest.addr += bytes;
	rest.at += bytes;
	rest.bytes -= bytes;
	rest.path = strdup(rest.path);
	if (fargs_pt_input_add_code(in, &rest))
		return -ENOMEM;
	in->codes[i].bytes = bytes;
	return 0;
}

/* Ends the lifetime of older code in the address range of @sym, at the time of @sym. */
static int end_codes(struct fargs_pt_input *in, const struct fargs_pt_symbol *sym)
{
	struct fargs_pt_code *code;
	size_t i;

	for (i = 0; i < in->nr_codes; i++) {
		code = &in->codes[i];
		if (code->pid != -1 || code->from_ns >= sym->ns || !holds_at(code, sym->ns) ||
		    !overlaps(code, sym->addr, sym->bytes))
			continue;
		/* Split off the parts before and after the symbol. This may move in->codes. */
		if (code->addr < sym->addr) {
			if (split_code(in, i, sym->addr - code->addr))
				return -ENOMEM;
			continue;
		}
		if (split_code(in, i, sym->addr + sym->bytes - code->addr))
			return -ENOMEM;
		in->codes[i].until_ns = sym->ns;
	}
	return 0;
}

static int end_all(struct fargs_pt_input *in)
{
	const struct fargs_pt_symbol *sym;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < in->nr_symbols; i++) {
		sym = &in->symbols[i];
		if (sym->bytes && sym->addr + sym->bytes > sym->addr)
			ret = end_codes(in, sym);
	}
	return ret;
}

/*
 * Sets the lifetime of @poke to that of the code that it modifies. The poke may be older than
 * from_ns of this code: the code of a module may be modified before the module's load event.
 */
static void set_poke(const struct fargs_pt_input *in, struct fargs_pt_poke *poke)
{
	const struct fargs_pt_code *code, *changed = NULL;
	const struct fargs_pt_symbol *sym;
	size_t i;

	for (i = 0; i < in->nr_codes; i++) {
		code = &in->codes[i];
		if (code->pid == -1 && overlaps(code, poke->addr, 1) &&
		    (!code->until_ns || poke->ns < code->until_ns) &&
		    (!changed || code->from_ns < changed->from_ns))
			changed = code;
	}
	if (changed) {
		poke->from_ns = changed->from_ns;
		poke->until_ns = changed->until_ns;
		return;
	}
	/*
	 * The modified code was not copied. Use the lifetime of its symbol: the symbol of generated
	 * code is recorded before changes of the code.
	 */
	for (i = 0; i < in->nr_symbols && !poke->until_ns; i++) {
		sym = &in->symbols[i];
		if (poke->addr - sym->addr >= sym->bytes)
			continue;
		if (!sym->is_removed && sym->ns <= poke->ns)
			poke->from_ns = sym->ns;
		else if (sym->ns > poke->ns)
			poke->until_ns = sym->ns;
	}
}

/* Adds a symbol from @from->addr to @end, named @from->name, with the lifetime of @code. */
static int add_name(struct fargs_pt_input *in, const struct fargs_pt_code *code,
		    const struct fargs_ksym *from, uint64_t end)
{
	struct fargs_pt_symbol sym = {
		.ns = code->from_ns, .addr = from->addr, .bytes = end - from->addr,
		.name = strdup(from->name), .module = from->module,
	};

	if (fargs_pt_input_add_symbol(in, &sym))
		return -ENOMEM;
	if (!code->until_ns)
		return 0;
	sym.ns = code->until_ns;
	sym.is_removed = true;
	sym.name = strdup(from->name);
	return fargs_pt_input_add_symbol(in, &sym);
}

/*
 * Adds the symbols of a module with the lifetime of its code: if modules were loaded at the same
 * address at different times, the address alone does not identify a symbol.
 */
static int add_names(struct fargs_pt_input *in, const struct fargs_pt_copied *copied)
{
	const struct fargs_pt_code *code = &in->codes[copied->code];
	size_t i, nr = in->ksyms ? fargs_ksyms_count(in->ksyms) : 0;
	uint64_t end = code->addr + code->bytes;
	const struct fargs_ksym *sym;

	if (!code->bytes || (!code->from_ns && !code->until_ns))
		return 0;
	/* Iterate from last to first: each symbol ends where the next symbol begins. */
	for (i = nr; i; i--) {
		sym = fargs_ksyms_at(in->ksyms, i - 1);
		if (sym->addr - code->addr >= code->bytes || !sym->module ||
		    strcmp(sym->module, copied->name))
			continue;
		if (sym->addr < end && add_name(in, code, sym, end))
			return -ENOMEM;
		end = sym->addr;
	}
	return 0;
}

static int compare_codes(const void *a, const void *b)
{
	const struct fargs_pt_code *x = a, *y = b;

	return x->from_ns < y->from_ns ? -1 : x->from_ns > y->from_ns;
}

int fargs_pt_lifetimes_set(struct fargs_pt_input *in, const struct fargs_pt_copied *copied,
			   size_t nr, const struct fargs_file_pt_module *modules,
			   size_t nr_modules)
{
	const struct state s = {
		.in = in, .copied = copied, .modules = modules, .nr_modules = nr_modules,
		.first_ns = find_first(in),
	};
	size_t i;

	/* If TSCs cannot be converted to times, no lifetime is known. */
	if (!in->config.has_time)
		return 0;
	for (i = 0; i < nr; i++)
		set_begin(&s, &copied[i]);
	if (end_all(in))
		return -ENOMEM;
	for (i = 0; i < in->nr_pokes; i++)
		set_poke(in, &in->pokes[i]);
	for (i = 0; i < nr; i++)
		if (add_names(in, &copied[i]))
			return -ENOMEM;
	/* mergesort() is stable, unlike qsort(): elements with equal times keep their order. */
	if (in->nr_codes > 1 &&
	    mergesort(in->codes, in->nr_codes, sizeof(*in->codes), compare_codes))
		return -ENOMEM;
	return 0;
}

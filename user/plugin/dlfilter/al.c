// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/al.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/sym/ksyms.h"
#include "source/perf_data/dso.h"
#include "source/pt/input/input.h"

#define KERNEL	"[kernel.kallsyms]"

void fargs_kernel_dsos_deinit(struct fargs_kernel_dsos *dsos)
{
	size_t i;

	for (i = 0; i < dsos->nr; i++)
		free(dsos->names[i]);
	free(dsos->names);
}

const char *fargs_kernel_dsos_get(struct fargs_kernel_dsos *dsos, const char *module)
{
	size_t n = strlen(module), i;
	char **larger, *name;

	/*
	 * Search linearly, from the latest name: there are a few dozen modules, and few of them are
	 * looked up often.
	 */
	for (i = dsos->nr; i; i--) {
		name = dsos->names[i - 1];
		if (!strncmp(name + 1, module, n) && !strcmp(name + 1 + n, "]"))
			return name;
	}
	larger = fargs_grow(dsos->names, dsos->nr, sizeof(*larger));
	if (!larger)
		return NULL;
	dsos->names = larger;
	if (asprintf(&name, "[%s]", module) < 0)
		return NULL;
	larger[dsos->nr++] = name;
	return name;
}

bool fargs_kernel_has(uint64_t addr)
{
	return addr >> 63;
}

static uint8_t binding_of(char type)
{
	if (type == 'w' || type == 'W' || type == 'V' || type == 'v')
		return STB_WEAK;
	return type >= 'A' && type <= 'Z' ? STB_GLOBAL : STB_LOCAL;
}

static const struct fargs_pt_code *segment_of(const struct fargs_pt_input *kcore, uint64_t addr)
{
	const struct fargs_pt_code *code = kcore->codes;

	for (; code < kcore->codes + kcore->nr_codes && code->pid == -1; code++)
		if (addr - code->addr < code->bytes)
			return code;
	return NULL;
}

void fargs_kernel_al_set(struct fargs_dlfilter_al *al, uint64_t addr,
			 const struct fargs_kernel *kernel, struct fargs_kernel_dsos *dsos)
{
	const struct fargs_pt_code *code = NULL;
	const struct fargs_ksym *sym;
	uint64_t moved = 0;

	al->addr = addr;
	al->is_kernel_ip = 1;
	if (kernel->kcore) {
		code = segment_of(kernel->kcore, addr);
		if (!code)
			return;
		moved = code->at - code->addr;
	}
	al->addr += moved;
	al->is_64_bit = 1;
	al->dso = KERNEL;
	if (kernel->id) {
		al->buildid = kernel->id->bytes;
		al->buildid_size = kernel->id->nr;
	}
	sym = kernel->ksyms ? fargs_ksyms_find_addr(kernel->ksyms, addr) : NULL;
	if (!sym)
		return;
	if (sym->module && !code) {
		al->dso = fargs_kernel_dsos_get(dsos, sym->module);
		al->buildid = NULL;
		al->buildid_size = 0;
	}
	al->sym = sym->name;
	al->sym_start = sym->addr + moved;
	al->sym_end = fargs_ksyms_end(kernel->ksyms, sym) + moved;
	al->symoff = addr - sym->addr;
	al->sym_binding = binding_of(sym->type);
}

void fargs_dso_al_set(struct fargs_dlfilter_al *al, const struct fargs_dso *dso, uint64_t at)
{
	const struct fargs_dso_symbol *sym = fargs_dso_find(dso, at);
	size_t bytes;

	al->addr = at;
	al->dso = fargs_dso_path(dso);
	al->is_64_bit = fargs_dso_is_64_bit(dso);
	al->buildid = fargs_dso_build_id(dso, &bytes);
	al->buildid_size = bytes;
	if (!sym)
		return;
	al->sym = sym->name;
	al->sym_start = sym->start;
	al->sym_end = sym->end;
	al->symoff = at - sym->start;
	al->sym_binding = sym->binding;
}

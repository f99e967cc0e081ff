// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/place.h"

#include "abi/machine.h"
#include "kernel/sym/ksyms.h"

/* perf's name for the kernel image. */
#define KERNEL	"[kernel.kallsyms]"

static void find_in_kernel(const struct fargs_ksyms *ksyms, struct fargs_event_place *place)
{
	const struct fargs_ksym *sym = ksyms ? fargs_ksyms_find_addr(ksyms, place->addr) : NULL;

	if (!sym || !sym->module)
		place->file = KERNEL;
	if (!sym)
		return;
	place->module = sym->module;
	place->symbol = sym->name;
	place->offset = place->addr - sym->addr;
}

void fargs_recording_place(struct fargs_recording *r, int32_t pid, uint64_t addr,
			   struct fargs_event_place *place)
{
	const struct fargs_dso_symbol *sym;
	struct fargs_dso *dso;
	uint64_t at, room;

	*place = (struct fargs_event_place){ .addr = addr };
	if (fargs_machine_is_kernel(addr)) {
		find_in_kernel(fargs_recording_ksyms(r), place);
		return;
	}
	dso = fargs_recording_find(r, pid, addr, &at, &room);
	if (!dso)
		return;
	place->file = fargs_dso_path(dso);
	sym = fargs_dso_find(dso, at);
	if (!sym)
		return;
	place->symbol = sym->name;
	place->offset = at - sym->start;
}

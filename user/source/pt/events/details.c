// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/details.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/disasm.h"
#include "abi/machine.h"
#include "base/array.h"
#include "base/put.h"
#include "source/perf_data/kernel_lines.h"
#include "source/perf_data/place_symbol.h"
#include "source/pt/code/insn.h"
#include "source/pt/code/memory.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/spaces.h"
#include "source/pt/input/user_files.h"

/* perf's name for the code of the kernel. */
#define KERNEL	"[kernel.kallsyms]"

struct fargs_pt_details {
	const struct fargs_pt_input *in;
	uint32_t details;
	struct fargs_pt_memory *memory;		/* NULL: no code is needed */
	struct fargs_kernel_lines *kernel;	/* NULL: not needed, or its build ID is unknown */
};

/* The code of the kernel, of a space, or of the kernel of a guest. */
struct view {
	int32_t space;
	struct fargs_pt_view view;
};

struct fargs_pt_detailer {
	struct fargs_pt_details *shared;
	fargs_pt_symbol_fn find;
	void *arg;
	struct view *views;
	size_t nr_views;
	uint8_t code[FARGS_PT_VIEW_READ_MAX];		/* of a sample */
	uint8_t other[FARGS_PT_VIEW_READ_MAX];		/* of another address */
	struct fargs_buf text;
};

struct fargs_pt_details *fargs_pt_details_create(const struct fargs_pt_input *in,
						 uint32_t details, struct fargs_error_text *err)
{
	struct fargs_pt_details *d = calloc(1, sizeof(*d));

	if (!d) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	d->in = in;
	d->details = details;
	if (details & (FARGS_DETAIL_INSN | FARGS_DETAIL_CODE)) {
		d->memory = fargs_pt_memory_create(in, err);
		if (!d->memory)
			goto fail;
	}
	if (details & FARGS_DETAIL_LINE && in->kernel.id.nr) {
		d->kernel = fargs_kernel_lines_create(&in->kernel, in->root);
		if (!d->kernel) {
			fargs_fail(err, ENOMEM, "out of memory");
			goto fail;
		}
	}
	return d;
fail:
	fargs_pt_details_destroy(d);
	return NULL;
}

void fargs_pt_details_destroy(struct fargs_pt_details *d)
{
	if (!d)
		return;
	fargs_pt_memory_destroy(d->memory);
	fargs_kernel_lines_destroy(d->kernel);
	free(d);
}

struct fargs_pt_detailer *fargs_pt_detailer_create(struct fargs_pt_details *details,
						   fargs_pt_symbol_fn find, void *arg)
{
	struct fargs_pt_detailer *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->shared = details;
	d->find = find;
	d->arg = arg;
	return d;
}

void fargs_pt_detailer_destroy(struct fargs_pt_detailer *d)
{
	if (!d)
		return;
	while (d->nr_views)
		fargs_pt_view_deinit(&d->views[--d->nr_views].view);
	free(d->views);
	fargs_buf_deinit(&d->text);
	free(d);
}

/* Returns the code of @space (-1: the kernel) at @ns; NULL: out of memory. */
static struct fargs_pt_view *view_of(struct fargs_pt_detailer *d, int32_t space, uint64_t ns)
{
	const struct fargs_pt_memory *memory = d->shared->memory;
	const struct fargs_pt_input *in = d->shared->in;
	int32_t user = space;
	struct view *v;
	size_t guest;
	size_t i;

	for (i = 0; i < d->nr_views; i++)
		if (d->views[i].space == space)
			break;
	if (i == d->nr_views) {
		v = fargs_array_add(d->views, d->nr_views);
		if (!v)
			return NULL;
		v->space = space;
		if (fargs_pt_guests_is_space(space)) {
			guest = fargs_pt_guests_of_space(in, space, &user);
			memory = fargs_pt_memory_guest(memory, guest);
		}
		if (fargs_pt_view_init(&v->view, memory, user)) {
			d->nr_views--;
			return NULL;
		}
	}
	v = &d->views[i];
	fargs_pt_view_move(&v->view, ns, NULL, NULL);
	return &v->view;
}

/* The mode of the CPU is not kept with each branch: it follows from the file, as in perf. */
static enum fargs_pt_exec_mode mode_of(const struct fargs_pt_detailer *d,
				       const struct fargs_pt_name *name)
{
	const struct fargs_dso *dso = name && name->files ?
				      fargs_pt_files_dso(name->files, name->file_nr) : NULL;

	return dso && !fargs_dso_is_64_bit(dso) ? FARGS_PT_EXEC_32 : FARGS_PT_EXEC_64;
}

/* Returns that of @addr. */
static struct fargs_pt_view *view_at(struct fargs_pt_detailer *d, uint64_t addr, int32_t space,
				     uint64_t ns)
{
	const struct fargs_pt_input *in = d->shared->in;
	bool is_kernel = fargs_machine_is_kernel(addr);
	int32_t user;
	size_t guest;

	if (!fargs_pt_guests_is_space(space))
		return view_of(d, is_kernel ? -1 : space, ns);
	guest = fargs_pt_guests_of_space(in, space, &user);
	if (is_kernel || user < 0)
		return view_of(d, fargs_pt_guests_space(in, guest, -1), ns);
	return view_of(d, fargs_pt_guests_have_records(in, guest) ? space : user, ns);
}

bool fargs_pt_detailer_insn(struct fargs_pt_detailer *d, uint64_t addr,
			    const struct fargs_pt_name *name, int32_t space, uint64_t ns,
			    struct fargs_event_insn *insn)
{
	struct fargs_pt_view *view = d->shared->memory ? view_at(d, addr, space, ns) : NULL;
	struct fargs_pt_decoded decoded;
	size_t n;

	n = view ? fargs_pt_view_read(view, addr, d->other, FARGS_PT_INSN_MAX) : 0;
	*insn = (struct fargs_event_insn){ .code = d->other };
	if (n && fargs_pt_insn_decode(d->other, n, mode_of(d, name), &decoded)) {
		insn->size = decoded.size;
		insn->is_branch = fargs_pt_class_is_branch(decoded.class);
	}
	return n;
}

static int set_insn(struct fargs_pt_detailer *d, struct fargs_event_sample *sample,
		    const struct fargs_pt_name *name, int32_t space, uint64_t ns)
{
	struct fargs_pt_view *view = view_at(d, sample->place.addr, space, ns);
	enum fargs_pt_exec_mode mode = mode_of(d, name);
	struct fargs_disasm text = {
		.code = d->code, .ip = sample->place.addr, .find = d->find, .arg = d->arg,
		.bits = mode == FARGS_PT_EXEC_32 ? 32 : 64,
	};
	struct fargs_pt_decoded insn;
	size_t n;

	if (!view)
		return -ENOMEM;
	n = fargs_pt_view_read(view, sample->place.addr, d->code, FARGS_PT_INSN_MAX);
	if (!fargs_pt_insn_decode(d->code, n, mode, &insn))
		return 0;
	sample->insn = d->code;
	sample->insn_bytes = insn.size;
	if (!(d->shared->details & FARGS_DETAIL_DISASM))
		return 0;
	d->text.n = 0;
	text.bytes = insn.size;
	fargs_disasm(&d->text, &text);
	fargs_put_char(&d->text, '\0');
	if (d->text.is_short)
		return -ENOMEM;
	sample->disasm = d->text.text;
	return 0;
}

/* The code of the kernel may be in a copy of kcore. */
static void set_code_file(const struct fargs_pt_input *in, struct fargs_event_place *place)
{
	const struct fargs_pt_code *code = in->codes;
	size_t nr = fargs_pt_spaces_nr_kernel(in);

	while (nr && place->addr - code->addr >= code->bytes) {
		code++;
		nr--;
	}
	if (!nr || in->kernel_fd >= 0)
		return;
	place->code_file = code->path;
	place->symbol_start += code->at - code->addr;
	place->symbol_end += code->at - code->addr;
}

/* Symbols that were registered while it ran are not among those of the kernel. */
static void set_symbol(const struct fargs_pt_input *in, struct fargs_event_place *place,
		       const struct fargs_pt_name *name)
{
	const struct fargs_dso *dso;

	if (fargs_machine_is_kernel(place->addr))
		fargs_place_symbol_kernel(place, name->is_registered ? NULL : in->ksyms,
					  &in->kernel);
	if (place->symbol_end && !place->module)
		set_code_file(in, place);
	if (!name->files)
		return;
	dso = fargs_pt_files_dso(name->files, name->file_nr);
	if (dso)
		fargs_place_symbol_dso(place, dso, name->file_at);
}

void fargs_pt_detailer_place(const struct fargs_pt_detailer *d, struct fargs_event_place *place,
			     const struct fargs_pt_name *name)
{
	uint32_t details = d->shared->details;
	const struct fargs_dso *dso;

	/* Of a guest, all that is known are its symbols. */
	if (name && name->is_guest && !name->files)
		return;
	if (details & FARGS_DETAIL_SYMBOL)
		set_symbol(d->shared->in, place, name);
	if (!(details & (FARGS_DETAIL_FILES | FARGS_DETAIL_LINE)))
		return;
	if (fargs_machine_is_kernel(place->addr) && !place->module)
		place->file = KERNEL;
	if (d->shared->kernel && fargs_machine_is_kernel(place->addr))
		fargs_kernel_lines_set(d->shared->kernel, place);
	if (!name || !name->files)
		return;
	dso = fargs_pt_files_dso(name->files, name->file_nr);
	if (!dso)
		return;
	place->file_at = name->file_at;
	if (!fargs_dso_addr(dso, name->file_at, &place->file_addr))
		place->file_addr = 0;
	place->is_fixed = fargs_dso_is_fixed(dso);
	if (details & FARGS_DETAIL_LINE)
		place->source_file = fargs_pt_files_srcline(name->files, name->file_nr,
							    name->file_at, &place->source_line);
}

int fargs_pt_detailer_set(struct fargs_pt_detailer *d, struct fargs_event_sample *sample,
			  const struct fargs_pt_name *name, int32_t space, uint64_t ns)
{
	uint32_t details = d->shared->details;

	if (!sample->has_place)
		return 0;
	return details & FARGS_DETAIL_INSN ? set_insn(d, sample, name, space, ns) : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/details.h"

#include <errno.h>
#include <stdlib.h>

#include "abi/disasm.h"
#include "abi/machine.h"
#include "base/put.h"
#include "source/perf_data/kernel_code.h"
#include "source/perf_data/kernel_lines.h"
#include "source/perf_data/place.h"
#include "source/perf_data/place_symbol.h"

/* Maximum size of an instruction. */
#define INSN_MAX	15

struct fargs_sample_details {
	struct fargs_recording *recording;
	uint32_t details;
	struct fargs_kernel_code *kernel;	/* NULL: not needed */
	struct fargs_kernel_lines *lines;	/* NULL: not needed */
	int32_t pid;			/* of the sample */
	uint8_t code[INSN_MAX];		/* of a sample */
	uint8_t other[INSN_MAX];	/* of another address */
	struct fargs_buf text;
};

struct fargs_sample_details *fargs_sample_details_create(struct fargs_recording *r,
							 uint32_t details)
{
	struct fargs_sample_details *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->recording = r;
	d->details = details;
	if (details & (FARGS_DETAIL_INSN | FARGS_DETAIL_CODE))
		d->kernel = fargs_kernel_code_create(fargs_recording_kernel(r));
	if (details & FARGS_DETAIL_LINE)
		d->lines = fargs_kernel_lines_create(fargs_recording_maps(r),
						     fargs_recording_root(r));
	if ((d->kernel || !(details & (FARGS_DETAIL_INSN | FARGS_DETAIL_CODE))) &&
	    (d->lines || !(details & FARGS_DETAIL_LINE)))
		return d;
	fargs_sample_details_destroy(d);
	return NULL;
}

void fargs_sample_details_destroy(struct fargs_sample_details *d)
{
	if (!d)
		return;
	fargs_kernel_code_destroy(d->kernel);
	fargs_kernel_lines_destroy(d->lines);
	fargs_buf_deinit(&d->text);
	free(d);
}

/* Returns the file with the code at @addr, and sets *@at to the offset in it; NULL: unknown. */
static struct fargs_dso *find_file(struct fargs_sample_details *d, int32_t pid, uint64_t addr,
				   uint64_t *at)
{
	uint64_t room;

	*at = 0;
	return fargs_machine_is_kernel(addr) ? NULL :
	       fargs_recording_find(d->recording, pid, addr, at, &room);
}

void fargs_sample_details_place(struct fargs_sample_details *d, int32_t pid,
				struct fargs_event_place *place)
{
	struct fargs_dso *dso;

	bool is_kernel = fargs_machine_is_kernel(place->addr);

	if (d->lines && is_kernel)
		fargs_kernel_lines_set(d->lines, place);
	if (d->details & FARGS_DETAIL_SYMBOL && is_kernel)
		fargs_place_symbol_kernel(place, fargs_recording_ksyms(d->recording),
					  fargs_recording_maps(d->recording));
	dso = d->details & (FARGS_DETAIL_FILES | FARGS_DETAIL_LINE | FARGS_DETAIL_SYMBOL) ?
	      find_file(d, pid, place->addr, &place->file_at) : NULL;
	if (!dso)
		return;
	if (d->details & FARGS_DETAIL_SYMBOL)
		fargs_place_symbol_dso(place, dso, place->file_at);
	if (!fargs_dso_addr(dso, place->file_at, &place->file_addr))
		place->file_addr = 0;
	place->is_fixed = fargs_dso_is_fixed(dso);
	if (d->details & FARGS_DETAIL_LINE)
		place->source_file = fargs_dso_srcline(dso, place->file_at, &place->source_line);
}

static bool find_symbol(void *arg, uint64_t addr, const char **symbol, uint64_t *offset)
{
	struct fargs_sample_details *d = arg;
	struct fargs_event_place place;

	fargs_recording_place(d->recording, d->pid, addr, &place);
	*symbol = place.symbol;
	*offset = place.offset;
	return place.symbol;
}

/* @bytes: number of bytes in d->code. */
static int set_insn(struct fargs_sample_details *d, struct fargs_event_sample *sample,
		    size_t bytes, int bits)
{
	const struct fargs_disasm insn = {
		.code = d->code, .bytes = bytes, .ip = sample->place.addr, .bits = bits,
		.find = find_symbol, .arg = d,
	};

	d->text.n = 0;
	sample->insn_bytes = fargs_disasm(&d->text, &insn);
	fargs_put_char(&d->text, '\0');
	if (d->text.is_short)
		return -ENOMEM;
	if (!sample->insn_bytes)
		return 0;
	sample->insn = d->code;
	sample->disasm = d->text.text;
	return 0;
}

bool fargs_sample_details_insn(struct fargs_sample_details *d, int32_t pid, uint64_t addr,
			       struct fargs_event_insn *insn)
{
	struct fargs_disasm code = { .code = d->other, .ip = addr, .bits = 64 };
	struct fargs_dso *dso;
	uint64_t at;

	if (!d->kernel)
		return false;
	dso = find_file(d, pid, addr, &at);
	if (dso) {
		code.bytes = fargs_dso_read(dso, at, d->other, sizeof(d->other));
		code.bits = fargs_dso_is_64_bit(dso) ? 64 : 32;
	} else if (fargs_machine_is_kernel(addr)) {
		code.bytes = fargs_kernel_code_read(d->kernel, addr, d->other, sizeof(d->other));
	}
	*insn = (struct fargs_event_insn){ .code = d->other };
	insn->size = code.bytes ? fargs_disasm_size(&code, &insn->is_branch) : 0;
	return code.bytes;
}

int fargs_sample_details_set(struct fargs_sample_details *d, int32_t pid,
			     struct fargs_event_sample *sample)
{
	struct fargs_dso *dso;
	uint64_t at;

	d->pid = pid;
	if (!(d->details & FARGS_DETAIL_INSN))
		return 0;
	if (sample->has_place && fargs_machine_is_kernel(sample->place.addr))
		return set_insn(d, sample, fargs_kernel_code_read(d->kernel, sample->place.addr,
								  d->code, sizeof(d->code)), 64);
	dso = sample->has_place ? find_file(d, pid, sample->place.addr, &at) : NULL;
	if (!dso)
		return 0;
	return set_insn(d, sample, fargs_dso_read(dso, at, d->code, sizeof(d->code)),
			fargs_dso_is_64_bit(dso) ? 64 : 32);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/decoder.h"

#include <errno.h>
#include <stdlib.h>

#include "source/pt/code/memory.h"
#include "source/pt/decode/libipt/engine.h"
#include "source/pt/decode/walk/quick.h"
#include "source/pt/decode/walk/walker.h"

/* One of the members is set: the first one by our own decoder, the second one by libipt. */
struct fargs_pt_text {
	struct fargs_pt_memory *memory;
	struct fargs_pt_sections *sections;
};

struct fargs_pt_decoder {
	const struct fargs_pt_input *in;
	const struct fargs_pt_memory *memory;
	struct fargs_pt_walker_options options;
	/* One of these is set, the first one by fargs_pt_decoder_run(). */
	struct fargs_pt_walker *walker;
	struct fargs_pt_libipt *libipt;
	struct fargs_pt_quick *quick;	/* NULL: the code is decoded, too */
};

struct fargs_pt_text *fargs_pt_text_create(const struct fargs_pt_input *in,
					   enum fargs_pt_engine engine,
					   struct fargs_error_text *err)
{
	struct fargs_pt_text *text = calloc(1, sizeof(*text));

	if (!text) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	if (engine == FARGS_PT_ENGINE_LIBIPT)
		text->sections = fargs_pt_sections_create(in, err);
	else
		text->memory = fargs_pt_memory_create(in, err);
	if (text->sections || text->memory)
		return text;
	free(text);
	return NULL;
}

void fargs_pt_text_destroy(struct fargs_pt_text *text)
{
	if (!text)
		return;
	fargs_pt_memory_destroy(text->memory);
	fargs_pt_sections_destroy(text->sections);
	free(text);
}

bool fargs_pt_text_is_shareable(const struct fargs_pt_text *text)
{
	return text->memory;
}

struct fargs_pt_decoder *fargs_pt_decoder_create(const struct fargs_pt_input *in,
						 struct fargs_pt_text *text, uint64_t switch_addr)
{
	struct fargs_pt_decoder *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->in = in;
	d->memory = text->memory;
	d->options.switch_addr = switch_addr;
	if (!text->sections)
		return d;
	d->libipt = fargs_pt_libipt_create(in, text->sections, switch_addr);
	if (d->libipt)
		return d;
	free(d);
	return NULL;
}

void fargs_pt_decoder_destroy(struct fargs_pt_decoder *d)
{
	if (!d)
		return;
	fargs_pt_quick_destroy(d->quick);
	fargs_pt_walker_destroy(d->walker);
	fargs_pt_libipt_destroy(d->libipt);
	free(d);
}

void fargs_pt_decoder_step_by_insn(struct fargs_pt_decoder *d)
{
	d->options.is_by_insn = true;
	if (d->libipt)
		fargs_pt_libipt_step_by_insn(d->libipt);
}

void fargs_pt_decoder_step_by_block(struct fargs_pt_decoder *d)
{
	d->options.is_by_block = true;
	if (d->libipt)
		fargs_pt_libipt_step_by_insn(d->libipt);
}

void fargs_pt_decoder_mark_ends(struct fargs_pt_decoder *d)
{
	d->options.has_ends = true;
}

void fargs_pt_decoder_count_cycles(struct fargs_pt_decoder *d)
{
	d->options.has_cycles = true;
	if (d->libipt)
		fargs_pt_libipt_count_cycles(d->libipt);
}

void fargs_pt_decoder_want(struct fargs_pt_decoder *d, uint8_t wants)
{
	d->options.wants = wants;
	if (d->libipt)
		fargs_pt_libipt_want(d->libipt, wants);
}

void fargs_pt_decoder_skip_jumps(struct fargs_pt_decoder *d, const struct fargs_pt_names *names)
{
	d->options.omits_jumps = true;
	d->options.begins = names;
	if (d->libipt)
		fargs_pt_libipt_skip_jumps(d->libipt, names);
}

void fargs_pt_decoder_omit_jumps(struct fargs_pt_decoder *d)
{
	d->options.omits_jumps = true;
}

void fargs_pt_decoder_forget_runs(struct fargs_pt_decoder *d)
{
	d->options.has_no_runs = true;
}

int fargs_pt_decoder_be_quick(struct fargs_pt_decoder *d, enum fargs_pt_quick_level level)
{
	d->quick = fargs_pt_quick_create(d->in, level, d->options.wants);
	return d->quick ? 0 : -ENOMEM;
}

int fargs_pt_decoder_run(struct fargs_pt_decoder *d, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow)
{
	if (d->quick)
		return fargs_pt_quick_run(d->quick, seg, flow);
	if (d->libipt)
		return fargs_pt_libipt_run(d->libipt, seg, flow);
	if (!d->walker)
		d->walker = fargs_pt_walker_create(d->in, d->memory, &d->options);
	return d->walker ? fargs_pt_walker_run(d->walker, seg, flow) : -ENOMEM;
}

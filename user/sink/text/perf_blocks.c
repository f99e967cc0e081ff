// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/perf_blocks.h"

#include <inttypes.h>
#include <string.h>

#include "abi/machine.h"
#include "base/put.h"
#include "base/row.h"
#include "sink/text/perf_source.h"

/* As in perf, longer blocks are not shown: a branch must be missing. */
#define BLOCK_MAX	(16384 - 15)
/* How far the next branch is looked for, where the sample is not after the last branch. */
#define SCAN_MAX	128
/* Width of the bytes of a branch. */
#define BYTES_WIDTH	30

/* What is shown of a sample. */
struct blocks {
	struct fargs_perf_writer *w;
	uint64_t symbol;	/* address of the symbol that was shown last; 0: none */
};

/* Names the symbol of @addr, unless it is that of the instruction before. */
static void put_symbol(struct blocks *b, uint64_t addr)
{
	struct fargs_perf_writer *w = b->w;
	struct fargs_event_place place;

	fargs_decoder_place(w->d, addr, &place);
	if (!place.symbol || addr - place.offset == b->symbol)
		return;
	b->symbol = addr - place.offset;
	fargs_put_char(w->out, '\t');
	fargs_perf_put_text(w, place.symbol);
	if (place.offset)
		fargs_perf_put(w, "+%" PRIu64, place.offset);
	fargs_put_char(w->out, ':');
	fargs_perf_put_source_line(w, &place, "\t");
	fargs_put_char(w->out, '\n');
}

static void put_source(struct blocks *b, uint64_t addr)
{
	struct fargs_event_place place;

	if (!(b->w->fields & FARGS_PERF_SRCCODE))
		return;
	fargs_decoder_place(b->w->d, addr, &place);
	fargs_perf_put_source(b->w, &place);
}

/* Writes address, bytes and size of an instruction, as wide as @width. */
static void put_insn(struct blocks *b, uint64_t addr, const struct fargs_event_insn *insn,
		     size_t width)
{
	struct fargs_perf_writer *w = b->w;
	size_t begin;
	unsigned int i;

	fargs_perf_put(w, "\t%016" PRIx64 "\t", addr);
	begin = w->out->n;
	if (!insn->size) {
		fargs_put(w->out, "bad");
	} else {
		fargs_put(w->out, "insn: ");
		for (i = 0; i < insn->size; i++)
			fargs_perf_put(w, "%02x ", insn->code[i]);
	}
	if (w->out->n - begin < width)
		fargs_buf_fill(w->out, ' ', width - (w->out->n - begin));
	if (w->fields & FARGS_PERF_BRSTACKINSNLEN)
		fargs_perf_put(w, "\tilen: %u", insn->size);
}

/* Writes the instruction of the branch @i. */
static void put_branch(struct blocks *b, unsigned int i, const struct fargs_event_insn *insn)
{
	const struct fargs_last_branch *branch = &b->w->ev->last_branches[i];
	struct fargs_buf *out = b->w->out;

	put_insn(b, branch->from, insn, BYTES_WIDTH);
	fargs_put(out, "\t#");
	fargs_put(out, b->w->ev->is_mispredicted ? " MISPRED" : "");
	fargs_put(out, branch->is_in_tx ? " INTX" : "");
	fargs_put(out, branch->aborts ? " ABORT\n" : "\n");
	put_source(b, branch->from);
}

/* Can the instructions from @begin to @end be in one block? */
static bool is_block(uint64_t begin, uint64_t end)
{
	return begin && end && fargs_machine_is_kernel(begin) == fargs_machine_is_kernel(end) &&
	       end - begin <= BLOCK_MAX;
}

/* Writes the instructions from @begin to the branch @i. */
static void put_block(struct blocks *b, uint64_t begin, unsigned int i)
{
	uint64_t end = b->w->ev->last_branches[i].from, addr = begin;
	struct fargs_event_insn insn;

	if (!is_block(begin, end) || !fargs_decoder_insn(b->w->d, begin, &insn))
		return;
	while (addr < end) {
		put_symbol(b, addr);
		put_insn(b, addr, &insn, 0);
		fargs_put_char(b->w->out, '\n');
		if (insn.size)
			put_source(b, addr);
		addr += insn.size;
		if (!insn.size || !fargs_decoder_insn(b->w->d, addr, &insn))
			break;
	}
	if (addr == end) {
		put_symbol(b, addr);
		put_branch(b, i, &insn);
	} else {
		fargs_put(b->w->out, "\tmismatch of LBR data and executable\n");
	}
}

/* Writes the instruction at the sample alone. */
static void put_sampled(struct blocks *b)
{
	uint64_t addr = b->w->sample->place.addr;
	struct fargs_event_insn insn;

	if (!addr || !fargs_decoder_insn(b->w->d, addr, &insn))
		return;
	put_insn(b, addr, &insn, 0);
	fargs_put_char(b->w->out, '\n');
}

/* Writes the instructions after the last branch, to that of the sample. */
static void put_last_block(struct blocks *b)
{
	const struct fargs_last_branch *last = b->w->ev->last_branches;
	uint64_t addr = last->to, ip = b->w->sample->place.addr;
	uint64_t end = ip < addr ? addr + SCAN_MAX : ip;
	struct fargs_event_insn insn;

	/* The sample is at the branch, whose target was not executed yet. */
	if (last->from == ip || last->aborts)
		return;
	put_symbol(b, addr);
	if (!is_block(addr, end) || !fargs_decoder_insn(b->w->d, addr, &insn)) {
		put_sampled(b);
		return;
	}
	while (addr <= end) {
		put_insn(b, addr, &insn, 0);
		fargs_put_char(b->w->out, '\n');
		if (insn.is_branch && addr != ip) {
			fargs_put(b->w->out, "\t... not reaching sample ...\n");
			break;
		}
		if (insn.size)
			put_source(b, addr);
		addr += insn.size;
		if (!insn.size || !fargs_decoder_insn(b->w->d, addr, &insn))
			break;
	}
}

void fargs_perf_put_blocks(struct fargs_perf_writer *w)
{
	const struct fargs_last_branch *branches = w->ev->last_branches;
	unsigned int i = w->ev->nr_last_branches;
	struct blocks b = { .w = w };
	struct fargs_event_insn insn;
	uint64_t begin;

	if (!(w->fields & (FARGS_PERF_BRSTACKINSN | FARGS_PERF_BRSTACKINSNLEN)) || !i)
		return;
	fargs_put_char(w->out, '\n');
	i--;
	/* Where the block of the oldest branch begins is unknown. */
	if (branches[i].from && fargs_decoder_insn(w->d, branches[i].from, &insn)) {
		put_symbol(&b, branches[i].from);
		put_branch(&b, i, &insn);
	}
	while (i--) {
		begin = branches[i + 1].to;
		/* A branch into the kernel that is not recorded: its return is the next one. */
		if (i && branches[i].from && begin &&
		    fargs_machine_is_kernel(begin) != fargs_machine_is_kernel(branches[i].from))
			i--;
		put_block(&b, begin, i);
	}
	put_last_block(&b);
}

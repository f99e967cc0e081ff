// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/perf_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/put.h"
#include "base/row.h"

/* Width of the field flags, and of the words in it. */
#define FLAGS_WIDTH	21
#define WORDS_WIDTH	15

void fargs_perf_put(struct fargs_perf_writer *w, const char *format, ...)
{
	char text[128];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fargs_put(w->out, text);
}

void fargs_perf_put_text(struct fargs_perf_writer *w, const char *text)
{
	fargs_put_escaped(w->out, text, strlen(text), NULL);
}

/* The kind of branch in words, and right-aligned in the rest of the field, marks in parentheses. */
void fargs_perf_put_flags(struct fargs_perf_writer *w)
{
	const char *words = w->sample->flags ? w->sample->flags : "";
	const char *marks = w->sample->marks ? w->sample->marks : "";
	char text[64] = "";

	if (*marks)
		snprintf(text, sizeof(text), "(%s)", marks);
	fargs_perf_put(w, "  %-*s%*s ", WORDS_WIDTH, words, FLAGS_WIDTH - WORDS_WIDTH, text);
}

/* perf calls the file of the kernel and its modules by names in brackets. */
static void put_file(struct fargs_perf_writer *w, const struct fargs_event_place *place)
{
	if (place->module) {
		fargs_put_char(w->out, '[');
		fargs_perf_put_text(w, place->module);
		fargs_put_char(w->out, ']');
	} else if (place->file) {
		fargs_perf_put_text(w, place->file);
	} else {
		fargs_put(w->out, "[unknown]");
	}
}

void fargs_perf_put_file(struct fargs_perf_writer *w, const struct fargs_event_place *place)
{
	fargs_put_char(w->out, '(');
	put_file(w, place);
	fargs_put_char(w->out, ')');
}

static void put_symbol(struct fargs_perf_writer *w, const struct fargs_event_place *place,
		       bool has_offset)
{
	if (!place->symbol) {
		fargs_put(w->out, "[unknown]");
		return;
	}
	fargs_perf_put_text(w, place->symbol);
	if (has_offset)
		fargs_perf_put(w, "+0x%" PRIx64, place->offset);
}

/* Symbol and file of an address, as far as they are fields. */
void fargs_perf_put_names(struct fargs_perf_writer *w, const struct fargs_event_place *place)
{
	if (w->fields & FARGS_PERF_SYM) {
		fargs_put_char(w->out, ' ');
		put_symbol(w, place, w->fields & FARGS_PERF_SYMOFF);
	}
	if (w->fields & FARGS_PERF_DSO) {
		fargs_put_char(w->out, ' ');
		fargs_perf_put_file(w, place);
	}
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Without debug information, perf shows the address in the file. */
void fargs_perf_put_source_line(struct fargs_perf_writer *w, const struct fargs_event_place *place,
				const char *before)
{
	if (!(w->fields & FARGS_PERF_SRCLINE) || !fargs_row(D11))
		return;
	if (place->source_file) {
		fargs_put(w->out, before);
		fargs_perf_put_text(w, base_name(place->source_file));
		fargs_perf_put(w, ":%u", place->source_line);
	} else if (place->file || place->module) {
		fargs_put(w->out, before);
		if (place->module)
			put_file(w, place);
		else
			fargs_perf_put_text(w, base_name(place->file));
		fargs_perf_put(w, "[%" PRIx64 "]",
			       place->file_addr ? place->file_addr : place->addr);
	}
}

/* Of code in files, perf shows the offset instead of the address. */
static void put_chain_entry(struct fargs_perf_writer *w, const struct fargs_event_place *place)
{
	fargs_perf_put(w, "\t%16" PRIx64, place->file_at ? place->file_at : place->addr);
	fargs_perf_put_names(w, place);
	fargs_perf_put_source_line(w, place, "\n  ");
	fargs_put_char(w->out, '\n');
}

static void put_chain(struct fargs_perf_writer *w)
{
	const uint8_t *p = w->ev->stack;
	struct fargs_event_place place;
	unsigned int i;
	uint64_t addr;

	fargs_put_char(w->out, '\n');
	put_chain_entry(w, &w->sample->place);
	for (i = 0; i < w->ev->nr_stack; i++) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		fargs_decoder_place(w->d, addr, &place);
		put_chain_entry(w, &place);
	}
}

/* The sampled address, or the chain that begins with it. @has_line: followed by the source line. */
void fargs_perf_put_place(struct fargs_perf_writer *w, bool has_line)
{
	if (!(w->fields & FARGS_PERF_IP))
		return;
	if (fargs_perf_has_chain(w)) {
		put_chain(w);
		return;
	}
	fargs_perf_put(w, " %16" PRIx64, w->sample->place.addr);
	fargs_perf_put_names(w, &w->sample->place);
	if (has_line)
		fargs_perf_put_source_line(w, &w->sample->place, "\n  ");
}

void fargs_perf_put_ipc(struct fargs_perf_writer *w)
{
	uint64_t insns = w->sample->nr_insns, cycles = w->sample->nr_cycles;

	/* As in perf, nothing of cycles without an instruction, as at an interrupt. */
	if (!(w->fields & FARGS_PERF_IPC) || !cycles || !insns || !fargs_row(C3))
		return;
	fargs_perf_put(w, " \t IPC: %" PRIu64 ".%02" PRIu64 " (%" PRIu64 "/%" PRIu64 ") ",
	    insns * 100 / cycles / 100, insns * 100 / cycles % 100, insns, cycles);
}

void fargs_perf_put_insn(struct fargs_perf_writer *w)
{
	const struct fargs_event_sample *sample = w->sample;
	unsigned int i;

	if (w->fields & FARGS_PERF_INSNLEN)
		fargs_perf_put(w, " ilen: %u", sample->insn_bytes);
	if (w->fields & FARGS_PERF_INSN && sample->insn && fargs_row(C7)) {
		fargs_put(w->out, " insn:");
		for (i = 0; i < sample->insn_bytes; i++)
			fargs_perf_put(w, " %02x", sample->insn[i]);
	}
	if (w->fields & FARGS_PERF_DISASM && sample->disasm && fargs_row(G15)) {
		fargs_put(w->out, "\t\t");
		fargs_put(w->out, sample->disasm);
	}
}

/*
 * The last branches, newest first. Only those of the CPU in a PEBS record have cycles and
 * predictions; of other branches, perf's configuration can say that all predictions were wrong.
 */
void fargs_perf_put_last_branches(struct fargs_perf_writer *w)
{
	bool has_names = !(w->fields & FARGS_PERF_BRSTACK) && w->fields & FARGS_PERF_BRSTACKSYM;
	bool is_mapped = !(w->fields & (FARGS_PERF_BRSTACK | FARGS_PERF_BRSTACKSYM));
	struct fargs_event_place place;
	unsigned int i, k;

	for (i = 0; i < w->ev->nr_last_branches; i++) {
		const struct fargs_last_branch *b = &w->ev->last_branches[i];

		if (!has_names)
			fargs_put_char(w->out, ' ');
		for (k = 0; k < 2; k++) {
			fargs_decoder_place(w->d, k ? b->to : b->from, &place);
			if (k)
				fargs_put_char(w->out, '/');
			if (has_names)
				put_symbol(w, &place, true);
			else
				fargs_put_hex(w->out, is_mapped && !place.is_fixed &&
						      place.file_at ? place.file_at : place.addr);
			if (w->fields & FARGS_PERF_DSO)
				fargs_perf_put_file(w, &place);
		}
		fargs_put(w->out, w->ev->is_mispredicted || b->is_mispredicted ? "/M" :
				  b->is_predicted ? "/P" : "/-");
		fargs_put(w->out, b->is_in_tx ? "/X" : "/-");
		fargs_put(w->out, b->aborts ? "/A/" : "/-/");
		fargs_put_u64(w->out, b->cycles, 0, ' ');
		fargs_put(w->out, "/ ");
	}
}

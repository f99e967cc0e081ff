// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/file_input.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "file/pt_file.h"
#include "file/scan.h"
#include "kernel/sym/ksyms.h"
#include "model/meta.h"
#include "source/pt/input/address_filter.h"
#include "source/pt/input/code.h"
#include "source/pt/input/file_samples.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/lifetimes.h"
#include "source/pt/input/mono.h"
#include "source/pt/input/perf_record.h"
#include "source/pt/input/spaces.h"
#include "source/pt/input/switches.h"
#include "source/pt/input/user_files.h"

/*
 * Bits of terms in attr.config, which are the same as in IA32_RTIT_CTL. Without bit 0 (pt), the
 * kernel sets BranchEn.
 */
#define CONFIG_PT		(1ull << 0)
#define CONFIG_CYC		(1ull << 1)
#define CONFIG_POWER		(1ull << 4)
#define CONFIG_PTWRITE_IP	(1ull << 5)
#define CONFIG_PTWRITE		(1ull << 12)
#define CONFIG_BRANCH		(1ull << 13)
#define CONFIG_CYC_THRESH	(0xfull << 19)
#define CONFIG_EVENT		(1ull << 31)
#define CONFIG_MTC		(1ull << 9)
#define CONFIG_TSC		(1ull << 10)
#define CONFIG_MTC_PERIOD(c)	((c) >> 14 & 15)
#define CONFIG_NO_TNT		(1ull << 55)

/* A payload of a chunk, kept because struct fargs_pt_input points into it. */
struct payload {
	struct payload *next;
	char bytes[];
};

struct state {
	struct fargs_pt_input *in;
	const char *path;
	struct fargs_scan scan;
	struct fargs_meta meta;		/* from the INFO chunk */
	struct payload *payloads;
	uint64_t sample_types[FARGS_PT_RINGS];
	bool has_config;
	struct fargs_pt_copied *copied;
	size_t nr_copied;
	struct fargs_file_pt_module *modules;
	size_t nr_modules;
	struct fargs_pt_file_samples samples;
	bool has_aux;
	FILE *symbols;			/* memory stream: lines of kallsyms, collected in text */
	char *text;
	size_t text_bytes;
	struct fargs_error_text *err;
};

static int no_memory(const struct state *s)
{
	return fargs_fail(s->err, ENOMEM, "out of memory");
}

static int fail_corrupt(const struct state *s, const struct fargs_scan_chunk *chunk,
			const char *what)
{
	return fargs_scan_corrupt(&s->scan, chunk->head.at, what, s->err);
}

/* The address filters are stored after the terms, which follow the struct. */
static int take_filter(struct state *s, const struct fargs_file_pt_config *from,
		       const char *payload, uint32_t bytes)
{
	uint64_t at = (uint64_t)from->bytes + from->terms_bytes;
	char *filter;

	if (!from->filter_bytes || at + from->filter_bytes > bytes)
		return 0;
	filter = strndup(payload + at, from->filter_bytes);
	if (!filter)
		return no_memory(s);
	fargs_pt_address_filter_parse(&s->in->config, filter);
	free(filter);
	return 0;
}

static int take_config(struct state *s, const struct fargs_scan_chunk *chunk, const char *payload)
{
	struct fargs_pt_config *to = &s->in->config;
	struct fargs_file_pt_config from;
	size_t i;

	if (chunk->head.raw_bytes < sizeof(from))
		return fail_corrupt(s, chunk, "it does not describe how Intel PT was recorded");
	memcpy(&from, payload, sizeof(from));
	*to = (struct fargs_pt_config){
		.is_intel = from.is_intel,
		.family = from.family, .model = from.model, .stepping = from.stepping,
		.cpuid_0x15_eax = from.cpuid_0x15_eax, .cpuid_0x15_ebx = from.cpuid_0x15_ebx,
		.mtc_freq = CONFIG_MTC_PERIOD(from.config),
		.nom_freq = from.nom_freq,
		.has_tsc = from.config & CONFIG_TSC, .has_mtc = from.config & CONFIG_MTC,
		.has_cyc = from.config & CONFIG_CYC,
		.has_cyc_thresh = from.config & CONFIG_CYC_THRESH,
		.has_no_tnt = from.config & CONFIG_NO_TNT,
		.has_branches = !(from.config & CONFIG_PT) || from.config & CONFIG_BRANCH,
		.has_ptwrite = from.config & CONFIG_PTWRITE,
		.has_ptwrite_ip = from.config & CONFIG_PTWRITE_IP,
		.has_power = from.config & CONFIG_POWER,
		.has_event_trace = from.config & CONFIG_EVENT,
		.has_kernel = from.flags & FARGS_PT_KERNEL,
		.has_user = from.flags & FARGS_PT_USER,
		.has_time = !s->in->is_timeless && from.flags & FARGS_PT_HAS_TIME &&
			    from.time_shift < 64,
		.time_shift = from.time_shift, .time_mult = from.time_mult,
		.time_zero = from.time_zero,
	};
	for (i = 0; i < FARGS_PT_RINGS; i++)
		s->sample_types[i] = from.events[i].sample_type;
	s->has_config = true;
	return take_filter(s, &from, payload, chunk->head.raw_bytes);
}

/*
 * In BPF pages, the kernel writes INT3 to places without a program: between programs, and where a
 * program was freed.
 */
#define INT3		0xcc
#define INT3_MIN	16
#define PAGE		4096

static size_t count_int3(const char *code, size_t bytes)
{
	size_t n = 0;

	while (n < bytes && (uint8_t)code[n] == INT3)
		n++;
	return n;
}

/* Adds a part of the copy @all: @bytes starting at offset @from. */
static int add_copied(struct state *s, const struct fargs_pt_code *all,
		      const struct fargs_pt_copied *as, size_t from, size_t bytes)
{
	struct fargs_pt_copied *to;
	struct fargs_pt_code code = *all;

	code.addr += from;
	code.at += from;
	code.bytes = bytes;
	to = fargs_array_add(s->copied, s->nr_copied);
	if (!to)
		return no_memory(s);
	*to = *as;
	to->code = s->in->nr_codes;
	code.path = strdup(s->path);
	return !code.path || fargs_pt_input_add_code(s->in, &code) ? no_memory(s) : 0;
}

/*
 * Returns the number of bytes at the beginning that are not code: a run of INT3 in BPF pages, whole
 * zero pages in other code.
 */
static size_t count_empty(const struct fargs_pt_copied *as, uint64_t addr, const char *code,
			  size_t bytes)
{
	static const char zeroes[PAGE];
	size_t n = 0;

	if (!strcmp(as->name, "bpf")) {
		n = count_int3(code, bytes);
		return n >= INT3_MIN ? n : 0;
	}
	if (addr % PAGE)
		return 0;
	while (bytes - n >= PAGE && !memcmp(code + n, zeroes, PAGE))
		n += PAGE;
	return n;
}

/*
 * Adds the parts of a copy that are code. The copy may extend past the last function, whose end is
 * unknown, and unmapped memory reads as zeroes.
 */
static int add_parts(struct state *s, const struct fargs_pt_code *all,
		     const struct fargs_pt_copied *as, const char *bytes)
{
	size_t from = 0, at = 0, n;
	int ret = 0;

	while (!ret && at < all->bytes) {
		n = count_empty(as, all->addr + at, bytes + at, all->bytes - at);
		if (n && at > from)
			ret = add_copied(s, all, as, from, at - from);
		at += n ? n : 1;
		if (n)
			from = at;
	}
	return ret || from == all->bytes ? ret : add_copied(s, all, as, from, all->bytes - from);
}

/*
 * Handles a text chunk without code, which revokes an earlier copy: its code was freed before the
 * copy was complete. Drops all parts of the copy (same name, same begin_ns) whose address is
 * all->addr or higher.
 */
static void drop_copied(struct state *s, const struct fargs_pt_code *all,
			const struct fargs_pt_copied *as)
{
	struct fargs_pt_code *code;
	size_t i;

	for (i = s->nr_copied; i; i--) {
		code = &s->in->codes[s->copied[i - 1].code];
		if (code->addr < all->addr || strcmp(s->copied[i - 1].name, as->name) ||
		    s->copied[i - 1].begin_ns != as->begin_ns)
			continue;
		code->bytes = 0;
	}
}

static int take_text(struct state *s, const struct fargs_scan_chunk *chunk, const char *payload)
{
	struct fargs_pt_code code = { .pid = -1 };
	struct fargs_pt_copied copied = { 0 };
	struct fargs_file_pt_text head;

	if (chunk->head.raw_bytes < sizeof(head))
		return fail_corrupt(s, chunk, "code without an address");
	memcpy(&head, payload, sizeof(head));
	code.addr = head.addr;
	code.bytes = chunk->head.raw_bytes - head.bytes;
	code.at = chunk->payload + head.bytes;
	if (head.bytes > chunk->head.raw_bytes || head.bytes < sizeof(head) ||
	    head.name_bytes > head.bytes - sizeof(head) || code.addr + code.bytes < code.addr)
		return fail_corrupt(s, chunk, "code that is longer than the maximum");
	snprintf(copied.name, sizeof(copied.name), "%.*s", (int)head.name_bytes,
		 payload + sizeof(head));
	copied.begin_ns = fargs_pt_input_ns(&s->in->config, head.begin_tsc);
	copied.end_ns = fargs_pt_input_ns(&s->in->config, head.end_tsc);
	if (!code.bytes)
		drop_copied(s, &code, &copied);
	if (!strcmp(copied.name, FARGS_CODE_KERNEL))
		return add_copied(s, &code, &copied, 0, code.bytes);
	return add_parts(s, &code, &copied, payload + head.bytes);
}

static int take_aux(struct state *s, const struct fargs_scan_chunk *chunk, const char *payload)
{
	struct fargs_pt_piece piece = { .bytes = (const uint8_t *)payload };
	struct fargs_pt_stream *stream;
	struct fargs_file_pt_aux head;

	if (chunk->head.raw_bytes < sizeof(head) || chunk->head.cpu >= s->meta.info.nr_cpus)
		return fail_corrupt(s, chunk, "Intel PT of an unknown CPU");
	memcpy(&head, payload, sizeof(head));
	piece.bytes += sizeof(head);
	piece.size = chunk->head.raw_bytes - sizeof(head);
	piece.offset = head.offset;
	piece.begins = head.flags & FARGS_PT_AUX_BEGINS;
	piece.is_after_loss = head.flags & FARGS_PT_AUX_AFTER_LOSS;
	if (piece.offset + piece.size < piece.offset)
		return fail_corrupt(s, chunk, "Intel PT that ends past the maximum offset");
	/* Streams of samples have nothing else. */
	if (s->samples.has_copies)
		return fail_corrupt(s, chunk, "Intel PT beside samples of it");
	s->has_aux = true;
	stream = fargs_pt_input_stream(s->in, chunk->head.cpu, -1);
	return !stream || fargs_pt_input_add_piece(stream, &piece) ? no_memory(s) : 0;
}

static int take_records(struct state *s, const struct fargs_scan_chunk *chunk,
			const char *payload)
{
	const struct perf_event_header *head;
	struct fargs_file_pt_sideband front;
	struct fargs_perf_sample sample;
	struct fargs_perf_body body;
	size_t at, bytes = chunk->head.raw_bytes;
	int ret;

	if (bytes < sizeof(front))
		return fail_corrupt(s, chunk, "sideband records without their ring");
	memcpy(&front, payload, sizeof(front));
	if (front.ring >= FARGS_PT_RINGS || !s->has_config)
		return fail_corrupt(s, chunk, "sideband records of an unknown ring");
	for (at = sizeof(front); at < bytes; at += head->size) {
		head = (const void *)(payload + at);
		if (at % 8 || bytes - at < sizeof(*head) || head->size < sizeof(*head) ||
		    head->size > bytes - at ||
		    !fargs_perf_sample_parse(&sample, head, s->sample_types[front.ring]))
			return fail_corrupt(s, chunk, "a sideband record is corrupt");
		fargs_perf_body_init(&body, head, &sample);
		ret = head->type == PERF_RECORD_AUX_OUTPUT_HW_ID ?
		      fargs_pt_file_samples_take_output(&s->samples, s->in, &body) :
		      fargs_perf_record_take(s->in, &body);
		if (ret == -EIO)
			return fail_corrupt(s, chunk, "a sideband record is too short");
		if (ret)
			return no_memory(s);
	}
	return 0;
}

static int take_samples(struct state *s, const struct fargs_scan_chunk *chunk, const char *payload)
{
	bool is_samplers = chunk->head.kind == FARGS_CHUNK_PT_SAMPLERS;
	size_t bytes = chunk->head.raw_bytes;
	int ret;

	if (!is_samplers && chunk->head.cpu >= s->meta.info.nr_cpus)
		return fail_corrupt(s, chunk, "Intel PT of an unknown CPU");
	if (!is_samplers)
		ret = fargs_pt_file_samples_take(&s->samples, s->in, chunk->head.cpu, payload,
						 bytes);
	else
		ret = fargs_pt_file_samples_describe(&s->samples, payload, bytes);
	if (!ret && is_samplers)
		ret = fargs_pt_file_samples_add_outputs(&s->samples, s->in);
	if (ret == -EIO)
		return fail_corrupt(s, chunk, "samples of Intel PT are corrupt");
	if (!ret && s->has_aux && s->samples.has_copies)
		return fail_corrupt(s, chunk, "samples beside other Intel PT");
	return ret ? no_memory(s) : 0;
}

/* Appends lines of kallsyms. The last line may lack its newline. */
static int take_symbols(struct state *s, const char *text, size_t bytes)
{
	fwrite(text, 1, bytes, s->symbols);
	if (bytes && text[bytes - 1] != '\n')
		fputc('\n', s->symbols);
	return ferror(s->symbols) ? no_memory(s) : 0;
}

static int take_late_symbols(struct state *s, const struct fargs_scan_chunk *chunk,
			     const char *payload)
{
	size_t front = sizeof(struct fargs_file_pt_symbols);

	if (chunk->head.raw_bytes < front)
		return fail_corrupt(s, chunk, "symbols without a time");
	return take_symbols(s, payload + front, chunk->head.raw_bytes - front);
}

static int take_modules(struct state *s, const struct fargs_scan_chunk *chunk,
			const char *payload)
{
	struct fargs_file_pt_module *to;
	size_t at;

	for (at = 0; at + sizeof(*to) <= chunk->head.raw_bytes; at += sizeof(*to)) {
		to = fargs_array_add(s->modules, s->nr_modules);
		if (!to)
			return no_memory(s);
		memcpy(to, payload + at, sizeof(*to));
		to->name[sizeof(to->name) - 1] = '\0';
	}
	return 0;
}

/* Adds the names that tasks had before tracing began. */
static int take_tasks(struct state *s, const struct fargs_scan_chunk *chunk, const char *payload)
{
	struct fargs_pt_comm comm = { .parent = -1 };
	struct fargs_file_task task;
	size_t at;

	for (at = 0; at + sizeof(task) <= chunk->head.raw_bytes; at += sizeof(task)) {
		memcpy(&task, payload + at, sizeof(task));
		comm.tid = task.tid;
		comm.pid = task.tgid;
		memcpy(comm.comm, task.comm, sizeof(comm.comm) - 1);
		if (fargs_pt_input_add_comm(s->in, &comm))
			return no_memory(s);
	}
	return 0;
}

/* The configuration, which comes first, tells the time of a TSC. */
static int take_clock(struct state *s, const struct fargs_scan_chunk *chunk, const char *payload)
{
	const struct fargs_pt_config *config = &s->in->config;
	struct fargs_file_pt_clock clock;

	if (chunk->head.raw_bytes < sizeof(clock))
		return fail_corrupt(s, chunk, "it has no clocks");
	memcpy(&clock, payload, sizeof(clock));
	if (config->has_time &&
	    fargs_pt_mono_add(s->in, clock.mono_ns, fargs_pt_input_ns(config, clock.tsc)))
		return no_memory(s);
	return 0;
}

static int take_chunk(struct state *s, const struct fargs_scan_chunk *chunk, const char *payload)
{
	switch (chunk->head.kind) {
	case FARGS_CHUNK_KALLSYMS:
		return take_symbols(s, payload, chunk->head.raw_bytes);
	case FARGS_CHUNK_TASKS:
		return take_tasks(s, chunk, payload);
	case FARGS_CHUNK_PT_CONFIG:
		return take_config(s, chunk, payload);
	case FARGS_CHUNK_PT_TEXT:
		return take_text(s, chunk, payload);
	case FARGS_CHUNK_PT_AUX:
		return take_aux(s, chunk, payload);
	case FARGS_CHUNK_PT_SIDEBAND:
		return take_records(s, chunk, payload);
	case FARGS_CHUNK_PT_SAMPLERS:
	case FARGS_CHUNK_PT_SAMPLES:
		return take_samples(s, chunk, payload);
	case FARGS_CHUNK_PT_MODULES:
		return take_modules(s, chunk, payload);
	case FARGS_CHUNK_PT_SYMBOLS:
		return take_late_symbols(s, chunk, payload);
	case FARGS_CHUNK_PT_CLOCK:
		return take_clock(s, chunk, payload);
	default:
		return 0;
	}
}

static bool is_wanted(unsigned int kind)
{
	return kind == FARGS_CHUNK_KALLSYMS || kind == FARGS_CHUNK_TASKS ||
	       kind == FARGS_CHUNK_PT_MODULES || kind == FARGS_CHUNK_PT_CLOCK ||
	       kind == FARGS_CHUNK_PT_SAMPLERS || kind == FARGS_CHUNK_PT_SAMPLES ||
	       (kind >= FARGS_CHUNK_PT_CONFIG && kind <= FARGS_CHUNK_PT_SYMBOLS);
}

/* Returns whether struct fargs_pt_input points into payloads of this kind. */
static bool is_kept(unsigned int kind)
{
	return kind == FARGS_CHUNK_PT_AUX || kind == FARGS_CHUNK_PT_SIDEBAND ||
	       kind == FARGS_CHUNK_PT_SAMPLES;
}

static int read_chunk(struct state *s, const struct fargs_scan_chunk *chunk)
{
	struct payload *p;
	int ret;

	if (!is_wanted(chunk->head.kind))
		return 0;
	p = malloc(sizeof(*p) + chunk->head.raw_bytes);
	if (!p)
		return no_memory(s);
	ret = fargs_scan_payload(&s->scan, chunk, p->bytes, s->err);
	if (!ret)
		ret = take_chunk(s, chunk, p->bytes);
	if (ret || !is_kept(chunk->head.kind)) {
		free(p);
		return ret;
	}
	p->next = s->payloads;
	s->payloads = p;
	return 0;
}

static int read_all(struct state *s)
{
	struct fargs_scan_chunk chunk;
	int ret = fargs_scan_init(&s->scan, s->path, &s->meta, s->err);

	while (!ret && (ret = fargs_scan_next(&s->scan, &chunk, s->err)) == 1)
		ret = read_chunk(s, &chunk);
	if (!ret && !s->has_config)
		ret = fargs_fail(s->err, ENODATA, "'%s' has no Intel PT: record with '--pt'",
				 s->path);
	return ret;
}

/*
 * Checks that pieces do not overlap. If a chunk is missing in a damaged file, sets begins and
 * is_after_loss of the piece after it.
 */
static int check_stream(const struct state *s, struct fargs_pt_stream *stream)
{
	struct fargs_pt_piece *piece = stream->pieces;
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < stream->nr_pieces; i++, piece++) {
		if (i && piece->offset < end)
			return fargs_fail(s->err, EIO, "'%s' has Intel PT of CPU %u twice",
					  s->path, stream->cpu);
		if (!piece->begins && (!i || piece->offset != end)) {
			piece->begins = true;
			piece->is_after_loss = true;
		}
		end = piece->offset + piece->size;
	}
	return 0;
}

static int compare_modules(const void *a, const void *b)
{
	const struct fargs_file_pt_module *x = a, *y = b;

	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

/* Completes the input. Symbols are optional: without them, addresses are shown as numbers. */
static int finish_input(struct state *s)
{
	size_t i;
	int ret = 0;

	_Static_assert(FARGS_PT_SITES == FARGS_META_SITES, "as many seq sites as in a file");
	for (i = 0; i < FARGS_PT_SITES; i++)
		s->in->seq_sites[i] = fargs_meta_site(&s->meta, i);
	if (fflush(s->symbols))
		return no_memory(s);
	if (s->text_bytes)
		s->in->ksyms = fargs_ksyms_parse(s->text, s->text_bytes, NULL);
	if (s->nr_modules)
		qsort(s->modules, s->nr_modules, sizeof(*s->modules), compare_modules);
	fargs_pt_mono_sort(s->in);
	if (fargs_pt_guests_read(s->in) || fargs_pt_input_sort(s->in) ||
	    fargs_pt_lifetimes_set(s->in, s->copied, s->nr_copied, s->modules, s->nr_modules) ||
	    fargs_pt_user_files_find(s->in, NULL) || fargs_pt_input_sort(s->in))
		return no_memory(s);
	fargs_pt_switch_halves_join(s->in);
	if (fargs_pt_spaces_build(s->in) || fargs_pt_switches_note(s->in))
		return no_memory(s);
	for (i = 0; !ret && i < s->in->nr_streams; i++)
		ret = check_stream(s, &s->in->streams[i]);
	return ret;
}

static void free_payloads(void *payloads)
{
	struct payload *p, *next;

	for (p = payloads; p; p = next) {
		next = p->next;
		free(p);
	}
}

int fargs_pt_file_input_read(struct fargs_pt_input *in, const char *path,
			     struct fargs_error_text *err)
{
	struct state s = { .in = in, .path = path, .err = err };
	int ret;

	s.symbols = open_memstream(&s.text, &s.text_bytes);
	if (!s.symbols)
		return no_memory(&s);
	fargs_meta_init(&s.meta);
	ret = read_all(&s);
	if (!ret)
		ret = finish_input(&s);
	/* @in points into the payloads, so @in owns them even on failure. */
	in->source = s.payloads;
	in->close = free_payloads;
	fargs_scan_deinit(&s.scan);
	fargs_meta_deinit(&s.meta);
	fclose(s.symbols);
	free(s.text);
	free(s.copied);
	free(s.modules);
	fargs_pt_file_samples_deinit(&s.samples);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes a recording that perf or fargs made on the emulated hardware, with libipt, and compares
 * it with the emulator's log of the executed instructions (truth.h), instruction by instruction.
 *
 *	check [-b] [-k KCORE] [-u PROGRAM]... TRUTH-DIR FILE
 *
 * KCORE and PROGRAM are ELF files with the code. FILE is a perf.data file, or a file of fargs
 * record, which contains the kernel's code. With -b, only the bytes of the trace are compared, for
 * recordings of programs whose code is not available. Prints a line for each contiguous piece of a
 * CPU's trace. Exit status: 0 if all is equal, 1 if not, 2 if this cannot be determined.
 */
#include <fcntl.h>
#include <gelf.h>
#include <intel-pt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "fargsdata.h"
#include "model.h"
#include "perfdata.h"
#include "truth.h"

#define SHOWN_MAX	10
#define PSB_TSC_SIZE	24
/*
 * Number of instructions without consuming any trace after which decoding is considered an endless
 * loop.
 */
#define STUCK_INSNS	(4u << 20)

struct counts {
	uint64_t insns, enables, asyncs, ptwrites, overflows, psbs, errors, mismatches;
	uint64_t pmis, lost_insns, timed, worst_tsc, sleeps, wakes, stops, modes;
};

/* Events that are compared one by one, beside the path of execution. */
enum aside { PTWRITES, PWRES, MWAITS, EXSTOPS, PWRXS, STOPS, MODES, NR_ASIDES };

struct check {
	struct truth_record *records;
	size_t nr_records;
	uint8_t *packets;	/* all packets that were generated */
	size_t nr_packets;

	/* @at: index of the next record; @at_aside: where the next one is looked for */
	size_t at, at_aside[NR_ASIDES];
	uint32_t used;		/* number of instructions of the run at @at that were decoded */
	uint64_t next_ip;	/* address of the next instruction in the middle of a run */
	uint64_t begin;		/* offset of the piece in @packets */
	struct counts counts;
	uint64_t nr_insns;	/* total number of instructions in all parts checked */
};

static struct pt_image *image;
static bool is_bytes_only;

static void mismatch(struct check *check, const char *what, uint64_t ip)
{
	const struct truth_record *record = &check->records[check->at];

	if (check->counts.mismatches++ >= SHOWN_MAX)
		return;
	printf("# %s at %" PRIx64, what, ip);
	if (check->at < check->nr_records)
		printf("; the log: kind %u, ip %" PRIx64 ", value %" PRIx64 ", nr %u (%u done)",
		       record->kind, record->ip, record->value, record->nr, check->used);
	printf("\n");
}

static const struct truth_record *next_record(struct check *check)
{
	while (check->at < check->nr_records && truth_is_aside(&check->records[check->at]))
		check->at++;
	return check->at < check->nr_records ? &check->records[check->at] : NULL;
}

/* Consumes the next record, which must be of @kind. */
static const struct truth_record *expect(struct check *check, enum truth_kind kind,
					 const char *what, uint64_t ip)
{
	const struct truth_record *record = next_record(check);

	if (!record || record->kind != kind || check->used) {
		mismatch(check, what, ip);
		return NULL;
	}
	check->at++;
	return record;
}

static bool on_insn(struct check *check, const struct pt_insn *insn)
{
	const struct truth_record *record = next_record(check);

	if (!record || record->kind != TRUTH_RUN ||
	    insn->ip != (check->used ? check->next_ip : record->ip)) {
		mismatch(check, "instruction", insn->ip);
		return false;
	}
	check->next_ip = insn->ip + insn->size;
	check->counts.insns++;
	if (++check->used == record->nr) {
		check->used = 0;
		check->at++;
	}
	return true;
}

static bool on_enabled(struct check *check, const struct pt_event *event)
{
	uint64_t ip = event->variant.enabled.ip, off;
	const struct truth_record *record = expect(check, TRUTH_ENABLE, "enabled", ip);

	if (!record)
		return false;
	if (record->ip != ip) {
		check->at--;
		mismatch(check, "enabled", ip);
		return false;
	}
	off = event->tsc > record->value ? event->tsc - record->value : record->value - event->tsc;
	if (event->has_tsc) {
		check->counts.timed++;
		if (off > check->counts.worst_tsc)
			check->counts.worst_tsc = off;
	}
	check->counts.enables++;
	return true;
}

static bool on_async(struct check *check, uint64_t from, uint64_t to, bool has_to)
{
	const struct truth_record *record = expect(check, TRUTH_ASYNC, "interrupt", from);

	if (!record)
		return false;
	if (record->ip != from || (has_to && record->value != to)) {
		check->at--;
		mismatch(check, "interrupt", from);
		return false;
	}
	check->counts.asyncs++;
	return true;
}

/* Handles the end of the trace by an interrupt to code that is not traced, or by software. */
static bool on_async_disabled(struct check *check, const struct pt_event *event)
{
	const struct truth_record *record = next_record(check);
	uint64_t at = event->variant.async_disabled.at;

	if (record && record->kind == TRUTH_ASYNC && !on_async(check, at, 0, false))
		return false;
	return expect(check, TRUTH_DISABLE, "disabled", at);
}

/*
 * Handles an overflow. The code executed after the last branch before the loss is unknown: the rest
 * of a run may be missing, and so may the following runs that were reached by direct branches.
 */
static bool on_overflow(struct check *check, const struct pt_event *event)
{
	uint64_t ip = event->ip_suppressed ? 0 : event->variant.overflow.ip;
	const struct truth_record *record;

	while ((record = next_record(check)) && record->kind != TRUTH_OVF) {
		if (record->kind == TRUTH_RUN)
			check->counts.lost_insns += record->nr - check->used;
		check->used = 0;
		check->at++;
	}
	if (!expect(check, TRUTH_OVF, "overflow", ip) || record->ip != ip) {
		mismatch(check, "overflow", ip);
		return false;
	}
	check->counts.overflows++;
	return true;
}

/* Consumes the next record of @kind; with @wanted, only of those with these bits in nr. */
static const struct truth_record *take(struct check *check, enum aside aside,
				       enum truth_kind kind, uint32_t wanted, const char *what)
{
	size_t *at = &check->at_aside[aside];

	for (; *at < check->nr_records; ++*at)
		if (check->records[*at].kind == kind && !(wanted & ~check->records[*at].nr))
			return &check->records[(*at)++];
	mismatch(check, what, 0);
	return NULL;
}

static bool differ(struct check *check, const char *what, uint64_t ip)
{
	mismatch(check, what, ip);
	return false;
}

static bool on_ptwrite(struct check *check, const struct pt_event *event)
{
	const struct truth_record *record = take(check, PTWRITES, TRUTH_PTW, 0,
						 "PTWRITE that is not in the log");

	if (!record)
		return false;
	if (record->value != event->variant.ptwrite.payload ||
	    record->nr != event->variant.ptwrite.size ||
	    (!event->ip_suppressed && record->ip != event->variant.ptwrite.ip))
		return differ(check, "PTWRITE", event->variant.ptwrite.ip);
	check->counts.ptwrites++;
	return true;
}

/* The C-state of a sleep, as in packets: that of the hint of MWAIT; HLT requests C1, which is 0. */
static unsigned int state_of(const struct truth_record *record)
{
	return record->value >> 4 & 15;
}

static bool on_power(struct check *check, const struct pt_event *event)
{
	const struct truth_record *record;

	switch (event->type) {
	case ptev_pwre:
		record = take(check, PWRES, TRUTH_IDLE, 0, "PWRE that is not in the log");
		if (!record)
			return false;
		if (event->variant.pwre.state != state_of(record) ||
		    event->variant.pwre.sub_state != (record->value & 15) ||
		    event->variant.pwre.hw)
			return differ(check, "PWRE", record->ip);
		check->counts.sleeps++;
		return true;
	case ptev_mwait:
		record = take(check, MWAITS, TRUTH_IDLE, TRUTH_MWAIT,
			      "MWAIT that is not in the log");
		return record && (event->variant.mwait.hints == (record->value & 0xff) ||
				  differ(check, "MWAIT", record->ip));
	case ptev_exstop:
		record = take(check, EXSTOPS, TRUTH_IDLE, 0, "EXSTOP that is not in the log");
		return record && ((event->ip_suppressed ? 0 : event->variant.exstop.ip) ==
				  record->ip || differ(check, "EXSTOP", record->ip));
	default:
		if (!take(check, PWRXS, TRUTH_WAKE, 0, "PWRX that is not in the log"))
			return false;
		check->counts.wakes++;
		return true;
	}
}

/* The mode is in the log wherever tracing begins and the privilege changes. */
static bool on_mode(struct check *check, const struct pt_event *event)
{
	const struct truth_record *record = NULL;
	size_t i;

	for (i = 0; i <= check->at + 2 && i < check->nr_records; i++)
		if (check->records[i].kind == TRUTH_SPACE)
			record = &check->records[i];
	if (!record)
		return true;
	check->counts.modes++;
	return (event->variant.exec_mode.mode == ptem_32bit) == !!(record->nr & TRUTH_32BIT) ||
	       differ(check, "mode", event->variant.exec_mode.ip);
}

static bool on_event(struct check *check, const struct pt_event *event)
{
	if (event->status_update)
		return true;
	switch (event->type) {
	case ptev_enabled:
		return on_enabled(check, event);
	case ptev_disabled:
		return expect(check, TRUTH_DISABLE, "disabled", 0);
	case ptev_async_disabled:
		return on_async_disabled(check, event);
	case ptev_async_branch:
		return on_async(check, event->variant.async_branch.from,
				event->variant.async_branch.to, !event->ip_suppressed);
	case ptev_overflow:
		return on_overflow(check, event);
	case ptev_ptwrite:
		return on_ptwrite(check, event);
	case ptev_pwre:
	case ptev_mwait:
	case ptev_exstop:
	case ptev_pwrx:
		return on_power(check, event);
	case ptev_exec_mode:
		return on_mode(check, event);
	case ptev_stop:
		check->counts.stops++;
		return take(check, STOPS, TRUTH_STOP, 0, "TraceStop that is not in the log");
	default:
		return true;
	}
}

/* Moves to the record of the PSB at @offset. */
static bool align(struct check *check, uint64_t offset)
{
	size_t i, aside;

	for (i = 0; i < check->nr_records; i++)
		if (check->records[i].kind == TRUTH_PSB && check->records[i].offset == offset)
			break;
	if (i == check->nr_records) {
		printf("# no PSB was made at %" PRIu64 "\n", offset);
		check->counts.mismatches++;
		return false;
	}
	check->at = i;
	for (aside = 0; aside < NR_ASIDES; aside++)
		check->at_aside[aside] = i;
	check->used = 0;
	return true;
}

/* Follows the code until an error, a mismatch or the end. Returns libipt's status. */
static int follow(struct check *check, struct pt_insn_decoder *decoder, int status)
{
	uint64_t offset, last_offset = 0, nr_since = 0;
	struct pt_event event;
	struct pt_insn insn;

	for (;;) {
		while (status & pts_event_pending) {
			status = pt_insn_event(decoder, &event, sizeof(event));
			if (status < 0)
				return status;
			if (!on_event(check, &event))
				return -pte_bad_query;
		}
		if (status & pts_eos)
			return -pte_eos;
		status = pt_insn_next(decoder, &insn, sizeof(insn));
		if (status < 0)
			return status;
		if (!on_insn(check, &insn))
			return -pte_bad_query;
		if (pt_insn_get_offset(decoder, &offset) >= 0 && offset != last_offset) {
			last_offset = offset;
			nr_since = 0;
		} else if (++nr_since > STUCK_INSNS) {
			mismatch(check, "never-ending loop", insn.ip);
			return -pte_bad_query;
		}
	}
}

static void decode(struct check *check, struct pt_insn_decoder *decoder)
{
	uint64_t offset = 0;
	int status;

	for (;;) {
		status = pt_insn_sync_forward(decoder);
		if (status < 0)
			break;
		pt_insn_get_sync_offset(decoder, &offset);
		if (!align(check, check->begin + offset))
			break;
		status = follow(check, decoder, status);
		if (status == -pte_eos)
			return;
		if (status == -pte_bad_query)
			continue;
		pt_insn_get_offset(decoder, &offset);
		check->counts.errors++;
		printf("# libipt at %" PRIu64 ": %s\n", offset,
		       pt_errstr(pt_errcode(status)));
		mismatch(check, "error", 0);
	}
	if (status != -pte_eos)
		printf("# libipt: %s\n", pt_errstr(pt_errcode(status)));
}

/* Returns the offset of the next PSB in the piece; the piece's size if there is none. */
static size_t find_psb(const struct perfdata_piece *piece)
{
	static const uint8_t psb[] = {
		0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
		0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
	};
	const uint8_t *found = memmem(piece->bytes, piece->size, psb, sizeof(psb));

	return found ? (size_t)(found - piece->bytes) : piece->size;
}

/*
 * Finds the position of the piece, which begins with a PSB, in all generated packets, by the TSC
 * after the PSB: no two PSBs have the same TSC.
 */
static bool locate(struct check *check, const struct perfdata_piece *piece)
{
	size_t left = piece->size < PSB_TSC_SIZE ? piece->size : PSB_TSC_SIZE, i;

	for (i = 0; i < check->nr_records; i++) {
		const struct truth_record *record = &check->records[i];

		if (record->kind != TRUTH_PSB || record->offset + left > check->nr_packets ||
		    memcmp(check->packets + record->offset, piece->bytes, left))
			continue;
		check->begin = record->offset;
		return true;
	}
	printf("# cpu %u: what was recorded was never made\n", piece->cpu);
	return false;
}

static size_t nr_equal(const uint8_t *a, const uint8_t *b, size_t size)
{
	size_t i;

	for (i = 0; i < size && a[i] == b[i]; i++)
		;
	return i;
}

/* Returns whether the remaining bytes are padding that perf added. */
static bool is_padding(const uint8_t *bytes, size_t size)
{
	static const uint8_t zeros[8];

	return size < sizeof(zeros) && !memcmp(bytes, zeros, size);
}

static void configure(struct pt_config *config, struct check *check, uint8_t *bytes, size_t size)
{
	uint64_t control = 0;
	size_t i;

	for (i = 0; i < check->nr_records && check->records[i].offset <= check->begin; i++)
		if (check->records[i].kind == TRUTH_CONTROL &&
		    check->records[i].value & CTL_TRACE_EN)
			control = check->records[i].value;
	pt_config_init(config);
	config->begin = bytes;
	config->end = bytes + size;
	config->cpuid_0x15_eax = CLOCK_CPUID_EAX;
	config->cpuid_0x15_ebx = CLOCK_CPUID_EBX;
	config->nom_freq = CLOCK_CBR;
	config->mtc_freq = control >> CTL_MTC_FREQ_SHIFT & 15;
}

/*
 * Returns how many instructions and events in the log were not decoded, up to offset @end. If the
 * buffer was full, these are the instructions before a branch whose packet was lost.
 */
static uint64_t nr_left(struct check *check, uint64_t end)
{
	const struct truth_record *record;
	uint64_t nr = 0;

	for (; (record = next_record(check)) && record->offset < end; check->at++) {
		nr += record->kind == TRUTH_RUN ? record->nr - check->used : 1;
		check->used = 0;
	}
	return nr;
}

static void count_marks(struct check *check, uint64_t end)
{
	size_t i;

	for (i = 0; i < check->nr_records; i++) {
		const struct truth_record *record = &check->records[i];

		if (record->kind == TRUTH_FAULT || record->kind == TRUTH_ODD) {
			printf("# the emulator: kind %u, ip %" PRIx64 ", value %" PRIx64 "\n",
			       record->kind, record->ip, record->value);
			check->counts.mismatches++;
		}
		if (record->offset < check->begin || record->offset >= end)
			continue;
		check->counts.psbs += record->kind == TRUTH_PSB;
		check->counts.ptwrites += is_bytes_only && record->kind == TRUTH_PTW;
		check->counts.pmis += record->kind == TRUTH_PMI;
	}
}

/*
 * Checks the first part of the piece, which begins with a PSB, up to the first place where packets
 * are missing. Only a full buffer may cause missing packets. Returns the size of the part; 0 if its
 * beginning was not found.
 */
static size_t check_part(struct check *check, const struct perfdata_piece *piece,
			 bool is_truncated, bool *ok)
{
	struct counts *counts = &check->counts;
	struct pt_insn_decoder *decoder;
	struct pt_config config;
	uint64_t left = 0;
	size_t same;

	memset(counts, 0, sizeof(*counts));
	*ok = false;
	if (!locate(check, piece))
		return 0;
	same = piece->size;
	if (check->begin + same > check->nr_packets)
		same = check->nr_packets - check->begin;
	same = nr_equal(piece->bytes, check->packets + check->begin, same);
	configure(&config, check, piece->bytes, same);
	if (!is_bytes_only) {
		decoder = pt_insn_alloc_decoder(&config);
		if (!decoder || pt_insn_set_image(decoder, image) < 0) {
			fprintf(stderr, "check: libipt: no decoder\n");
			exit(2);
		}
		decode(check, decoder);
		pt_insn_free_decoder(decoder);
		left = nr_left(check, check->begin + same);
	}
	count_marks(check, check->begin + same);
	printf("cpu %u: bytes %zu of %zu psbs %" PRIu64 " insns %" PRIu64 " enables %" PRIu64
	       " interrupts %" PRIu64 " ptwrites %" PRIu64 " overflows %" PRIu64 " lost %" PRIu64
	       " pmis %" PRIu64 " sleeps %" PRIu64 " wakes %" PRIu64 " stops %" PRIu64
	       " modes %" PRIu64 " timed %" PRIu64 " tsc_off %" PRIu64 " errors %" PRIu64
	       " mismatches %" PRIu64 " left %" PRIu64 "\n",
	       piece->cpu, same, piece->size, counts->psbs, counts->insns, counts->enables,
	       counts->asyncs, counts->ptwrites, counts->overflows, counts->lost_insns,
	       counts->pmis, counts->sleeps, counts->wakes, counts->stops, counts->modes,
	       counts->timed, counts->worst_tsc, counts->errors,
	       counts->mismatches, left);
	check->nr_insns += counts->insns;
	*ok = !counts->errors && !counts->mismatches && (is_truncated || !left);
	return same;
}

/*
 * Checks a piece. Only a full buffer may have split it into several parts, each of which can be
 * decoded from its first PSB on.
 */
static bool check_piece(struct check *check, struct perfdata_piece piece, bool is_truncated)
{
	bool ok = true, part_ok;
	size_t done;

	for (;;) {
		done = find_psb(&piece);
		if (done && !is_truncated && !piece.is_tail) {
			printf("# cpu %u: %zu bytes that begin with no PSB\n", piece.cpu, done);
			return false;
		}
		piece.bytes += done;
		piece.size -= done;
		if (!piece.size)
			return ok;
		done = check_part(check, &piece, is_truncated, &part_ok);
		ok &= part_ok;
		if (!done)
			return false;
		piece.bytes += done;
		piece.size -= done;
		if (is_padding(piece.bytes, piece.size))
			return ok;
		if (piece.is_whole && piece.size) {
			printf("# cpu %u: what comes after %zu bytes does not continue them\n",
			       piece.cpu, done);
			return false;
		}
	}
}

static void add_segment(const char *path, uint64_t offset, uint64_t size, uint64_t address)
{
	int status = size ? pt_image_add_file(image, path, offset, size, NULL, address) : 0;

	if (status < 0)
		fprintf(stderr, "%s: segment at %" PRIx64 ": %s\n", path, address,
			pt_errstr(pt_errcode(status)));
}

static void add_code(const char *path)
{
	GElf_Phdr segment;
	Elf *elf;
	size_t nr = 0, i;
	int fd;

	elf_version(EV_CURRENT);
	fd = open(path, O_RDONLY);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getphdrnum(elf, &nr) || !nr) {
		fprintf(stderr, "%s: no ELF file: %s\n", path, elf_errmsg(-1));
		exit(2);
	}
	for (i = 0; i < nr; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD)
			add_segment(path, segment.p_offset, segment.p_filesz, segment.p_vaddr);
	elf_end(elf);
	close(fd);
}

static void read_truth(struct check *check, const char *dir, uint32_t cpu)
{
	char path[4096];

	check->records = truth_read(dir, cpu, &check->nr_records);
	if (!check->records)
		exit(2);
	snprintf(path, sizeof(path), "%s/pt.%u", dir, cpu);
	check->packets = file_read(path, &check->nr_packets);
	if (!check->packets) {
		perror(path);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct perfdata data;
	uint64_t nr_insns = 0;
	bool ok = true;
	size_t i;
	int option;

	image = pt_image_alloc(NULL);
	while ((option = getopt(argc, argv, "bk:u:")) > 0) {
		if (option == '?')
			return 2;
		if (option == 'b')
			is_bytes_only = true;
		else
			add_code(optarg);
	}
	if (argc - optind != 2) {
		fprintf(stderr, "usage: check [-b] [-k KCORE] [-u PROGRAM]... TRUTH-DIR FILE\n");
		return 2;
	}
	ok = fargsdata_is(argv[optind + 1]) ? fargsdata_read(&data, image, argv[optind + 1]) :
					      perfdata_read(&data, argv[optind + 1]);
	if (!ok)
		return 2;
	for (i = 0; i < data.nr_pieces; i++) {
		struct check check = { 0 };

		read_truth(&check, argv[optind], data.pieces[i].cpu);
		ok &= check_piece(&check, data.pieces[i], data.nr_truncated);
		nr_insns += check.nr_insns;
		free(check.records);
		free(check.packets);
	}
	printf("pieces %zu truncated %" PRIu64 "\n", data.nr_pieces, data.nr_truncated);
	return ok && data.nr_pieces && (nr_insns || is_bytes_only) ? 0 : 1;
}

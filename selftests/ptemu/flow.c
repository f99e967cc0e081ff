// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares fargs's own flow of a recording (source/pt/decode/flow.h) with the emulator's log of the
 * executed instructions (truth.h): each branch, the number of instructions before it, each
 * execution of the instructions that allocate sequence numbers or switch tasks, and, if the log has
 * tasks, which one executes a program's instructions, and its name. No packet may be decoded twice
 * and, of AUX samples and snapshots (copies.h), none may be missing that follows a PSB. check.c
 * tests libipt alone.
 *
 *	flow [-n] [-s] [-c CPU] [-r ROOT] TRUTH-DIR FILE
 *
 * With -n, tasks are not compared. With -s, FILE is of AUX samples or snapshots: of perf (a file,
 * or the directory with it), or samples of fargs. With -c, the stream of a thread is compared: this
 * thread must be the only traced one, and must have run on that CPU all the time. With -r, all
 * paths, including those of recorded programs, are below ROOT, which contains /proc. Prints a line
 * for each CPU. Exit status: 0 if all is equal, 1 if not, 2 if this cannot be determined.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copies.h"
#include "fargsdata.h"
#include "perfdata.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/read.h"
#include "source/pt/input/switches.h"
#include "source/pt/trace/context.h"
#include "source/pt/trace/decoder.h"
#include "source/pt/trace/trace.h"
#include "truth.h"

#define SHOWN_MAX	10
/* Addresses below this one are those of programs. */
#define USER_END	(UINT64_C(1) << 47)
#define PSB_TSC_SIZE	24

/*
 * Number of instructions whose executions are counted: the seq sites and, as the last one, the
 * instruction that switches tasks.
 */
#define NR_MARKED	(FARGS_PT_SITES + 1)

struct counts {
	uint64_t segments, shown, insns, marked, interrupts, overflows, lost_insns, errors;
	uint64_t mismatches, left, named, twice;
	struct copies_counts copies;
};

struct check {
	const struct fargs_pt_stream *stream;
	uint32_t cpu;
	struct truth_record *records;
	size_t nr_records;
	uint8_t *packets;	/* all packets that were generated */
	size_t nr_packets;
	uint8_t *is_decoded;	/* of each byte in @packets */
	size_t *psbs;		/* indexes of the PSBs in @records */
	size_t nr_psbs;

	bool is_aligned;	/* the position of the items in the log is known */
	uint64_t begin;		/* offset of the segment in @packets */
	size_t at;		/* index of the next record */
	uint32_t used;		/* number of instructions of the run at @at that were decoded */
	bool is_behind_mark;	/* the next record may continue the run before it */
	uint64_t next_ip;	/* address of the next run; 0: unknown */
	uint64_t run_ip;	/* address at which the current run began; 0: no run has begun */
	uint32_t nr_insns;	/* number of instructions of items since the last take_insns() */
	uint64_t nr_marked[NR_MARKED];	/* marked instructions executed since the last branch */
	const struct truth_record *task;	/* the task that runs; NULL: unknown */
	struct counts counts;
};

static struct fargs_pt_input in;
static bool has_tasks = true;
static uint64_t marked[NR_MARKED];

static void mismatch(struct check *check, const char *what, uint64_t ip)
{
	const struct truth_record *record = &check->records[check->at];

	check->is_aligned = false;
	if (check->counts.mismatches++ >= SHOWN_MAX)
		return;
	printf("# cpu %u: %s at %" PRIx64, check->cpu, what, ip);
	if (check->at < check->nr_records)
		printf("; the log: kind %u, ip %" PRIx64 ", value %" PRIx64 ", nr %u (%u done)",
		       record->kind, record->ip, record->value, record->nr, check->used);
	printf("\n");
}

static const struct truth_record *next_record(struct check *check)
{
	while (check->at < check->nr_records && truth_is_aside(&check->records[check->at])) {
		if (check->records[check->at].kind == TRUTH_TASK)
			check->task = &check->records[check->at];
		check->at++;
		check->is_behind_mark = true;
	}
	return check->at < check->nr_records ? &check->records[check->at] : NULL;
}

static bool begin_run(struct check *check, const struct truth_record *record)
{
	if (!check->run_ip) {
		check->run_ip = record->ip;
		if (record->ip == check->next_ip)
			return true;
		mismatch(check, "wrong beginning of a run", check->next_ip);
		return false;
	}
	/* The previous run ended with a branch that was taken. */
	if (!check->is_behind_mark) {
		mismatch(check, "no branch before the run", record->ip);
		return false;
	}
	return true;
}

/*
 * Consumes the instructions of @item in the log. None of them may be a branch that was taken,
 * except for the last one.
 */
static bool take_insns(struct check *check, const struct fargs_pt_item *item)
{
	uint32_t nr = check->nr_insns + item->nr_insns, n;
	const struct truth_record *record;

	check->nr_insns = 0;
	check->counts.insns += nr;
	while (nr) {
		record = next_record(check);
		if (!record || record->kind != TRUTH_RUN) {
			mismatch(check, "too many instructions", item->from);
			return false;
		}
		if (!check->used && !begin_run(check, record))
			return false;
		n = record->nr - check->used;
		n = n < nr ? n : nr;
		nr -= n;
		check->used += n;
		if (check->used == record->nr) {
			check->used = 0;
			check->at++;
			check->is_behind_mark = false;
		}
	}
	return true;
}

/*
 * Ends the run, which must end with the instruction at @from or, with @is_before, directly before
 * it.
 */
static bool end_run(struct check *check, uint64_t from, bool is_before)
{
	uint64_t nr;
	size_t i;

	if (check->used) {
		mismatch(check, "branch in the middle of a run", from);
		return false;
	}
	for (i = 0; i < NR_MARKED; i++) {
		nr = check->run_ip && marked[i] && check->run_ip <= marked[i] &&
		     marked[i] < from + !is_before;
		if (nr != check->nr_marked[i]) {
			mismatch(check, nr ? "execution missing in the flow" :
				 "execution missing in the log", marked[i]);
			return false;
		}
		check->counts.marked += nr;
		check->nr_marked[i] = 0;
	}
	check->run_ip = 0;
	return true;
}

/* Consumes the next record, which must be of @kind and, unless @ip is 0, at @ip. */
static bool expect(struct check *check, enum truth_kind kind, const char *what, uint64_t ip)
{
	const struct truth_record *record = next_record(check);

	if (!record || record->kind != kind || (ip && record->ip != ip)) {
		mismatch(check, what, ip);
		return false;
	}
	check->at++;
	return true;
}

/* Compares the task that executed @nr instructions of a program with the one of the log. */
static void check_task(struct check *check, const struct fargs_pt_item *item, uint32_t nr,
		       struct fargs_pt_context *context)
{
	const char *comm = fargs_pt_context_comm(context);
	char name[sizeof(check->task->ip) + sizeof(check->task->value) + 1] = "";

	memcpy(name, &check->task->ip, sizeof(check->task->ip));
	memcpy(name + sizeof(check->task->ip), &check->task->value, sizeof(check->task->value));
	check->counts.named += nr;
	if (check->task->nr == (uint32_t)context->tid && !strcmp(name, comm))
		return;
	if (check->counts.mismatches++ < SHOWN_MAX)
		printf("# cpu %u: task %d '%s' at %" PRIx64 "; the log: %u '%s'\n", check->cpu,
		       context->tid, comm, item->from, check->task->nr, name);
}

static void on_branch(struct check *check, const struct fargs_pt_item *item,
		      struct fargs_pt_context *context)
{
	uint32_t nr = check->nr_insns + item->nr_insns;

	if (!take_insns(check, item) || !end_run(check, item->from, false))
		return;
	if (has_tasks && check->task && item->from < USER_END)
		check_task(check, item, nr, context);
	check->next_ip = item->to;
	if (item->flags & FARGS_PT_ENDS)
		expect(check, TRUTH_DISABLE, "disabled", 0);
}

static void on_interrupt(struct check *check, const struct fargs_pt_item *item)
{
	const struct truth_record *record;

	if (!take_insns(check, item) || !end_run(check, item->from, true))
		return;
	record = next_record(check);
	if (!expect(check, TRUTH_ASYNC, "interrupt", item->from))
		return;
	if (item->to && item->to != record->value)
		mismatch(check, "interrupt with another target", item->from);
	check->next_ip = item->to;
	check->counts.interrupts++;
}

/* Handles the end of the trace by an interrupt to code that is not traced, or by software. */
static void on_end(struct check *check, const struct fargs_pt_item *item)
{
	const struct truth_record *record;

	if (!take_insns(check, item) || !end_run(check, item->from, true))
		return;
	record = next_record(check);
	if (record && record->kind == TRUTH_ASYNC &&
	    !expect(check, TRUTH_ASYNC, "interrupt", item->from))
		return;
	expect(check, TRUTH_DISABLE, "disabled", 0);
}

static void on_begin(struct check *check, const struct fargs_pt_item *item)
{
	if (!(item->flags & FARGS_PT_WAS_ON)) {
		if (!take_insns(check, item) ||
		    !expect(check, TRUTH_ENABLE, "enabled", item->to))
			return;
	}
	check->next_ip = item->to;
	check->run_ip = 0;
}

/*
 * Handles an overflow. The code executed after the last branch before the loss is unknown: the rest
 * of a run may be missing, and so may the following runs that were reached by direct branches.
 */
static void on_overflow(struct check *check, const struct fargs_pt_item *item)
{
	const struct truth_record *record;

	if (!take_insns(check, item))
		return;
	while ((record = next_record(check)) && record->kind != TRUTH_OVF) {
		if (record->kind == TRUTH_RUN)
			check->counts.lost_insns += record->nr - check->used;
		check->used = 0;
		check->at++;
	}
	if (!expect(check, TRUTH_OVF, "overflow", item->to))
		return;
	check->next_ip = item->to;
	check->run_ip = 0;
	memset(check->nr_marked, 0, sizeof(check->nr_marked));
	check->counts.overflows++;
	/* If the trace continues at item->to, fargs shows a line for it. */
	check->counts.shown += !!item->to;
}

static void on_mark(struct check *check, const struct fargs_pt_item *item)
{
	check->nr_marked[item->kind == FARGS_PT_SITE ? item->to : NR_MARKED - 1]++;
	check->nr_insns += item->nr_insns;
}

static void on_item(struct check *check, const struct fargs_pt_item *item, bool is_broken,
		    struct fargs_pt_context *context)
{
	if (item->kind == FARGS_PT_BEGIN && item->flags & FARGS_PT_CONTINUES && !is_broken) {
		check->nr_insns += item->nr_insns;
		return;
	}
	check->counts.shown += item->kind == FARGS_PT_BRANCH || item->kind == FARGS_PT_INTERRUPT ||
			       item->kind == FARGS_PT_BEGIN || item->kind == FARGS_PT_END;
	if (item->kind == FARGS_PT_ERROR) {
		check->counts.errors++;
		check->is_aligned = false;
	}
	if (!check->is_aligned)
		return;
	switch (item->kind) {
	case FARGS_PT_BRANCH:
		on_branch(check, item, context);
		break;
	case FARGS_PT_INTERRUPT:
		on_interrupt(check, item);
		break;
	case FARGS_PT_END:
		on_end(check, item);
		break;
	case FARGS_PT_BEGIN:
		on_begin(check, item);
		break;
	case FARGS_PT_OVERFLOW:
		on_overflow(check, item);
		break;
	case FARGS_PT_SITE:
	case FARGS_PT_SWITCH:
		on_mark(check, item);
		break;
	default:
		check->nr_insns += item->nr_insns;
	}
}

/*
 * Moves to the record of the PSB with which @seg begins, by the TSC after the PSB: no two PSBs have
 * the same TSC.
 */
static void align(struct check *check, const struct fargs_pt_segment *seg)
{
	struct fargs_pt_window window = { };
	const uint8_t *bytes;
	uint64_t got;
	size_t i;

	check->used = 0;
	check->run_ip = 0;
	check->nr_insns = 0;
	memset(check->nr_marked, 0, sizeof(check->nr_marked));
	bytes = fargs_pt_window_get(&window, seg->stream, seg->piece, seg->begin, PSB_TSC_SIZE,
				    &got);
	for (i = 0; bytes && i < check->nr_psbs && !check->is_aligned; i++) {
		const struct truth_record *record = &check->records[check->psbs[i]];

		if (record->offset + got > check->nr_packets ||
		    memcmp(check->packets + record->offset, bytes, got))
			continue;
		check->at = check->psbs[i];
		check->begin = record->offset;
		check->is_aligned = true;
	}
	free(window.bytes);
	for (i = check->at; check->is_aligned && i && check->records[i - 1].kind != TRUTH_TASK;)
		i--;
	check->task = check->is_aligned && i ? &check->records[i - 1] : NULL;
	if (check->is_aligned)
		return;
	check->counts.mismatches++;
	printf("# cpu %u: what is recorded at %" PRIu64 " was never made\n", check->cpu,
	       seg->begin);
}

/*
 * Marks the packets of @seg as decoded. Returns the offset after them; zeroes at the end of the
 * trace may be padding, which was never generated.
 */
static uint64_t mark_decoded(struct check *check, const struct fargs_pt_segment *seg)
{
	uint64_t end = check->begin + (seg->next - seg->begin), got, i;
	struct fargs_pt_window window = { };
	const uint8_t *bytes;

	bytes = fargs_pt_window_get(&window, seg->stream, seg->piece, seg->begin,
				    seg->next - seg->begin, &got);
	if (seg->is_last)
		end = check->begin + copies_count_equal(check->packets + check->begin,
							check->nr_packets - check->begin, bytes,
							got);
	for (i = check->begin; i < end; i++)
		check->counts.twice += check->is_decoded[i]++;
	free(window.bytes);
	return end;
}

/* Counts the instructions and events in the log that were recorded up to @end, but not decoded. */
static void count_left(struct check *check, uint64_t end)
{
	const struct truth_record *record;

	for (; check->is_aligned && (record = next_record(check)) && record->offset < end;
	     check->at++) {
		check->counts.left += record->kind == TRUTH_RUN ? record->nr - check->used : 1;
		check->used = 0;
	}
}

static void check_part(struct check *check, const struct fargs_pt_part *part)
{
	const struct fargs_pt_item behind = { .nr_insns = part->flow.nr_rest };
	const struct fargs_pt_segment *seg = part->seg;
	const struct fargs_pt_flow *flow = &part->flow;
	struct fargs_pt_context context = { .in = &in };
	bool is_broken = part->is_broken_off;
	struct fargs_pt_count switched;
	uint64_t end;
	size_t i;

	if (seg->is_first)
		check->is_aligned = false;
	/* The position was lost after an error or mismatch. */
	is_broken |= !check->is_aligned;
	check->counts.segments++;
	if (seg->begin == seg->end)
		return;
	if (seg->is_first || is_broken)
		align(check, seg);
	end = check->is_aligned ? mark_decoded(check, seg) : 0;
	fargs_pt_count_begin(&switched, &part->switched);
	for (i = 0; i < flow->nr; i++) {
		if (fargs_pt_count_take(&switched, &part->switched, flow, i) || !i ||
		    flow->items[i].tsc != flow->items[i - 1].tsc)
			fargs_pt_context_set(&context, part, switched.nr, flow->items[i].tsc);
		on_item(check, &flow->items[i], is_broken, &context);
	}
	if (!seg->is_last)
		check->nr_insns += flow->nr_rest;
	else if (check->is_aligned && take_insns(check, &behind))
		count_left(check, end);
	check->begin += seg->next - seg->begin;
}

static bool has_loss(const struct fargs_pt_stream *s)
{
	size_t i;

	for (i = 0; i < s->nr_pieces; i++)
		if (s->pieces[i].is_after_loss)
			return true;
	return false;
}

static void fail(const char *what)
{
	fprintf(stderr, "flow: %s\n", what);
	exit(2);
}

static void begin_check(struct check *check, const char *dir, const struct fargs_pt_stream *stream,
			uint32_t cpu)
{
	char path[4096];
	size_t i, nr;

	*check = (struct check){
		.stream = stream, .cpu = stream->cpu == UINT32_MAX ? cpu : stream->cpu,
	};
	snprintf(path, sizeof(path), "%s/pt.%u", dir, check->cpu);
	check->packets = file_read(path, &check->nr_packets);
	check->records = truth_read(dir, check->cpu, &check->nr_records);
	if (!check->packets || !check->records)
		fail("the log cannot be read");
	check->is_decoded = calloc(1, check->nr_packets + 1);
	for (i = 0; i < check->nr_records; i++)
		check->nr_psbs += check->records[i].kind == TRUTH_PSB;
	check->psbs = calloc(check->nr_psbs + 1, sizeof(*check->psbs));
	if (!check->is_decoded || !check->psbs)
		fail("out of memory");
	for (i = 0, nr = 0; i < check->nr_records; i++)
		if (check->records[i].kind == TRUTH_PSB)
			check->psbs[nr++] = i;
}

/* Counts the bytes of copies that are not decoded. */
static void check_copies(struct check *check, struct perfdata *copies)
{
	struct copies_log log = {
		.packets = check->packets, .nr_packets = check->nr_packets,
		.is_decoded = check->is_decoded, .is_copied = calloc(1, check->nr_packets + 1),
		.nr_psbs = check->nr_psbs,
		.psbs = calloc(check->nr_psbs + 1, sizeof(*log.psbs)),
	};
	size_t i;

	if (!log.psbs || !log.is_copied)
		fail("out of memory");
	for (i = 0; i < log.nr_psbs; i++)
		log.psbs[i] = check->records[check->psbs[i]].offset;
	if (!copies_check(copies, &log, &check->counts.copies))
		check->counts.mismatches++;
	free(log.is_copied);
	free(log.psbs);
}

/* Prints the result. Returns whether all is equal. */
static bool end_check(struct check *check, struct perfdata *copies)
{
	struct counts *counts = &check->counts;

	if (copies)
		check_copies(check, copies);
	printf("cpu %u: segments %" PRIu64 " shown %" PRIu64 " insns %" PRIu64 " marked %" PRIu64
	       " interrupts %" PRIu64 " overflows %" PRIu64 " lost %" PRIu64 " errors %" PRIu64
	       " mismatches %" PRIu64 " left %" PRIu64 " named %" PRIu64 " twice %" PRIu64
	       " missing %" PRIu64 " common %" PRIu64 "\n",
	       check->cpu, counts->segments, counts->shown, counts->insns, counts->marked,
	       counts->interrupts, counts->overflows, counts->lost_insns, counts->errors,
	       counts->mismatches, counts->left, counts->named, counts->twice,
	       counts->copies.missing, counts->copies.common);
	free(check->records);
	free(check->packets);
	free(check->is_decoded);
	free(check->psbs);
	return !counts->errors && !counts->mismatches && !counts->twice &&
	       !counts->copies.missing && (!counts->left || has_loss(check->stream));
}

/* Called for each part of each stream, in the order of the stream, by a single thread. */
static int take_part(void *arg, struct fargs_pt_part *part, unsigned int thread)
{
	struct check *checks = arg;

	(void)thread;
	check_part(&checks[part->seg->stream - in.streams], part);
	return 0;
}

static int write_nothing(void *arg, const char *text, size_t bytes)
{
	(void)arg;
	(void)text;
	(void)bytes;
	return 0;
}

/* Returns whether all streams are equal to the log. @cpu: the one of a thread's stream. */
static bool check_all(const char *dir, uint32_t cpu, struct perfdata *copies)
{
	const struct fargs_pt_trace_options options = { .nr_threads = 1 };
	struct check *checks = calloc(in.nr_streams + 1, sizeof(*checks));
	const struct fargs_pt_view view = { .arg = checks, .write = take_part };
	struct fargs_error_text err = { "" };
	bool ok = in.nr_streams > 0;
	size_t i;

	if (!checks)
		fail("out of memory");
	for (i = 0; i < in.nr_streams; i++)
		begin_check(&checks[i], dir, &in.streams[i], cpu);
	if (fargs_pt_trace_run(&in, &options, &view, write_nothing, NULL, &err))
		fail(err.text);
	for (i = 0; i < in.nr_streams; i++)
		ok &= end_check(&checks[i], copies);
	free(checks);
	return ok && (!copies || copies_are_known(copies));
}

static bool read_copies(struct perfdata *copies, const char *path)
{
	char file[4096];
	struct stat st;

	if (fargsdata_is(path))
		return fargsdata_read(copies, NULL, path);
	snprintf(file, sizeof(file), "%s%s", path,
		 !stat(path, &st) && S_ISDIR(st.st_mode) ? "/data" : "");
	return perfdata_read(copies, file);
}

int main(int argc, char **argv)
{
	struct fargs_error_text err = { "" };
	struct perfdata copies = { };
	uint32_t cpu = UINT32_MAX;
	bool has_copies = false, ok;
	int c;

	while ((c = getopt(argc, argv, "c:nr:s")) != -1) {
		if (c == 'c')
			cpu = strtoul(optarg, NULL, 10);
		else if (c == 'n')
			has_tasks = false;
		else if (c == 's')
			has_copies = true;
		else if (c == '?' || chroot(optarg) || chdir("/"))
			fail("no option, or no root");
	}
	if (argc - optind != 2) {
		fprintf(stderr, "usage: flow [-n] [-s] [-c CPU] [-r ROOT] TRUTH-DIR FILE\n");
		return 2;
	}
	argv += optind;
	fargs_pt_input_init(&in);
	if (fargs_pt_read(&in, argv[1], NULL, &err))
		fail(err.text);
	if (has_copies && !read_copies(&copies, argv[1]))
		fail("its samples or snapshots cannot be read");
	memcpy(marked, in.seq_sites, sizeof(in.seq_sites));
	marked[NR_MARKED - 1] = fargs_pt_switches_addr(&in);
	ok = check_all(argv[0], cpu, has_copies ? &copies : NULL);
	fargs_pt_input_deinit(&in);
	return ok ? 0 : 1;
}

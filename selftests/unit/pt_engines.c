// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares fargs' decoder with libipt's, PSB by PSB: where neither reports an error, the same
 * branches, instructions and events follow each other, and the times fit.
 *
 *	pt_engines [-b] [-r ROOT] [RECORDING...]
 *
 * Without RECORDING, compares those of ../shared/testdata. With -b, by branches only. With -r, all
 * paths, including those of recorded programs, are below ROOT, which contains /proc.
 *
 * The times: fargs' items have the time of the packet that they need. libipt may read on, by up to
 * two packets that affect the flow, or, by instructions, 2.1 may not have read this one; so its
 * items have a time from that of the packet before to that of the second next. If times are
 * estimated, both may be wrong by what fargs_pt_flow_error() returns.
 *
 * These differences are known, and counted (Documentation/pt-conformance.md says who is right):
 *	begin	a PSB directly before an event, or before the end of the data: fargs has a BEGIN
 *		item before it; libipt has it after an event, or not at all
 *	branch	the branch before an overflow: libipt does not show it
 *	off	where a trace of the kernel without programs is turned off: libipt may end it at a
 *		write to CR3, a few instructions early
 *	pip	a PIP directly before an overflow, or before the end of the data: libipt follows the
 *		code up to the write to CR3, fargs ends at the last packet that affects the flow
 * libipt 2.0 has errors at packets that it does not know: such segments are not compared.
 */
#include <stdlib.h>

#include "source/pt/code/insn.h"
#include "source/pt/input/file_input.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/packet/clock.h"
#include "source/pt/packet/errata.h"
#include "source/pt/packet/packet.h"
#include "unit/pt_recorded.h"
#include "unit/pt_testdata.h"

static struct fargs_pt_input in;
static struct fargs_error_text err;
static char **recordings;
static bool is_by_branches_only;
static bool is_cut;
static unsigned int nr_cut;		/* PIPs after which segments were cut off */

struct totals {
	uint64_t segments, with_errors, errors[2], items, insns;
	uint64_t later, latest;		/* libipt's times that are later, and by how much at most */
	uint64_t earlier, earliest;	/* likewise */
	uint64_t begins, branches, offs, off_insns, pips, pip_insns;	/* known; see above */
};

/* The most instructions after the write to CR3 at which libipt ends a trace. */
#define OFF_INSNS_MAX	7

/*
 * Gets the next item, which includes the instructions before skipped ones: where TICK and POKED
 * items are depends on when a time is read. Returns false at the end.
 */
static bool get_item(const struct fargs_pt_flow *flow, size_t *i, struct fargs_pt_item *item)
{
	uint32_t nr_insns = 0;

	while (*i < flow->nr) {
		*item = flow->items[(*i)++];
		item->nr_insns += nr_insns;
		nr_insns = item->nr_insns;
		if (item->kind != FARGS_PT_TICK && item->kind != FARGS_PT_POKED)
			return true;
	}
	*item = (struct fargs_pt_item){
		.kind = UINT8_MAX, .nr_insns = nr_insns + flow->nr_rest,
	};
	return false;
}

static uint64_t count_errors(const struct fargs_pt_flow *flow)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < flow->nr; i++)
		nr += flow->items[i].kind == FARGS_PT_ERROR;
	return nr;
}

static bool is_same(const struct fargs_pt_item *a, const struct fargs_pt_item *b)
{
	/*
	 * libipt does not know which packet has the branch that ends an EXECUTED. The interrupt
	 * flag is in an event that libipt 2.0 lacks, so the engine with libipt leaves it out.
	 */
	uint8_t except = FARGS_PT_VAGUE | FARGS_PT_IF_OFF | FARGS_PT_IF_TOGGLES |
			 (a->kind == FARGS_PT_EXECUTED ? FARGS_PT_HAS_BIT : 0);

	/* SITE items have a time instead of an address. */
	return a->kind == b->kind && a->to == b->to && a->insn == b->insn &&
	       (a->flags | except) == (b->flags | except) &&
	       a->nr_insns == b->nr_insns && (a->kind == FARGS_PT_SITE || a->from == b->from);
}

static void show(const char *name, const struct fargs_pt_item *item)
{
	if (item->kind != UINT8_MAX)
		printf("# %s: kind %u from %" PRIx64 " to %" PRIx64 " insn %u flags %u, %u "
		       "instructions, tsc %" PRIu64 " offset %" PRIu64 "\n", name, item->kind,
		       item->from, item->to, item->insn, item->flags, item->nr_insns, item->tsc,
		       item->offset);
	else
		printf("# %s: the end\n", name);
}

/* The time at a packet. */
struct times {
	struct fargs_pt_reader reader;
	struct fargs_pt_clock clock;
	const uint8_t *bytes;
	uint64_t begin;			/* stream offset of @bytes */
	uint64_t before;		/* time of the last packet that affects the flow */
	bool has_pip;			/* there was a PIP since that packet */
	uint64_t error;			/* of estimated times */
};

static void begin_times(struct times *t, const struct fargs_pt_segment *seg,
			struct fargs_pt_window *w)
{
	uint64_t size = 0;

	*t = (struct times){ .begin = seg->begin };
	if (in.config.has_mtc || in.config.has_cyc)
		t->error = fargs_pt_flow_error(&in.config);
	t->bytes = fargs_pt_window_get(w, seg->stream, seg->piece, seg->begin,
				       seg->end - seg->begin, &size);
	t->reader = (struct fargs_pt_reader){
		.at = t->bytes, .end = t->bytes + size, .errata = fargs_pt_errata(&in.config),
	};
	fargs_pt_clock_init(&t->clock, &in.config, t->reader.errata);
}

/* Reads a packet. Returns whether it affects the flow. */
static bool read_packet(struct times *t)
{
	struct fargs_pt_packet packet;

	fargs_pt_packet_read(&t->reader, &packet);
	fargs_pt_clock_take(&t->clock, &packet);
	switch (packet.kind) {
	case FARGS_PT_PACKET_CUT:
	case FARGS_PT_PACKET_BAD:
		t->reader.at = t->reader.end;
		return true;
	case FARGS_PT_PACKET_TNT:
	case FARGS_PT_PACKET_TIP:
	case FARGS_PT_PACKET_PGE:
	case FARGS_PT_PACKET_PGD:
	case FARGS_PT_PACKET_OVF:
	case FARGS_PT_PACKET_PSBEND:
		t->has_pip = false;
		return true;
	case FARGS_PT_PACKET_PIP:
		t->has_pip = true;
		return false;
	default:
		return false;
	}
}

/* Reads the packets before stream offset @offset. */
static void advance(struct times *t, uint64_t offset)
{
	while (t->reader.at < t->reader.end && t->begin + (t->reader.at - t->bytes) < offset)
		if (read_packet(t))
			t->before = t->clock.tsc;
}

/* Returns the time after the next packet that affects the flow, and the two after it. */
static uint64_t next_time(const struct times *t)
{
	struct times ahead;
	unsigned int nr = 0;

	for (ahead = *t; nr < 3 && ahead.reader.at < ahead.reader.end;)
		nr += read_packet(&ahead);
	return ahead.clock.tsc;
}

static bool do_times_fit(struct times *t, const struct fargs_pt_item *own,
			 const struct fargs_pt_item *libipt, struct totals *all)
{
	uint64_t later = libipt->tsc > own->tsc ? libipt->tsc - own->tsc : 0;
	uint64_t earlier = own->tsc > libipt->tsc ? own->tsc - libipt->tsc : 0;

	all->later += !!later;
	all->earlier += !!earlier;
	if (later > all->latest)
		all->latest = later;
	if (earlier > all->earliest)
		all->earliest = earlier;
	if (t->error == UINT64_MAX || (later <= t->error && earlier <= t->error))
		return true;
	advance(t, own->offset);
	return t->before <= libipt->tsc + t->error && libipt->tsc <= next_time(t) + t->error;
}

/* The flow of a segment by both decoders: 0 is fargs', 1 libipt's. */
struct both {
	const struct fargs_pt_flow *flows;
	struct times *times;
	size_t at[2];
	struct fargs_pt_item item[2];
	bool has[2];
};

static void get(struct both *b, unsigned int k)
{
	b->has[k] = get_item(&b->flows[k], &b->at[k], &b->item[k]);
}

static bool is_continued(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_BEGIN && item->flags & FARGS_PT_CONTINUES;
}

/* A branch that turns the trace off, without an address in the packet. */
static bool is_off(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_BRANCH && item->flags & FARGS_PT_ENDS && !item->to;
}

/* Whether fargs' trace is turned off a few instructions after that of libipt. */
static bool is_off_later(struct both *b, struct totals *all)
{
	struct fargs_pt_item *own = &b->item[0], *libipt = &b->item[1];
	uint32_t nr_insns = own->nr_insns;

	if (!is_off(libipt) || !in.config.has_kernel || in.config.has_user)
		return false;
	/* By instructions, each is an item. */
	while (b->has[0] && own->kind == FARGS_PT_EXECUTED &&
	       nr_insns <= libipt->nr_insns + OFF_INSNS_MAX) {
		get(b, 0);
		nr_insns += own->nr_insns;
	}
	if (!is_off(own) || nr_insns <= libipt->nr_insns ||
	    nr_insns - libipt->nr_insns > OFF_INSNS_MAX)
		return false;
	all->offs++;
	all->off_insns += nr_insns - libipt->nr_insns;
	return true;
}

/*
 * Whether libipt followed the code up to the write to CR3 before an overflow, or before the end of
 * the data. Of two ends, the difference of their numbers of instructions is counted.
 */
static bool is_followed_to_pip(struct both *b, struct totals *all)
{
	struct fargs_pt_item *own = &b->item[0], *libipt = &b->item[1];
	uint32_t nr_insns = 0;

	advance(b->times, b->has[0] ? own->offset : UINT64_MAX);
	if ((b->has[0] && own->kind != FARGS_PT_OVERFLOW) || !b->times->has_pip)
		return false;
	/* Between two packets that affect the flow, there are only direct branches. */
	while (b->has[1] && ((libipt->kind == FARGS_PT_BRANCH &&
			      (libipt->insn == FARGS_PT_INSN_JUMP ||
			       libipt->insn == FARGS_PT_INSN_CALL)) ||
			     libipt->kind == FARGS_PT_EXECUTED)) {
		nr_insns += libipt->nr_insns;
		get(b, 1);
	}
	nr_insns += libipt->nr_insns;
	if (b->has[1] != b->has[0] || libipt->kind != own->kind || libipt->to != own->to ||
	    nr_insns <= own->nr_insns)
		return false;
	all->pips++;
	all->pip_insns += nr_insns - own->nr_insns;
	return true;
}

/*
 * Whether the difference of the current items is a known one. If so, skips what only one of both
 * decoders shows, and counts it.
 */
static bool is_known(struct both *b, struct totals *all)
{
	struct fargs_pt_item *own = &b->item[0], *libipt = &b->item[1], branch = *own;
	unsigned int k;

	if (b->has[0] && !b->has[1] && own->kind == FARGS_PT_BEGIN && !own->nr_insns) {
		all->begins++;
		get(b, 0);
		return !b->has[0];
	}
	if (!b->has[0])
		return is_followed_to_pip(b, all);
	if (!b->has[1])
		return false;
	if (is_continued(own) != is_continued(libipt)) {
		k = is_continued(libipt);
		if (b->item[k].nr_insns)
			return false;
		all->begins++;
		get(b, k);
		return is_same(own, libipt) || is_known(b, all);
	}
	if (own->kind == FARGS_PT_BRANCH && libipt->kind == FARGS_PT_OVERFLOW) {
		all->branches++;
		get(b, 0);
		own->nr_insns += branch.nr_insns;
		return own->from == branch.from && is_same(own, libipt);
	}
	return is_off_later(b, all) || is_followed_to_pip(b, all);
}

/* Compares the flows of a segment. Returns false if they differ. */
static bool compare(const struct fargs_pt_segment *seg, const struct fargs_pt_flow flows[2],
		    struct totals *all)
{
	struct fargs_pt_window window = { };
	struct times times;
	struct both b = { .flows = flows, .times = &times };
	uint64_t off_insns = all->off_insns, pip_insns = all->pip_insns;
	bool is_ok;

	begin_times(&times, seg, &window);
	do {
		get(&b, 0);
		get(&b, 1);
		is_ok = is_same(&b.item[0], &b.item[1]) || is_known(&b, all);
		if (is_ok && b.has[0] && b.has[1])
			is_ok = do_times_fit(&times, &b.item[0], &b.item[1], all);
		all->items += is_ok;
	} while (is_ok && b.has[0] && b.has[1]);
	if (!is_ok) {
		ktap_fail(__FILE__, __LINE__, "CPU %d, PSB at %" PRIu64 ", item %zu of %zu, %zu of"
			  " %zu:", (int)seg->stream->cpu, seg->begin, b.at[0], flows[0].nr,
			  b.at[1], flows[1].nr);
		show("fargs", &b.item[0]);
		show("libipt", &b.item[1]);
	}
	if (flows[0].nr_insns + all->pip_insns - pip_insns !=
	    flows[1].nr_insns + all->off_insns - off_insns) {
		ktap_fail(__FILE__, __LINE__, "CPU %d, PSB at %" PRIu64 ": %" PRIu64
			  " instructions, %" PRIu64 " by libipt", (int)seg->stream->cpu, seg->begin,
			  flows[0].nr_insns, flows[1].nr_insns);
		is_ok = false;
	}
	all->insns += flows[0].nr_insns;
	free(window.bytes);
	return is_ok;
}

/* Decodes a segment with both. Returns false if they differ. */
static bool compare_segment(const struct fargs_pt_segment *seg, struct fargs_pt_decoder *d[2],
			    struct fargs_pt_flow flows[2], struct totals *all)
{
	uint64_t nr[2];
	size_t k;

	for (k = 0; k < 2; k++) {
		CHECK(!fargs_pt_decoder_run(d[k], seg, &flows[k]));
		nr[k] = count_errors(&flows[k]);
		all->errors[k] += nr[k];
	}
	all->segments++;
	if (!nr[0] && !nr[1])
		return compare(seg, flows, all);
	all->with_errors++;
	return true;
}

/* The most bytes after a PIP at which a segment is cut off, and the number of PIPs. */
#define CUT_BYTES	16
#define CUT_PIPS	50

/*
 * As compare_segment(), with the segment cut off at each of the bytes after a PIP, as it is when a
 * buffer is full.
 */
static bool compare_cut(const struct fargs_pt_segment *seg, struct fargs_pt_decoder *d[2],
			struct fargs_pt_flow flows[2], struct totals *all)
{
	struct fargs_pt_window window = { };
	struct fargs_pt_segment cut = *seg;
	struct fargs_pt_packet packet;
	struct times times;
	bool is_ok = true;
	uint64_t end;

	begin_times(&times, seg, &window);
	cut.is_last = true;
	while (is_ok && nr_cut < CUT_PIPS && times.reader.at < times.reader.end) {
		fargs_pt_packet_read(&times.reader, &packet);
		if (packet.kind == FARGS_PT_PACKET_CUT || packet.kind == FARGS_PT_PACKET_BAD)
			break;
		if (packet.kind != FARGS_PT_PACKET_PIP)
			continue;
		nr_cut++;
		end = times.begin + (times.reader.at - times.bytes);
		for (cut.end = end; is_ok && cut.end < seg->next && cut.end < end + CUT_BYTES;
		     cut.end++) {
			cut.next = cut.end;
			is_ok = compare_segment(&cut, d, flows, all);
		}
	}
	free(window.bytes);
	return is_ok;
}

static void compare_stream(const struct fargs_pt_stream *s, bool is_by_insn, struct totals *all)
{
	struct fargs_pt_decoder *d[2];
	struct fargs_pt_text *text[2];
	struct fargs_pt_flow flows[2] = { };
	struct fargs_pt_segments segs;
	size_t i, k, nr_different = 0;

	for (k = 0; k < 2; k++) {
		text[k] = fargs_pt_text_create(&in, k ? FARGS_PT_ENGINE_LIBIPT :
						    FARGS_PT_ENGINE_FARGS, &err);
		d[k] = text[k] ? fargs_pt_decoder_create(&in, text[k], 0) : NULL;
		REQUIRE(d[k]);
		if (is_by_insn)
			fargs_pt_decoder_step_by_insn(d[k]);
	}
	REQUIRE(!fargs_pt_segments_init(&segs, s, 1));
	/* Each difference would be shown. */
	for (i = 0; i < segs.nr && nr_different < 5; i++)
		nr_different += !(is_cut ? compare_cut : compare_segment)(&segs.all[i], d, flows,
									  all);
	fargs_pt_segments_deinit(&segs);
	for (k = 0; k < 2; k++) {
		fargs_pt_flow_deinit(&flows[k]);
		fargs_pt_decoder_destroy(d[k]);
		fargs_pt_text_destroy(text[k]);
	}
}

/* Reads a perf.data or fargs.dat file. */
static bool read_recording(const char *path)
{
	fargs_pt_input_init(&in);
	if (!fargs_perf_input_read(&in, path, NULL, &err))
		return true;
	fargs_pt_input_deinit(&in);
	fargs_pt_input_init(&in);
	return !fargs_pt_file_input_read(&in, path, &err);
}

static void compare_recording(const char *path)
{
	struct totals all;
	size_t i, k;

	if (!read_recording(path)) {
		ktap_fail(__FILE__, __LINE__, "%s", err.text);
		fargs_pt_input_deinit(&in);
		return;
	}
	for (k = 0; k < (is_by_branches_only ? 1 : 2); k++) {
		all = (struct totals){ };
		nr_cut = 0;
		for (i = 0; i < in.nr_streams; i++)
			compare_stream(&in.streams[i], k, &all);
		printf("# by %s: %" PRIu64 " segments, %" PRIu64 " with errors (fargs %" PRIu64
		       ", libipt %" PRIu64 "); %" PRIu64 " items, %" PRIu64 " instructions; "
		       "libipt's time is later for %" PRIu64 ", by up to %" PRIu64 ", earlier for "
		       "%" PRIu64 ", by up to %" PRIu64 "\n",
		       k ? "instructions" : "branches", all.segments, all.with_errors,
		       all.errors[0], all.errors[1], all.items, all.insns, all.later, all.latest,
		       all.earlier, all.earliest);
		printf("# known differences: %" PRIu64 " begin, %" PRIu64 " branch, %" PRIu64
		       " off (%" PRIu64 " instructions), %" PRIu64 " pip (%" PRIu64
		       " instructions)\n", all.begins, all.branches, all.offs, all.off_insns,
		       all.pips, all.pip_insns);
		CHECK(!all.errors[0] || all.errors[1]);
		CHECK(all.items || all.errors[1]);
	}
	fargs_pt_input_deinit(&in);
}

static void of_a_kernel(void)
{
	if (pt_testdata_unpack("pt-kernel"))
		compare_recording(pt_testdata_at("pt-kernel/perf.data"));
}

/* So that there are many PIPs before an end of the data, where one is rarely. */
static void of_a_kernel_cut_off(void)
{
	if (!pt_testdata_unpack("pt-kernel"))
		return;
	is_cut = true;
	compare_recording(pt_testdata_at("pt-kernel/perf.data"));
	is_cut = false;
	CHECK(nr_cut == CUT_PIPS);
}

/* A trace of a CPU, of which the script makes a perf.data file. */
static void of_a_program(void)
{
	static const char *const script = PT_TESTDATA "/wrap-pt-bundle.py";
	char out[] = "/tmp/fargs-pt-XXXXXX", command[256];
	int fd;

	if (access(script, R_OK)) {
		ktap_skip("there is no %s", script);
		return;
	}
	fd = mkstemp(out);
	REQUIRE(fd >= 0);
	snprintf(command, sizeof(command),
		 "cd " PT_TESTDATA " && python3 wrap-pt-bundle.py mkperf.py pt-user %s >/dev/null",
		 out);
	CHECK(!system(command));
	compare_recording(out);
	close(fd);
	unlink(out);
}

static void of_arguments(void)
{
	char **path;

	for (path = recordings; *path; path++) {
		printf("# %s\n", *path);
		compare_recording(*path);
	}
}

int main(int argc, char **argv)
{
	static const struct ktap_test tests[] = {
		{ "a kernel, on an emulated CPU", of_a_kernel },
		{ "a kernel, cut off after a PIP", of_a_kernel_cut_off },
		{ "a program, on a CPU", of_a_program },
	};
	static const struct ktap_test given[] = {
		{ "the recordings that were given", of_arguments },
	};
	int status, c;

	while ((c = getopt(argc, argv, "br:")) != -1) {
		if (c == 'b')
			is_by_branches_only = true;
		else if (c != 'r' || chroot(optarg) || chdir("/"))
			return 2;
	}
	recordings = argv + optind;
	status = *recordings ? KTAP_RUN(given) : KTAP_RUN(tests);
	pt_testdata_clean_up();
	return status;
}

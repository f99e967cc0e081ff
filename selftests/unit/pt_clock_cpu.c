// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the clock with the packets of a simulated CPU, whose true time is known: the bounds must
 * contain it, the error of the estimate must be as small as documented, and libipt's times must be
 * within its own error of the bounds.
 */
#include "source/pt/packet/clock.h"

#include <intel-pt.h>
#include <stdlib.h>

#include "fuzz/random.h"
#include "ptemu/packet.h"
#include "source/pt/input/input.h"
#include "source/pt/packet/errata.h"
#include "source/pt/packet/packet.h"
#include "unit/ktap.h"

#define BYTES_MAX	(1 << 20)
#define MARKS_MAX	20000

/* What happens besides ticks of the clocks. */
struct plan {
	unsigned int nr_steps;
	uint32_t step_max;		/* TSC ticks between two packets */
	unsigned int once_psb, once_cbr, once_ovf, once_sleep, once_lost_mtc;	/* 0: never */
	bool is_tsc_after_ovf;
	unsigned int jitter;		/* the rate of cycles differs by up to so many percent */
	uint64_t cyc_threshold;
	bool is_skl168;			/* CYC and MTC before a PSB are omitted */
};

/* True time of a packet. Outside of PSB+, an MNT with the index of the mark follows it. */
struct mark {
	size_t offset;			/* of the packet's end */
	uint64_t tsc;
	enum fargs_pt_packet_kind kind;
	uint32_t nr_lost;		/* MTCs lost since the last TSC */
	bool is_unbounded;		/* MTCs may be lost, and the trace does not show how many */
};

static struct {
	struct fargs_pt_config config;
	struct plan plan;
	struct packet_out out;
	struct fuzz_random random;
	uint64_t tsc;
	uint64_t phase;			/* of the crystal clock, in 1 / eax TSC ticks */
	uint8_t cbr;
	unsigned int percent;		/* real rate of cycles, relative to @cbr */
	uint64_t cycles, rest;		/* since the last CYC; rest in 1 / (nom_freq * 100) */
	uint64_t all_cycles;
	uint32_t nr_lost;
	bool is_gap, is_psb;
	bool is_mtc_due;		/* no MTC since the last TMA */
	uint8_t bytes[BYTES_MAX];
	size_t size;
	struct mark marks[MARKS_MAX];
	size_t nr_marks, nr_mnts;
} cpu;

static void put(void *arg, const void *bytes, size_t size)
{
	if (size > sizeof(cpu.bytes) - cpu.size)
		abort();
	memcpy(cpu.bytes + cpu.size, bytes, size);
	cpu.size += size;
}

static bool happens(unsigned int once)
{
	return once && fuzz_once_in(&cpu.random, once);
}

/* Records the true time of the packet just written. */
static void mark(enum fargs_pt_packet_kind kind)
{
	if (cpu.nr_marks == MARKS_MAX)
		abort();
	cpu.marks[cpu.nr_marks] = (struct mark){ .offset = cpu.size, .tsc = cpu.tsc, .kind = kind,
						 .nr_lost = cpu.nr_lost,
						 .is_unbounded = cpu.is_gap };
	if (!cpu.is_psb) {
		packet_mnt(&cpu.out, cpu.nr_marks);
		cpu.nr_mnts++;
	}
	cpu.nr_marks++;
}

static uint64_t ctc_at(uint64_t tsc)
{
	return (tsc * cpu.config.cpuid_0x15_eax + cpu.phase) / cpu.config.cpuid_0x15_ebx;
}

static void write_tsc(void)
{
	uint64_t fine = cpu.tsc * cpu.config.cpuid_0x15_eax + cpu.phase;

	packet_tsc(&cpu.out, cpu.tsc);
	cpu.nr_lost = 0;
	cpu.is_gap = false;
	cpu.is_mtc_due = true;
	if (cpu.config.has_mtc)
		packet_tma(&cpu.out, (uint16_t)ctc_at(cpu.tsc),
			   (uint16_t)(fine % cpu.config.cpuid_0x15_ebx /
				      cpu.config.cpuid_0x15_eax));
	mark(FARGS_PT_PACKET_TSC);
}

static void write_cyc(void)
{
	if (!cpu.config.has_cyc || !cpu.cycles || cpu.cycles < cpu.plan.cyc_threshold)
		return;
	packet_cyc(&cpu.out, cpu.cycles);
	cpu.all_cycles += cpu.cycles;
	cpu.cycles = 0;
	mark(FARGS_PT_PACKET_CYC);
}

static void write_psb(void)
{
	if (!cpu.plan.is_skl168)
		write_cyc();
	cpu.is_psb = true;
	packet_psb(&cpu.out);
	write_tsc();
	packet_cbr(&cpu.out, cpu.cbr);
	packet_psbend(&cpu.out);
	cpu.is_psb = false;
}

static void set_core(void)
{
	cpu.cbr = 8 + fuzz_below(&cpu.random, 40);
	cpu.percent = 100 - cpu.plan.jitter + fuzz_below(&cpu.random, 2 * cpu.plan.jitter + 1);
}

static void count_cycles(uint64_t ticks)
{
	unsigned int nom = cpu.config.nom_freq ? cpu.config.nom_freq : 24;

	cpu.rest += ticks * cpu.cbr * cpu.percent;
	cpu.cycles += cpu.rest / (nom * 100);
	cpu.rest %= nom * 100;
}

/*
 * Returns whether the next MTC is the first after a TMA, of whose CTC the MTC has few bits: they do
 * not show that one was lost.
 */
static bool is_first_of_few(void)
{
	return cpu.is_mtc_due && cpu.config.mtc_freq > 8;
}

/* Lets @ticks pass. @is_writing: MTCs that become due are written. */
static void run(uint64_t ticks, bool is_writing)
{
	uint64_t end = cpu.tsc + ticks, ctc, due;
	unsigned int freq = cpu.config.mtc_freq;

	while (cpu.config.has_mtc) {
		ctc = ((ctc_at(cpu.tsc) >> freq) + 1) << freq;
		due = (ctc * cpu.config.cpuid_0x15_ebx - cpu.phase +
		       cpu.config.cpuid_0x15_eax - 1) / cpu.config.cpuid_0x15_eax;
		if (due > end)
			break;
		count_cycles(due - cpu.tsc);
		cpu.tsc = due;
		if (!is_writing || (!is_first_of_few() && happens(cpu.plan.once_lost_mtc))) {
			cpu.nr_lost++;
			continue;
		}
		cpu.is_mtc_due = false;
		write_cyc();
		packet_mtc(&cpu.out, (uint8_t)(ctc >> freq));
		mark(FARGS_PT_PACKET_MTC);
	}
	count_cycles(end - cpu.tsc);
	cpu.tsc = end;
}

static void overflow(void)
{
	/* Up to several hundred MTC periods, more than an MTC can count. */
	run(fuzz_below(&cpu.random, 2000 * cpu.plan.step_max), false);
	cpu.cycles = 0;
	packet_ovf(&cpu.out);
	cpu.is_gap = true;
	mark(FARGS_PT_PACKET_OVF);
	if (cpu.plan.is_tsc_after_ovf)
		write_tsc();
}

static void sleep_long(void)
{
	cpu.tsc += fuzz_below(&cpu.random, 1000 * cpu.plan.step_max);
	cpu.cycles = 0;
	write_tsc();
	packet_cbr(&cpu.out, cpu.cbr);
}

static void change_rate(void)
{
	write_cyc();
	set_core();
	packet_cbr(&cpu.out, cpu.cbr);
	mark(FARGS_PT_PACKET_CBR);
}

/* Writes the packets of a plan. The configuration must be set. */
static void simulate(const struct plan *plan, uint64_t seed)
{
	unsigned int i;

	cpu.plan = *plan;
	cpu.random.state = seed;
	cpu.out = (struct packet_out){ .put = put };
	cpu.tsc = (UINT64_C(1) << 40) + fuzz_random(&cpu.random);
	cpu.phase = fuzz_random(&cpu.random);
	cpu.cycles = 0;
	cpu.rest = 0;
	cpu.all_cycles = 0;
	cpu.size = 0;
	cpu.nr_marks = 0;
	cpu.nr_mnts = 0;
	cpu.nr_lost = 0;
	cpu.is_gap = false;
	set_core();
	write_psb();
	for (i = 0; i < plan->nr_steps; i++) {
		run(1 + fuzz_below(&cpu.random, plan->step_max), true);
		if (happens(plan->once_psb))
			write_psb();
		else if (happens(plan->once_cbr))
			change_rate();
		else if (happens(plan->once_ovf))
			overflow();
		else if (happens(plan->once_sleep))
			sleep_long();
		else
			write_cyc();
	}
	packet_flush(&cpu.out);
}

static uint64_t period(void)
{
	return cpu.config.cpuid_0x15_eax ?
	       ((uint64_t)cpu.config.cpuid_0x15_ebx << cpu.config.mtc_freq) /
	       cpu.config.cpuid_0x15_eax + 1 : 0;
}

/* The documented maximum error of the estimate after the packet of a mark; UINT64_MAX: none. */
static uint64_t error_max(const struct mark *m)
{
	if (m->is_unbounded || m->kind == FARGS_PT_PACKET_OVF || m->kind == FARGS_PT_PACKET_CBR)
		return UINT64_MAX;
	if (m->kind == FARGS_PT_PACKET_TSC)
		return 0;
	if (m->kind == FARGS_PT_PACKET_MTC)
		return FARGS_PT_CLOCK_MTC_ERROR;
	if (!cpu.config.has_mtc)
		return UINT64_MAX;
	return (1 + m->nr_lost) * period() + FARGS_PT_CLOCK_MTC_ERROR;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static bool check_mark(const struct fargs_pt_clock *c, const struct mark *m, uint64_t last_tsc)
{
	bool is_good = c->min <= m->tsc && m->tsc <= c->max && c->min <= c->tsc &&
		       c->tsc <= c->max && (c->tsc >= last_tsc || m->kind == FARGS_PT_PACKET_TSC);

	if (difference(c->tsc, m->tsc) > error_max(m) && error_max(m) != UINT64_MAX)
		is_good = false;
	if (m->kind == FARGS_PT_PACKET_MTC && !m->is_unbounded)
		is_good &= c->max - c->min <= 2 * FARGS_PT_CLOCK_MTC_ERROR;
	if (!is_good)
		ktap_fail(__FILE__, __LINE__,
			  "mark %td, kind %d: time %" PRIu64 ", estimate %+" PRId64
			  ", bounds %+" PRId64 " %+" PRId64 ", before %+" PRId64, m - cpu.marks,
			  m->kind, m->tsc, (int64_t)(c->tsc - m->tsc),
			  (int64_t)(c->min - m->tsc), (int64_t)(c->max - m->tsc),
			  (int64_t)(last_tsc - m->tsc));
	return is_good;
}

/* Returns the mean error of the estimate at CYCs. Sets @clocks to the clock after each packet. */
static uint64_t check_clock(struct fargs_pt_clock *clocks)
{
	struct fargs_pt_reader r = { .at = cpu.bytes, .end = cpu.bytes + cpu.size };
	uint64_t last = 0, sum = 0, nr = 0;
	const struct mark *m = cpu.marks;
	struct fargs_pt_packet p;
	struct fargs_pt_clock c;

	fargs_pt_clock_init(&c, &cpu.config, cpu.plan.is_skl168 ? FARGS_PT_SKL168 : 0);
	while (r.at < r.end) {
		fargs_pt_packet_read(&r, &p);
		if (p.kind <= FARGS_PT_PACKET_CUT) {
			ktap_fail(__FILE__, __LINE__, "bad packet at %td", r.at - cpu.bytes);
			return 0;
		}
		fargs_pt_clock_take(&c, &p);
		if (m == cpu.marks + cpu.nr_marks || r.at != cpu.bytes + m->offset)
			continue;
		if (!check_mark(&c, m, last))
			return 0;
		if (m->kind == FARGS_PT_PACKET_CYC) {
			sum += difference(c.tsc, m->tsc);
			nr++;
		}
		clocks[m - cpu.marks] = c;
		last = c.tsc;
		m++;
	}
	CHECK_INT(m - cpu.marks, cpu.nr_marks);
	CHECK(c.nr_cycles == cpu.all_cycles);
	return nr ? sum / nr : 0;
}

/* How far libipt's time after a packet may be from the truth; UINT64_MAX: any distance. */
static uint64_t libipt_error_max(const struct mark *m)
{
	uint64_t error = error_max(m);

	/* Its estimate may be later than the next MTC, whose CTC it rounds down. */
	return error == UINT64_MAX || m->kind == FARGS_PT_PACKET_TSC ? error :
	       (2 + m->nr_lost) * period();
}

/* Checks that libipt's time after each packet, with its error, intersects the bounds. */
static void check_libipt(const struct fargs_pt_clock *clocks)
{
	struct pt_query_decoder *d;
	struct pt_config config;
	struct pt_event ev;
	uint64_t ip, nr = 0, nr_read = 0, error;
	int status;

	pt_config_init(&config);
	config.begin = cpu.bytes;
	config.end = cpu.bytes + cpu.size;
	config.cpuid_0x15_eax = cpu.config.cpuid_0x15_eax;
	config.cpuid_0x15_ebx = cpu.config.cpuid_0x15_ebx;
	config.mtc_freq = cpu.config.mtc_freq;
	config.nom_freq = cpu.config.nom_freq;
	config.errata.skl168 = cpu.plan.is_skl168;
	d = pt_qry_alloc_decoder(&config);
	REQUIRE(d);
	status = pt_qry_sync_forward(d, &ip);
	while (status >= 0 && status & pts_event_pending) {
		status = pt_qry_event(d, &ev, sizeof(ev));
		if (status < 0 || ev.type != ptev_mnt)
			continue;
		nr = ev.variant.mnt.payload;
		nr_read++;
		error = libipt_error_max(&cpu.marks[nr]);
		if (error == UINT64_MAX)
			continue;
		if (ev.has_tsc && ev.tsc + error >= clocks[nr].min &&
		    (clocks[nr].max == UINT64_MAX || ev.tsc <= clocks[nr].max + error))
			continue;
		ktap_fail(__FILE__, __LINE__,
			  "mark %" PRIu64 ", kind %d: time %" PRIu64 ", libipt %+" PRId64
			  ", bounds %+" PRId64 " %+" PRId64, nr, cpu.marks[nr].kind,
			  cpu.marks[nr].tsc, (int64_t)(ev.tsc - cpu.marks[nr].tsc),
			  (int64_t)(clocks[nr].min - cpu.marks[nr].tsc),
			  (int64_t)(clocks[nr].max - cpu.marks[nr].tsc));
		break;
	}
	pt_qry_free_decoder(d);
	if (!ktap_has_failed)
		CHECK_INT(nr_read, cpu.nr_mnts);
}

static const struct fargs_pt_config configs[] = {
	{ .has_tsc = true },
	{ .has_tsc = true, .has_mtc = true, .cpuid_0x15_eax = 2, .cpuid_0x15_ebx = 216 },
	{ .has_tsc = true, .has_mtc = true, .cpuid_0x15_eax = 2, .cpuid_0x15_ebx = 216,
	  .has_cyc = true, .nom_freq = 24, .mtc_freq = 3 },
	{ .has_tsc = true, .has_mtc = true, .cpuid_0x15_eax = 3, .cpuid_0x15_ebx = 275,
	  .has_cyc = true, .mtc_freq = 9 },
	{ .has_tsc = true, .has_mtc = true, .cpuid_0x15_eax = 2, .cpuid_0x15_ebx = 1000,
	  .has_cyc = true, .nom_freq = 36, .mtc_freq = 12 },
	{ .has_tsc = true, .has_mtc = true, .cpuid_0x15_eax = 7, .cpuid_0x15_ebx = 60,
	  .has_cyc = true, .nom_freq = 18, .mtc_freq = 15 },
	{ .has_tsc = true, .has_cyc = true, .nom_freq = 24 },
};

/* Runs a plan with each configuration. */
static void check_plan(const struct plan *plan)
{
	static struct fargs_pt_clock clocks[MARKS_MAX];
	struct plan scaled = *plan;
	unsigned int i, seed;
	bool has_crystal;

	for (i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		for (seed = 1; seed <= 10; seed++) {
			cpu.config = configs[i];
			has_crystal = cpu.config.cpuid_0x15_eax;
			if (!has_crystal) {
				cpu.config.cpuid_0x15_eax = 1;
				cpu.config.cpuid_0x15_ebx = 1;
			}
			/* About five packets in an MTC period. */
			scaled.step_max = plan->step_max ? plan->step_max : 1 + period() * 2 / 5;
			if (scaled.step_max < 50)
				scaled.step_max = 50;
			simulate(&scaled, seed);
			if (!has_crystal) {
				cpu.config.cpuid_0x15_eax = 0;
				cpu.config.cpuid_0x15_ebx = 0;
			}
			check_clock(clocks);
			if (!ktap_has_failed)
				check_libipt(clocks);
			if (!ktap_has_failed)
				continue;
			printf("# configuration %u, seed %u\n", i, seed);
			return;
		}
	}
}

static void steady(void)
{
	check_plan(&(struct plan){ .nr_steps = 2000 });
	check_plan(&(struct plan){ .nr_steps = 2000, .once_psb = 100, .jitter = 5 });
}

static void wraps(void)
{
	/* Each step takes several periods; all 8 bits wrap several times. */
	check_plan(&(struct plan){ .nr_steps = 300, .step_max = 5000 });
}

static void rates(void)
{
	check_plan(&(struct plan){ .nr_steps = 2000, .once_cbr = 50, .jitter = 10 });
}

static void overflows(void)
{
	check_plan(&(struct plan){ .nr_steps = 2000, .once_ovf = 50, .is_tsc_after_ovf = true });
	check_plan(&(struct plan){ .nr_steps = 2000, .once_ovf = 50, .once_psb = 100 });
}

static void sleeps(void)
{
	check_plan(&(struct plan){ .nr_steps = 2000, .once_sleep = 50, .once_cbr = 70 });
}

static void lost(void)
{
	check_plan(&(struct plan){ .nr_steps = 2000, .once_lost_mtc = 5, .once_psb = 200 });
}

static void thresholds(void)
{
	check_plan(&(struct plan){ .nr_steps = 2000, .cyc_threshold = 512, .once_cbr = 100,
				   .jitter = 5 });
}

static void skl168(void)
{
	check_plan(&(struct plan){ .nr_steps = 2000, .once_psb = 20, .is_skl168 = true });
}

/* Returns the mean error of the estimates at CYCs, in thousandths of an MTC period. */
static uint64_t mean_error(const struct plan *plan, uint8_t nom_freq)
{
	static struct fargs_pt_clock clocks[MARKS_MAX];
	struct plan scaled = *plan;

	cpu.config = configs[4];
	scaled.step_max = period() / 5;
	simulate(&scaled, 1);
	cpu.config.nom_freq = nom_freq;
	return check_clock(clocks) * 1000 / period();
}

static void estimates(void)
{
	const struct plan exact = { .nr_steps = 5000 }, differs = { .nr_steps = 5000,
								    .jitter = 30 };
	const struct plan changes = { .nr_steps = 5000, .jitter = 1, .once_cbr = 200 };

	CHECK_INT(mean_error(&exact, 36), 0);
	/* The CBR is up to 30 % wrong; or it says nothing. MTCs show the rate. */
	CHECK_INT(mean_error(&differs, 36), 0);
	CHECK(mean_error(&exact, 0) <= 1);
	CHECK(mean_error(&changes, 36) < 10);
	CHECK(mean_error(&changes, 0) < 10);
}

static const struct ktap_test tests[] = {
	{ "times are within their bounds", steady },
	{ "MTCs wrap", wraps },
	{ "the rate of the core changes", rates },
	{ "after an overflow there is no upper bound before the next TSC", overflows },
	{ "the CPU sleeps", sleeps },
	{ "lost MTCs are counted, and make no time too late", lost },
	{ "omitted CYCs", thresholds },
	{ "CYCs and MTCs that SKL168 drops before a PSB", skl168 },
	{ "cycles are estimated closely", estimates },
};

int main(void)
{
	return KTAP_RUN(tests);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests random synthetic streams: random code, executed at random, with random events, sizes of
 * packets and timing. What libipt decodes is what was executed.
 */
#include <intel-pt.h>
#include <stdlib.h>

#include "fuzz/random.h"
#include "ptemu/synth/extra.h"
#include "ptemu/synth/libipt.h"
#include "unit/ktap.h"

#define NR_FUNCTIONS	12
#define NR_INSNS	14
#define USER		0x401000
#define KERNEL		0xffffffff81000000

struct world {
	struct machine m;
	struct fuzz_random random;
	unsigned int nr_lost;		/* steps since packets are lost */
	bool is_stale;			/* what was lost also changed the context */
	uint64_t nr_overflows;
	bool is_guest;			/* with VM entries, exits and event trace */
	bool is_timed;			/* with all timing packets, and nothing lost */
};

static unsigned int below(struct world *w, unsigned int n)
{
	return fuzz_below(&w->random, n);
}

static void add(struct world *w, const char *mnemonic, const char *operand)
{
	const char *error = code_add(&w->m.code, mnemonic, operand);

	if (error)
		ktap_fail(__FILE__, __LINE__, "%s: %s", mnemonic, error);
}

/*
 * Adds an instruction of function @function, whose labels are fF_I. Direct jumps and calls go
 * forward: nothing would show how often a loop without packets was executed.
 */
static void add_random(struct world *w, unsigned int function, unsigned int i)
{
	static const char *const others[] = {
		"call*", "jmp*", "syscall", "xend", "ptwrite", "int", "ret", "movcr3", "vmlaunch",
		"sti", "cli",
	};
	const char size[2] = { (char)('1' + below(w, 9)) };
	char label[CODE_NAME_MAX];
	bool is_kernel = function >= NR_FUNCTIONS / 2, is_tx;
	unsigned int other, callee, nr;

	snprintf(label, sizeof(label), "f%u_%u", function, i);
	code_label(&w->m.code, label);
	switch (below(w, 8)) {
	case 0:
	case 1:
		snprintf(label, sizeof(label), "f%u_%u", function, below(w, NR_INSNS));
		add(w, "jcc", label);
		break;
	case 2:
		snprintf(label, sizeof(label), "f%u_%u", function,
			 i + 1 + below(w, NR_INSNS - i - 1));
		add(w, "jmp", label);
		break;
	case 3:
		nr = is_kernel ? NR_FUNCTIONS : NR_FUNCTIONS / 2;
		callee = function + below(w, nr - function);
		is_tx = callee == function;
		/* A transaction that aborts to itself might never end. */
		snprintf(label, sizeof(label), "f%u_%u", is_tx ? function : callee,
			 is_tx ? NR_INSNS - 1 : 0);
		add(w, is_tx ? "xbegin" : "call", label);
		break;
	case 4:
		other = below(w, !is_kernel ? 7 : w->is_guest ? 11 : 8);
		add(w, others[other], other == 5 ? "0x80" : NULL);
		break;
	default:
		add(w, "nop", size);
	}
}

/* Half of the functions are the kernel's. */
static void add_code(struct world *w)
{
	unsigned int i, k;

	for (i = 0; i < NR_FUNCTIONS; i++) {
		char label[CODE_NAME_MAX];

		if (!i || i == NR_FUNCTIONS / 2)
			code_org(&w->m.code, i ? KERNEL : USER, 64);
		for (k = 0; k < NR_INSNS - 1; k++)
			add_random(w, i, k);
		snprintf(label, sizeof(label), "f%u_%u", i, NR_INSNS - 1);
		code_label(&w->m.code, label);
		add(w, i >= NR_FUNCTIONS / 2 && i % 2 ? "iret" : "ret", NULL);
	}
	/* Calls of what follows the last instruction are not random. */
	add(w, "ret", NULL);
}

/* An instruction of the kernel, or of user space. */
static uint64_t target_in(struct world *w, bool is_kernel)
{
	unsigned int half = (unsigned int)w->m.code.nr_insns / 2;
	uint64_t ip;

	do {
		ip = w->m.code.insns[(is_kernel ? half : 0) + below(w, half)].ip;
	} while ((ip >= KERNEL) != is_kernel);
	return ip;
}

static uint64_t near_target(struct world *w)
{
	return target_in(w, !w->m.cpl);
}

static uint64_t kernel_target(struct world *w)
{
	return target_in(w, true);
}

/* Whether the return goes to its caller: not to another privilege level. */
static bool is_return_near(const struct world *w)
{
	const struct machine_stack *stack = &w->m.software;
	uint64_t ip;

	if (!stack->depth)
		return false;
	ip = stack->ips[(stack->top - 1) % MACHINE_RET_STACK];
	return (ip >= KERNEL) == !w->m.cpl;
}

static bool is_aborting(const struct code_insn *insn)
{
	switch (insn->kind) {
	case CODE_SYSCALL:
	case CODE_INT:
	case CODE_IRET:
	case CODE_MOV_CR3:
	case CODE_VMENTRY:
	case CODE_STI:
	case CODE_CLI:
		return true;
	}
	return false;
}

static const char *abort_tx(struct world *w)
{
	struct machine_target target = { .vector = -1 };

	w->is_stale = true;
	return machine_event(&w->m, MACHINE_ABORT, &target);
}

static const char *step(struct world *w)
{
	const struct code_insn *insn = code_find(&w->m.code, w->m.ip);
	struct machine_target target = { .vector = -1 };

	if (!insn)
		return "no instruction";
	if (w->m.cpu.is_in_tx && is_aborting(insn))
		return abort_tx(w);
	switch (insn->kind) {
	case CODE_JMP_INDIRECT:
	case CODE_CALL_INDIRECT:
		target.ip = near_target(w);
		break;
	case CODE_RET:
		if (is_return_near(w) && below(w, 8))
			return machine_step(&w->m, true, NULL);
		target.ip = near_target(w);
		break;
	case CODE_SYSCALL:
	case CODE_INT:
		target.ip = kernel_target(w);
		break;
	case CODE_IRET:
		target.ip = target_in(w, below(w, 2));
		target.has_cpl = true;
		target.cpl = target.ip < KERNEL ? 3 : 0;
		target.has_if = true;
		target.is_if = below(w, 2);
		w->is_stale = true;
		break;
	case CODE_MOV_CR3:
		target.has_cr3 = true;
		target.cr3 = 0x1000 * (1 + below(w, 3));
		w->is_stale = true;
		return machine_step(&w->m, true, &target);
	case CODE_XBEGIN:
	case CODE_XEND:
		w->is_stale = true;
		return machine_step(&w->m, true, NULL);
	case CODE_VMENTRY:
		w->is_stale = true;
		/* In a guest, it causes a VM exit. */
		if (w->m.cpu.is_guest)
			return machine_event(&w->m, MACHINE_VMEXIT, &(struct machine_target){
				.ip = kernel_target(w), .has_reason = true, .reason = 20,
				.vector = -1, .has_if = true });
		target.has_cr3 = true;
		target.cr3 = 0x8000;
		target.ip = kernel_target(w);
		break;
	case CODE_STI:
	case CODE_CLI:
		w->is_stale = true;
		return machine_step(&w->m, true, NULL);
	case CODE_PTWRITE:
		target.value = (uint64_t)fuzz_random(&w->random) << 8;
		return machine_step(&w->m, true, &target);
	default:
		return machine_step(&w->m, below(w, 2), NULL);
	}
	target.has_ip = true;
	return machine_step(&w->m, true, &target);
}

static const char *interrupt(struct world *w)
{
	struct machine_target target = {
		.has_ip = true, .vector = 32, .ip = kernel_target(w), .has_if = true,
		.has_pfa = below(w, 2), .pfa = 0x7000,
	};

	w->is_stale = true;
	if (!w->m.cpu.is_in_tx && w->m.cpu.is_guest && below(w, 2)) {
		target.has_qualification = true;
		return machine_event(&w->m, MACHINE_VMEXIT, &target);
	}
	if (!w->m.cpu.is_in_tx)
		return machine_event(&w->m, MACHINE_INTERRUPT, &target);
	return abort_tx(w);
}

/* Sets or clears TraceEn at the next instruction that is no branch. */
static const char *set_trace(struct world *w, bool is_on)
{
	const struct code_insn *insn;
	const char *error = NULL;

	while (!error && (insn = code_find(&w->m.code, w->m.ip)) &&
	       (insn->kind != CODE_PLAIN || w->m.cpu.is_in_tx))
		error = w->m.cpu.is_in_tx && !below(w, 4) ? abort_tx(w) : step(w);
	return error ? error : machine_trace(&w->m, is_on);
}

static const char *trace_pause(struct world *w)
{
	const char *error = set_trace(w, false);
	unsigned int i, nr = 1 + below(w, 50);

	for (i = 0; !error && i < nr; i++)
		error = step(w);
	if (!error)
		error = set_trace(w, true);
	/* What changed meanwhile is shown by a PSB. */
	return error ? error : machine_psb(&w->m);
}

static const char *recover(struct world *w)
{
	const char *error = machine_recover(&w->m, false);

	w->nr_overflows++;
	if (!error && (w->is_stale || w->m.cpu.is_in_tx || !w->m.order.last_bits || below(w, 2)))
		error = machine_psb(&w->m);
	return error;
}

static const char *something(struct world *w)
{
	const struct extra_sleep sleep = { .state = 2, .last = 2, .deepest = 2, .ticks = 3000,
					   .reason = PACKET_WAKE_STORE };

	if (w->m.cpu.is_in_tx && !below(w, 2))
		return abort_tx(w);
	switch (w->is_timed ? below(w, 2) * 5 : below(w, 6)) {
	case 0:
		return machine_psb(&w->m);
	case 1:
		w->nr_lost = 1;
		w->is_stale = false;
		return machine_lose(&w->m);
	case 2:
		return w->m.cpu.is_in_tx ? abort_tx(w) : extra_sleep(&w->m, &sleep);
	case 3:
		return extra_ratio(&w->m, 10 + below(w, 30));
	case 4:
		return trace_pause(w);
	default:
		return interrupt(w);
	}
}

static const char *run(struct world *w, unsigned int nr_steps)
{
	const char *error = NULL;
	unsigned int i;

	for (i = 0; i < nr_steps && !error; i++) {
		if (w->nr_lost && w->nr_lost++ > below(w, 60)) {
			w->nr_lost = 0;
			error = recover(w);
		} else if (!w->nr_lost && !below(w, 60)) {
			error = something(w);
		} else {
			error = step(w);
		}
	}
	if (!error && w->nr_lost)
		error = recover(w);
	return error ? error : set_trace(w, false);
}

static void configure(struct world *w, uint32_t seed)
{
	struct machine_config *config = &w->m.config;

	w->random.state = seed;
	config->stream = (struct stream_config){
		.tnt = below(w, 4), .is_ip_random = below(w, 2), .is_deferring = below(w, 2),
		.seed = seed,
	};
	config->has_ret_compression = below(w, 3);
	config->psb_period = below(w, 2) ? 500 + below(w, 1000) : 0;
	config->order.has_ptw = true;
	config->order.has_tsx = true;
	config->order.has_fup_on_ptw = below(w, 2);
	config->order.has_power = below(w, 2);
	config->timing.has_tsc = true;
	config->timing.has_mtc = below(w, 2);
	config->timing.has_cyc = below(w, 2);
	config->timing.mtc_period = below(w, 8);
	config->cycles_per_insn = 1 + below(w, 40);
	w->m.cpu.cr3 = 0x1000;
	w->m.cpl = 3;
}

/* What is traced: all, one range of functions, or user space; or guests are traced, with events. */
static void configure_scope(struct world *w, uint32_t seed)
{
	struct machine_config *config = &w->m.config;

	if (seed % 4 == 1)
		config->has_os = false;
	w->is_guest = seed % 4 == 2;
	config->order.has_event = w->is_guest && libipt_is_2_1();
}

static void add_filter(struct world *w)
{
	struct machine_range *range = &w->m.config.ranges[w->m.config.nr_ranges++];
	unsigned int first = below(w, NR_FUNCTIONS / 2);
	char label[CODE_NAME_MAX];

	snprintf(label, sizeof(label), "f%u_0", first);
	code_address(&w->m.code, label, &range->first);
	snprintf(label, sizeof(label), "f%u_%u", first + NR_FUNCTIONS / 2, NR_INSNS - 1);
	code_address(&w->m.code, label, &range->last);
}

/* The core runs at another rate than the TSC; a TNT has the time of its first branch. */
static void configure_timed(struct world *w)
{
	struct timing_config *timing = &w->m.config.timing;

	w->m.config.stream.tnt = STREAM_TNT_SHORT;
	w->m.config.stream.is_deferring = false;
	timing->has_mtc = true;
	timing->has_cyc = true;
	timing->cbr = 10 + below(w, 30);
}

static void keep_max(uint64_t *max, uint64_t value)
{
	if (value > *max)
		*max = value;
}

/*
 * Returns whether all timing packets agree exactly with the sum of the CYCs before them, by the
 * ratios in the SDM's section "Tracking time based on Intel PT packets".
 */
static bool are_times_exact(const struct machine *m)
{
	const struct timing_config *timing = &m->config.timing;
	uint64_t cycles = 0, tsc = timing->tsc, ctc, nr_wrong = 0, nr = 0;
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;

	pt_config_init(&config);
	config.begin = m->order.stream.bytes;
	config.end = m->order.stream.bytes + m->order.stream.nr_bytes;
	decoder = pt_pkt_alloc_decoder(&config);
	if (pt_pkt_sync_forward(decoder) < 0)
		nr_wrong++;
	while (pt_pkt_next(decoder, &packet, sizeof(packet)) >= 0) {
		ctc = tsc * timing->ctc_eax / timing->ctc_ebx;
		switch (packet.type) {
		case ppt_cyc:
			cycles += packet.payload.cyc.value;
			tsc = timing->tsc + cycles * timing->nominal / timing->cbr;
			break;
		case ppt_tsc:
			nr++;
			nr_wrong += packet.payload.tsc.tsc != tsc;
			break;
		case ppt_mtc:
			nr++;
			nr_wrong += packet.payload.mtc.ctc != (ctc >> timing->mtc_period & 0xff);
			break;
		case ppt_tma:
			nr_wrong += packet.payload.tma.ctc != (ctc & 0xffff);
			nr_wrong += packet.payload.tma.fc !=
				    tsc - ctc * timing->ctc_ebx / timing->ctc_eax;
			break;
		default:
			break;
		}
	}
	pt_pkt_free_decoder(decoder);
	if (nr_wrong || nr < 4)
		printf("# %" PRIu64 " of %" PRIu64 " times are wrong\n", nr_wrong, nr);
	return !nr_wrong && nr >= 4;
}

static bool run_seed(uint32_t seed, unsigned int nr_steps, bool is_timed,
		     struct libipt_result *sum)
{
	struct world w = { .is_timed = is_timed };
	struct libipt_result result = { 0 };
	const char *error;

	machine_init(&w.m);
	configure(&w, seed);
	if (is_timed)
		configure_timed(&w);
	else
		configure_scope(&w, seed);
	add_code(&w);
	if (!is_timed && seed % 4 == 3)
		add_filter(&w);
	error = machine_start(&w.m, USER, true);
	if (!error)
		error = run(&w, nr_steps);
	machine_end(&w.m);
	if (error)
		printf("# seed %u: %s\n", seed, error);
	else
		result = libipt_compare(&w.m, w.m.order.stream.bytes, w.m.order.stream.nr_bytes);
	sum->nr_insns += result.nr_insns;
	sum->nr_events += result.nr_events;
	sum->nr_errors += w.nr_overflows;
	keep_max(&sum->event_off, result.event_off);
	keep_max(&sum->insn_off, result.insn_off);
	if (is_timed && !are_times_exact(&w.m))
		result.is_same = false;
	machine_deinit(&w.m);
	return result.is_same;
}

static unsigned int nr_seeds = 200;

static void random_streams(void)
{
	struct libipt_result sum = { 0 };
	uint32_t seed;

	for (seed = 1; seed <= nr_seeds; seed++)
		if (!run_seed(seed, 2000, false, &sum))
			ktap_fail(__FILE__, __LINE__, "seed %u", seed);
	printf("# %" PRIu64 " instructions, %" PRIu64 " events, %" PRIu64 " overflows\n",
	       sum.nr_insns, sum.nr_events, sum.nr_errors);
	CHECK(sum.nr_insns > nr_seeds * 1000);
}

static void random_times(void)
{
	struct libipt_result sum = { 0 };
	uint32_t seed;

	for (seed = 1; seed <= nr_seeds / 4; seed++)
		if (!run_seed(seed, 2000, true, &sum))
			ktap_fail(__FILE__, __LINE__, "seed %u", seed);
	printf("# %" PRIu64 " instructions, events off by %" PRIu64 ", instructions by %" PRIu64
	       "\n", sum.nr_insns, sum.event_off, sum.insn_off);
}

int main(int argc, char **argv)
{
	static const struct ktap_test tests[] = {
		{ "libipt decodes random streams", random_streams },
		{ "timing packets agree with the cycles", random_times },
	};

	if (argc == 2)
		nr_seeds = (unsigned int)strtoul(argv[1], NULL, 0);
	return KTAP_RUN(tests);
}

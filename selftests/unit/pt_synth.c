// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the synthetic streams: what libipt decodes from them is what was executed, for each case in
 * selftests/ptemu/synth/cases. What libipt cannot decode is compared with packets written by hand.
 */
#include <intel-pt.h>
#include <stdlib.h>

#include "ptemu/synth/libipt.h"
#include "ptemu/synth/parse.h"
#include "unit/ktap.h"

#define CASES	"selftests/ptemu/synth/cases/"

/* The largest difference of an event's time that is not checked. */
#define ANY	UINT64_MAX

struct synth_case {
	const char *name;
	bool needs_2_1;			/* libipt 2.0 does not have these packets */
	uint64_t nr_insns, nr_events;	/* that are compared */
	uint64_t max_off;		/* of an event's time, in ticks of the TSC */
};

static char *read_case(const char *name)
{
	static char text[8192];
	char path[256];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), CASES "%s", name);
	file = fopen(path, "r");
	if (!file)
		return NULL;
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	return text;
}

static bool run_text(struct machine *m, char *text)
{
	struct parse parse = { .m = m };

	machine_init(m);
	if (text && parse_text(&parse, text))
		return true;
	ktap_fail(__FILE__, __LINE__, "%s", text ? parse.error : "no description");
	machine_deinit(m);
	return false;
}

static bool is_same(const struct machine *m)
{
	return libipt_compare(m, m->order.stream.bytes, m->order.stream.nr_bytes).is_same;
}

static void run_case(const struct synth_case *c)
{
	struct libipt_result result;
	struct machine m;

	if (c->needs_2_1 && !libipt_is_2_1()) {
		printf("# %s: left out, libipt 2.0 does not have its packets\n", c->name);
		return;
	}
	if (!run_text(&m, read_case(c->name)))
		return;
	result = libipt_compare(&m, m.order.stream.bytes, m.order.stream.nr_bytes);
	printf("# %s: %" PRIu64 " instructions, %" PRIu64 " events, off by %" PRIu64 "\n", c->name,
	       result.nr_insns, result.nr_events, result.event_off);
	if (!result.is_same || result.nr_insns != c->nr_insns || result.nr_events != c->nr_events ||
	    result.event_off > c->max_off)
		ktap_fail(__FILE__, __LINE__, "%s", c->name);
	machine_deinit(&m);
}

static void run_cases(const struct synth_case *cases, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		run_case(&cases[i]);
}

#define RUN_CASES(cases)	run_cases(cases, sizeof(cases) / sizeof((cases)[0]))

/* Without CYC, the time is that of the last TSC: cases without PSBs show the time of the start. */
static void flow(void)
{
	static const struct synth_case cases[] = {
		{ "flow", false, 27, 6, 3 }, { "modes", false, 13, 2, 0 },
		{ "contexts", false, 9, 10, ANY }, { "cr3_filter", false, 7, 8, ANY },
		{ "filters", false, 9, 16, ANY }, { "overflow", false, 11, 6, 9 },
	};

	RUN_CASES(cases);
}

static void events(void)
{
	static const struct synth_case cases[] = {
		{ "tsx", false, 11, 7, 0 }, { "ptwrite", false, 9, 7, 0 },
		{ "power", false, 10, 18, 2 }, { "mwait_hidden", true, 3, 9, 2 },
		{ "event", true, 14, 26, 0 }, { "event_init", true, 7, 8, 0 },
	};

	RUN_CASES(cases);
}

static void guests(void)
{
	static const struct synth_case cases[] = {
		{ "vmx", false, 16, 10, 3 }, { "event_vmx", true, 6, 19, 0 },
	};

	RUN_CASES(cases);
}

/* SKD007 loses the cycles before the OVF, and SKZ84 has no valid time in the guest. */
static const struct synth_case errata[] = {
	{ "apl11", false, 5, 5, 0 }, { "apl12", false, 1, 4, 0 }, { "bdm64", false, 5, 5, 0 },
	{ "bdm70", false, 3, 4, 2 }, { "skd007", false, 5, 3, ANY }, { "skd010", false, 5, 3, 0 },
	{ "skd010_psb", false, 5, 3, 0 }, { "skd022", false, 3, 5, 0 },
	{ "skl014", false, 7, 6, 0 }, { "skl168", false, 36, 2, 9 }, { "skz84", false, 11, 5, ANY },
};

static void errata_as_libipt_expects(void)
{
	RUN_CASES(errata);
}

/* A decoder that does not know of the erratum is misled: so the stream has it. */
static void errata_mislead(void)
{
	static const char *const misled[] = {
		"apl11", "apl12", "bdm64", "bdm70", "skd007", "skd010", "skd010_psb", "skd022",
		"skl014", NULL
	};
	const char *const *name;
	struct machine m;

	for (name = misled; *name; name++) {
		if (!run_text(&m, read_case(*name)))
			continue;
		m.config.family = 0;
		if (is_same(&m))
			ktap_fail(__FILE__, __LINE__, "%s: libipt is not misled", *name);
		machine_deinit(&m);
	}
}

/* Each PSB is followed by a TSC with the time that the CPU reads, in guests, too. */
static void guest_times(void)
{
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;
	unsigned int nr = 0;
	struct machine m;
	size_t i;

	if (!run_text(&m, read_case("vmx")))
		return;
	pt_config_init(&config);
	config.begin = m.order.stream.bytes;
	config.end = m.order.stream.bytes + m.order.stream.nr_bytes;
	decoder = pt_pkt_alloc_decoder(&config);
	for (i = 0; i < m.records.nr; i++) {
		const struct record *psb = &m.records.all[i];

		if (psb->kind != RECORD_PSB)
			continue;
		CHECK(pt_pkt_sync_set(decoder, psb->a) >= 0);
		CHECK(pt_pkt_next(decoder, &packet, sizeof(packet)) >= 0);
		CHECK_INT(packet.type, ppt_psb);
		CHECK(pt_pkt_next(decoder, &packet, sizeof(packet)) >= 0);
		CHECK_INT(packet.type, ppt_tsc);
		CHECK_INT(packet.payload.tsc.tsc, psb->guest_tsc);
		/* Half the rate, and 500 ticks back. */
		if (psb->guest_tsc != psb->tsc) {
			CHECK_INT(psb->guest_tsc, psb->tsc / 2 - 500);
			nr++;
		}
	}
	CHECK_INT(nr, 2);
	pt_pkt_free_decoder(decoder);
	machine_deinit(&m);
}

static bool is_offset(const struct machine *m, const uint8_t *want, size_t size)
{
	const struct stream *s = &m->order.stream;

	return s->nr_bytes >= size && memmem(s->bytes, s->nr_bytes, want, size);
}

/* A basic block, GPRs of 4 bytes, BEP with FUP; then a record where PacketEn is clear. */
static void pebs(void)
{
	static const uint8_t first[] = {
		0x02, 0x63, 0x04, 0x04, 0x00, 0x10, 0x40, 0, 0, 0, 0, 0,
		0x0c, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
		0x02, 0x63, 0x81, 0x14, 0x44, 0x33, 0x22, 0x11,
		0x02, 0xb3, 0x3d, 0x00, 0x10,
	};
	static const uint8_t second[] = {
		0x02, 0x63, 0x04, 0x04, 0x00, 0x00, 0x50, 0, 0, 0, 0, 0, 0x02, 0x33, 0x51,
	};
	struct machine m;

	if (!run_text(&m, read_case("pebs")))
		return;
	CHECK(is_offset(&m, first, sizeof(first)));
	CHECK(is_offset(&m, second, sizeof(second)));
	machine_deinit(&m);
}

/* Compares the types of all packets after the first PSB+, and the lower 16 bits of their IPs. */
static void check_packets(const char *name, const char *want)
{
	static const char *const names[] = {
		[ppt_tip] = "tip", [ppt_tip_pge] = "pge", [ppt_tip_pgd] = "pgd", [ppt_fup] = "fup",
		[ppt_tnt_8] = "tnt", [ppt_ptw] = "ptw", [ppt_pip] = "pip", [ppt_mode] = "mode",
	};
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;
	char got[512] = "";
	bool is_in = false;
	struct machine m;

	if (!run_text(&m, read_case(name)))
		return;
	pt_config_init(&config);
	config.begin = m.order.stream.bytes;
	config.end = m.order.stream.bytes + m.order.stream.nr_bytes;
	decoder = pt_pkt_alloc_decoder(&config);
	CHECK(pt_pkt_sync_forward(decoder) >= 0);
	while (pt_pkt_next(decoder, &packet, sizeof(packet)) >= 0) {
		size_t at = strlen(got);

		if (is_in && packet.type < sizeof(names) / sizeof(names[0]) && names[packet.type])
			at += snprintf(got + at, sizeof(got) - at, " %s", names[packet.type]);
		if (is_in && (packet.type == ppt_tip || packet.type == ppt_fup))
			snprintf(got + at, sizeof(got) - at, ":%x",
				 (unsigned int)packet.payload.ip.ip & 0xffff);
		is_in |= packet.type == ppt_psbend;
	}
	CHECK_STR(got, want);
	pt_pkt_free_decoder(decoder);
	machine_deinit(&m);
}

static void disabled_packets(void)
{
	check_packets("notnt", " mode pge tip:1006 tip:1006 tip:100e fup:100e pgd");
	check_packets("nobranch", " ptw fup:1001 ptw fup:1001 pip");
}

/* Returns whether a decoder must notice that the packet is missing. */
static bool is_needed(const struct pt_packet *packet, bool is_in_psb)
{
	switch (packet->type) {
	case ppt_tnt_8:
	case ppt_tnt_64:
	case ppt_tip:
	case ppt_tip_pge:
	case ppt_tip_pgd:
	case ppt_ptw:
	case ppt_vmcs:
	case ppt_ovf:
	case ppt_mnt:
	case ppt_exstop:
	case ppt_mwait:
	case ppt_pwre:
	case ppt_pwrx:
	case ppt_pip:
	case ppt_fup:
		return !is_in_psb;
	default:
		return false;
	}
}

/* Removes the packet, or inverts a bit of its payload. Returns whether the difference is found. */
static bool is_change_found(const struct machine *m, uint64_t at, size_t size, bool is_removed)
{
	const struct stream *s = &m->order.stream;
	uint8_t *bytes = malloc(s->nr_bytes);
	size_t nr = s->nr_bytes;
	bool is_found;

	if (!bytes)
		return false;
	memcpy(bytes, s->bytes, nr);
	if (is_removed) {
		nr -= size;
		memmove(bytes + at, bytes + at + size, nr - at);
	} else {
		/* The last branch of a short TNT; a low bit of other payloads. */
		bytes[at + (size > 2 ? 2 : size - 1)] ^= size > 7 ? 0x40 : size > 2 ? 4 : 2;
	}
	is_found = !libipt_compare(m, bytes, nr).is_same;
	free(bytes);
	return is_found;
}

/* The target of a branch right before an overflow makes no difference: nothing follows it. */
static unsigned int try_changes(const char *name)
{
	bool has_overflow = !strcmp(name, "overflow");
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;
	bool is_in_psb = true;
	unsigned int nr = 0;
	struct machine m;
	uint64_t at;

	if (!run_text(&m, read_case(name)))
		return 0;
	pt_config_init(&config);
	config.begin = m.order.stream.bytes;
	config.end = m.order.stream.bytes + m.order.stream.nr_bytes;
	decoder = pt_pkt_alloc_decoder(&config);
	CHECK(pt_pkt_sync_forward(decoder) >= 0);
	for (;;) {
		pt_pkt_get_offset(decoder, &at);
		if (pt_pkt_next(decoder, &packet, sizeof(packet)) < 0)
			break;
		is_in_psb |= packet.type == ppt_psb;
		if (is_needed(&packet, is_in_psb)) {
			nr++;
			if (!is_change_found(&m, at, packet.size, true))
				ktap_fail(__FILE__, __LINE__, "%s: removed at %" PRIu64, name, at);
		}
		if (!is_in_psb && !has_overflow &&
		    (packet.type == ppt_tnt_8 || packet.type == ppt_pip ||
		     (packet.type == ppt_tip && packet.size > 2))) {
			nr++;
			if (!is_change_found(&m, at, packet.size, false))
				ktap_fail(__FILE__, __LINE__, "%s: changed at %" PRIu64, name, at);
		}
		is_in_psb &= packet.type != ppt_psbend;
	}
	pt_pkt_free_decoder(decoder);
	machine_deinit(&m);
	return nr;
}

/* The control: the comparison finds each packet that is removed, and each changed payload. */
static void changes_are_found(void)
{
	static const char *const names[] = {
		"flow", "modes", "tsx", "ptwrite", "vmx", "power", "filters", "overflow", NULL
	};
	const char *const *name;
	unsigned int nr = 0;

	for (name = names; *name; name++)
		nr += try_changes(*name);
	printf("# %u changes\n", nr);
	CHECK(nr > 100);
}

/* Descriptions that cannot be executed are refused, with the line. */
static void errors(void)
{
	static const struct { const char *text, *error; } cases[] = {
		{ "jump", "line 1: unknown command" },
		{ "code 0x1000\na: nop\nend\nstart b", "line 4: start LABEL [off]" },
		{ "code 0x1000\na: foo\nend", "line 2: unknown instruction" },
		{ "code 0x1000\na: nop\na: nop\nend", "line 3: the label exists already" },
		{ "code 0x1000\na: jmp b\nend\nstart a", "line 4: a label does not exist" },
		{ "code 0x1000\na: jcc8 b\nend\ncode 0x2000\nb: nop\nend\nstart a",
		  "line 7: a label is too far away" },
		{ "code 0x1000\na: jcc a\nb: nop\nend\nstart a\nrun b",
		  "line 6: an instruction before it needs a decision" },
		{ "code 0x1000\na: ret\nend\nstart a\nto",
		  "line 5: the target of the instruction is missing" },
		{ "code 0x1000\na: nop\nend\nstart a\nvmexit a", "line 5: there is no guest" },
		{ "code 0x1000\na: nop", "line 2: code without end" },
		{ "set mtc_period=16", "line 1: unknown option, or a bad value" },
	};
	char text[256];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine m;
		struct parse parse = { .m = &m };

		machine_init(&m);
		snprintf(text, sizeof(text), "%s", cases[i].text);
		CHECK(!parse_text(&parse, text));
		CHECK_STR(parse.error, cases[i].error);
		machine_deinit(&m);
	}
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "libipt decodes the flow that was executed", flow },
		{ "libipt decodes the events that happened", events },
		{ "libipt decodes VM entries and exits", guests },
		{ "TSC packets have the guest's time", guest_times },
		{ "libipt decodes streams with errata", errata_as_libipt_expects },
		{ "without knowing of them, it does not", errata_mislead },
		{ "PEBS records are as documented", pebs },
		{ "TNT and branch packets can be disabled", disabled_packets },
		{ "changed packets are found", changes_are_found },
		{ "bad descriptions are refused", errors },
	};

	return KTAP_RUN(tests);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the own decoder with the synthetic streams: it decodes the instructions that were executed,
 * for each case in selftests/ptemu/synth/cases. pt_synth tests libipt with the same streams.
 */
#include <stdlib.h>

#include "ptemu/synth/libipt.h"
#include "ptemu/synth/parse.h"
#include "source/pt/trace/decoder.h"
#include "source/pt/input/guests.h"
#include "unit/temp_file.h"

#define CASES	"selftests/ptemu/synth/cases/"

static struct fargs_pt_input in;
static struct fargs_error_text err;

static bool run_case(struct machine *m, const char *name)
{
	struct parse parse = { .m = m };
	static char text[8192];
	char path[256];
	size_t size = 0;
	FILE *file;

	machine_init(m);
	snprintf(path, sizeof(path), CASES "%s", name);
	file = fopen(path, "r");
	if (file) {
		size = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	text[size] = '\0';
	if (size && parse_text(&parse, text))
		return true;
	ktap_fail(__FILE__, __LINE__, "%s: %s", name, size ? parse.error : "no description");
	machine_deinit(m);
	return false;
}

/* The code of guests begins here; in some cases, also other code of the host. */
#define GUEST	0x800000

static bool has_guests_alone;

/* Adds a guest, whose code is added later. */
static struct fargs_pt_input *add_guest(void)
{
	in.guests = calloc(1, sizeof(*in.guests));
	if (!in.guests)
		abort();
	in.nr_guests = 1;
	in.guests->name = strdup("");
	fargs_pt_input_init(&in.guests->in);
	in.guests->in.is_guest = true;
	return &in.guests->in;
}

static void add_insn(struct fargs_pt_input *to, const struct code_insn *insn, uint64_t at)
{
	CHECK(!fargs_pt_input_add_code(to, &(struct fargs_pt_code){
		.path = strdup(temp_path), .at = at, .bytes = insn->size, .addr = insn->ip,
		.pid = -1 }));
}

/* Makes the input: each instruction is a piece of code of its own, of the host or of the guest. */
static void make_input(const struct machine *m)
{
	struct fargs_pt_input *guest;
	const struct code_insn *insn;
	static uint8_t bytes[65536];
	uint64_t at = 0;
	size_t i;

	fargs_pt_input_init(&in);
	guest = add_guest();
	in.config.is_intel = m->config.family;
	in.config.family = m->config.family;
	in.config.model = m->config.model;
	in.config.has_kernel = true;
	for (i = 0; i < m->config.nr_ranges; i++)
		if (!m->config.ranges[i].is_stop)
			in.config.ranges[in.config.nr_ranges++] = (struct fargs_pt_range){
				m->config.ranges[i].first, m->config.ranges[i].last,
			};
	for (i = 0; i < m->code.nr_insns && at + CODE_INSN_MAX <= sizeof(bytes); i++) {
		insn = &m->code.insns[i];
		memcpy(bytes + at, insn->bytes, insn->size);
		if (insn->ip < GUEST || !has_guests_alone)
			add_insn(&in, insn, at);
		if (insn->ip >= GUEST)
			add_insn(guest, insn, at);
		at += insn->size;
	}
	temp_write(bytes, at);
}

static void decode(const struct machine *m, struct fargs_pt_flow *flow)
{
	struct fargs_pt_piece piece = {
		.bytes = m->order.stream.bytes, .size = m->order.stream.nr_bytes, .begins = true,
	};
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_segments segs = { };

	fargs_pt_decoder_step_by_insn(d);
	CHECK(!fargs_pt_segments_init(&segs, &s, UINT64_MAX));
	CHECK_INT(segs.nr, 1);
	CHECK(!segs.nr || !fargs_pt_decoder_run(d, &segs.all[0], flow));
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
}

/* Returns the next instruction of the truth that packets show, from *@i on; NULL: none. */
static const struct record *next_insn(const struct machine *m, size_t *i)
{
	const struct record *r;

	while (*i < m->records.nr) {
		r = &m->records.all[(*i)++];
		if (r->kind == RECORD_INSN && !r->is_lost)
			return r;
	}
	return NULL;
}

static void check_case(const char *name)
{
	struct fargs_pt_flow flow = { };
	const struct record *want;
	size_t i, at = 0, nr = 0, nr_errors = 0;
	struct machine m;

	if (!run_case(&m, name))
		return;
	make_input(&m);
	decode(&m, &flow);
	for (i = 0; i < flow.nr; i++) {
		nr_errors += flow.items[i].kind == FARGS_PT_ERROR;
		if (flow.items[i].kind == FARGS_PT_ERROR)
			printf("# %s: error %u at %" PRIx64 "\n", name, flow.items[i].error,
			       flow.items[i].from);
		if (flow.items[i].kind != FARGS_PT_EXECUTED)
			continue;
		want = next_insn(&m, &at);
		if (!want || want->ip != flow.items[i].from) {
			ktap_fail(__FILE__, __LINE__, "%s: instruction %zu at %" PRIx64
				  ", not %" PRIx64, name, nr, flow.items[i].from,
				  want ? want->ip : 0);
			break;
		}
		nr++;
	}
	if (i == flow.nr && next_insn(&m, &at))
		ktap_fail(__FILE__, __LINE__, "%s: only %zu instructions", name, nr);
	if (nr_errors)
		ktap_fail(__FILE__, __LINE__, "%s: %zu errors", name, nr_errors);
	printf("# %s: %zu instructions\n", name, nr);
	fargs_pt_flow_deinit(&flow);
	fargs_pt_input_deinit(&in);
	machine_deinit(&m);
}

static void flow(void)
{
	check_case("flow");
	check_case("contexts");
	check_case("cr3_filter");
	check_case("filters");
	check_case("overflow");
}

static void modes(void)
{
	check_case("modes");
}

static void events(void)
{
	check_case("tsx");
	check_case("ptwrite");
	check_case("power");
	check_case("mwait_hidden");
	check_case("event");
	check_case("event_init");
	check_case("pebs");
}

static void guests(void)
{
	has_guests_alone = true;
	check_case("vmx");
	check_case("event_vmx");
	has_guests_alone = false;
}

static void errata(void)
{
	static const char *const names[] = {
		"apl11", "apl12", "bdm64", "bdm70", "skd007", "skd010", "skd010_psb", "skd022",
		"skl014", "skl168", "skz84",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_case(names[i]);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the flow of control is what was executed", flow },
		{ "code of 16, 32 and 64 bits is what was executed", modes },
		{ "instructions around events are what was executed", events },
		{ "guests are what was executed", guests },
		{ "errata do not mislead the decoder", errata },
	};

	return TEMP_RUN(tests);
}

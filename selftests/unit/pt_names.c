// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests symbols of an address at a given time: BPF programs and modules are loaded and unloaded,
 * and others are loaded at the same address. Also tests names of calls, with a trace written by
 * hand, before and after a context switch.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/report/pt_calls.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/names.h"
#include "source/pt/trace/trace.h"
#include "unit/ktap.h"

#define CALLER	0xffffffff81000000ull
#define PROG	0xffffffffc0001000ull
#define TASK	7
#define OTHER	8

static const char kernel[] = "ffffffff81000000 T caller\n"
			     "ffffffff81000100 T later\n";

static struct fargs_pt_input in;
static struct fargs_error_text err;

static void add_symbol(uint64_t ns, uint64_t addr, const char *name, bool is_removed)
{
	const struct fargs_pt_symbol sym = {
		.ns = ns, .addr = addr, .bytes = 0x80, .is_removed = is_removed,
		.name = strdup(name),
		.module = "bpf",
	};

	REQUIRE(!fargs_pt_input_add_symbol(&in, &sym));
}

/*
 * One program is registered from 1000 to 2000 ns, and another one at the same address from 3000 ns
 * on. One tick is 1 ns.
 */
static void begin(void)
{
	fargs_pt_input_init(&in);
	in.config = (struct fargs_pt_config){ .has_kernel = true, .has_time = true,
					      .time_mult = 1 };
	in.ksyms = fargs_ksyms_parse(kernel, strlen(kernel), &err);
	REQUIRE(in.ksyms);
	add_symbol(1000, PROG, "bpf_prog_one", false);
	add_symbol(2000, PROG, "bpf_prog_one", true);
	add_symbol(3000, PROG, "bpf_prog_two", false);
}

static const char *name_at(const struct fargs_pt_names *names, struct fargs_pt_names_cache *cache,
			   uint64_t addr, uint64_t ns)
{
	const struct fargs_pt_name *kept = fargs_pt_names_get(names, cache, -1, addr, ns);
	struct fargs_pt_name found;

	fargs_pt_names_find(names, -1, addr, ns, &found);
	CHECK(found.name == kept->name && found.addr == kept->addr);
	return kept->name ? kept->name : "";
}

static void by_time(void)
{
	struct fargs_pt_names_cache *cache = calloc(1, sizeof(*cache));
	struct fargs_pt_names *names;
	unsigned int round;

	begin();
	names = fargs_pt_names_create(&in);
	REQUIRE(names && cache);
	CHECK(!fargs_pt_names_may_begin(names, PROG));
	fargs_pt_names_note_begins(names);
	CHECK(fargs_pt_names_may_begin(names, PROG) && fargs_pt_names_begins(names, PROG));
	CHECK(!fargs_pt_names_begins(names, PROG + 1));
	for (round = 0; round < 2; round++) {
		/*
		 * Without a program, the address is after all symbols of the kernel: it has the
		 * last symbol or none.
		 */
		CHECK(strncmp(name_at(names, cache, PROG, 999), "bpf_", 4) != 0);
		CHECK_STR(name_at(names, cache, PROG, 1000), "bpf_prog_one");
		CHECK_STR(name_at(names, cache, PROG + 0x7f, 1999), "bpf_prog_one");
		CHECK(strncmp(name_at(names, cache, PROG, 2000), "bpf_", 4) != 0);
		CHECK_STR(name_at(names, cache, PROG, 3000), "bpf_prog_two");
		CHECK(strncmp(name_at(names, cache, PROG + 0x80, 3000), "bpf_", 4) != 0);
		CHECK_STR(name_at(names, cache, CALLER, 1), "caller");
		CHECK_STR(name_at(names, cache, CALLER, 5000), "caller");
	}
	fargs_pt_names_destroy(names);
	fargs_pt_input_deinit(&in);
	free(cache);
}

static struct fargs_pt_item items[16];
static size_t nr_items;

static void add_item(enum fargs_pt_item_kind kind, uint64_t tsc, uint64_t to)
{
	items[nr_items++] = (struct fargs_pt_item){
		.kind = kind, .tsc = tsc, .to = to, .from = CALLER + 0x10,
		.insn = kind == FARGS_PT_BRANCH ? FARGS_PT_INSN_CALL : FARGS_PT_INSN_OTHER,
	};
}

/* Writes the lines of all calls, using fargs's view of calls. */
static void put_calls(struct fargs_buf *out)
{
	const struct fargs_pt_shown_options wanted = { };
	struct fargs_pt_switch task = { .ns = 0, .cpu = 0, .from = TASK, .to = OTHER };
	struct fargs_pt_switches switches = { .all = &task, .nr = 1, .first = TASK };
	struct fargs_pt_part part = {
		.switches = &switches, .flow = { .items = items, .nr = nr_items },
	};
	struct fargs_pt_stream *s = fargs_pt_input_stream(&in, 0, -1);
	struct fargs_pt_segment seg = { .stream = s };
	struct fargs_pt_view view;
	struct fargs_pt_call_lines *c;

	REQUIRE(s);
	part.seg = &seg;
	c = fargs_pt_call_lines_create(&in, &wanted);
	REQUIRE(c);
	view = fargs_pt_call_lines_view(c);
	CHECK_INT(view.take(view.arg, &part, 0, nr_items, out), 0);
	fargs_buf_add_char(out, '\0');
	fargs_pt_call_lines_destroy(c);
}

static void of_calls(void)
{
	struct fargs_buf out = { 0 };
	const char *one, *two;

	begin();
	nr_items = 0;
	add_item(FARGS_PT_BEGIN, 1500, CALLER);
	add_item(FARGS_PT_BRANCH, 1500, PROG);
	/* All items are in one segment. The time advances at the switch. */
	add_item(FARGS_PT_SWITCH, 3500, 0);
	add_item(FARGS_PT_BRANCH, 3500, PROG);
	put_calls(&out);
	REQUIRE(out.text);
	one = strstr(out.text, "bpf_prog_one");
	two = strstr(out.text, "bpf_prog_two");
	CHECK(one && two && one < two && !strstr(one + 1, "bpf_prog_one"));
	fargs_buf_deinit(&out);
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the symbol of an address depends on the time", by_time },
		{ "calls have the names of their time, also after a context switch", of_calls },
	};

	return KTAP_RUN(tests);
}

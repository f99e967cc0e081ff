// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs libipt's conformance tests: traces composed packet by packet, small programs, and the
 * expected output of libipt's ptdump and ptxed. fargs must print the same packets, the same
 * instructions in the same order, and the same offsets where the trace begins, ends or overflows.
 * Where it does not, Documentation/pt-conformance.md must say why.
 */
#include "unit/ptt.h"
#include "unit/ptt_program.h"
#include "unit/ptt_text.h"

#include "source/pt/trace/decoder.h"
#include "source/pt/trace/packets.h"
#include "unit/add_text.h"

static bool load_trace(const struct ptt_expected *e, struct fargs_pt_piece *piece,
		       struct fargs_pt_config *config)
{
	char file[300];
	size_t size;

	snprintf(file, sizeof(file), "%s.pt", e->test);
	*piece = (struct fargs_pt_piece){ .begins = true };
	piece->bytes = (uint8_t *)fargs_file_read(file, &size);
	piece->size = size;
	*config = (struct fargs_pt_config){ .is_intel = e->family, .family = e->family,
					    .model = e->model };
	return piece->bytes;
}

static bool dump_packets(const struct ptt_expected *e, struct fargs_buf *out,
			 struct fargs_buf *want)
{
	struct fargs_pt_config config;
	struct fargs_pt_piece piece;
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	uint64_t nr_errors = 0;
	bool ok;

	if (!load_trace(e, &piece, &config))
		return false;
	ok = !fargs_pt_packets_dump(&config, &s, add_text, out, &nr_errors);
	fargs_buf_add_char(out, '\0');
	ptt_squeeze(out->text);
	if (strstr(e->source, "opt:ptdump --no-offset"))
		drop_offsets(out->text);
	if (has_more_than_packets(e))
		keep_packets(want, e->text);
	else
		fargs_buf_add(want, e->text, strlen(e->text) + 1);
	free((void *)piece.bytes);
	return ok;
}

/*
 * Decodes a test to @out, and writes the part of the expected output that is compared to @want.
 * Returns false on an error.
 */
typedef bool (*decode_fn)(const struct ptt_expected *e, struct fargs_buf *out,
			  struct fargs_buf *want);

static bool agrees(const struct ptt_expected *e, decode_fn decode, struct ptt_list *list)
{
	struct fargs_buf out = { }, want = { };
	bool is_same;

	is_same = decode(e, &out, &want) && !strcmp(out.text, want.text);
	if (!is_same && !ptt_list_note(list, e->name))
		ktap_fail(__FILE__, __LINE__, "%s (%u %u):\n%s# is to be\n%s", e->name, e->family,
			  e->model, out.text ? out.text : "", want.text ? want.text : "");
	fargs_buf_deinit(&out);
	fargs_buf_deinit(&want);
	return is_same;
}

struct count {
	unsigned int nr, nr_same, nr_changed;
};

/* Compares the expected outputs of @tool in a folder. @newer: see ptt_is_changed(). */
static void compare_folder(const char *dir, const char *newer, const char *tool, decode_fn decode,
			   struct ptt_list *list, struct count *count)
{
	struct ptt_expected e;
	char pattern[400];
	glob_t files;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/*-%s{,-cpu_*}.exp", dir, tool);
	REQUIRE(!glob(pattern, GLOB_BRACE, NULL, &files));
	for (i = 0; i < files.gl_pathc; i++) {
		if (!ptt_open(&e, files.gl_pathv[i], tool)) {
			ktap_fail(__FILE__, __LINE__, "%s: cannot read it", files.gl_pathv[i]);
		} else if (ptt_is_changed(files.gl_pathv[i], newer)) {
			count->nr_changed++;
		} else {
			count->nr++;
			count->nr_same += agrees(&e, decode, list);
		}
		ptt_close(&e);
	}
	globfree(&files);
}

static void compare_release(const struct ptt_release *release, const struct ptt_release *newer,
			    const char *tool, decode_fn decode, struct ptt_list *list)
{
	static const char *const folders[] = { "ptt", "pevent" };
	char dir[300], newer_dir[300] = "";
	struct count count = { };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(dir, sizeof(dir), "%s/%s", release->dir, folders[i]);
		if (newer)
			snprintf(newer_dir, sizeof(newer_dir), "%s/%s", newer->dir, folders[i]);
		compare_folder(dir, newer_dir, tool, decode, list, &count);
	}
	printf("# %s %s: %u of %u are equal", release->name, release->version, count.nr_same,
	       count.nr);
	if (newer)
		printf(", %u are different in %s", count.nr_changed, newer->version);
	putchar('\n');
	ptt_list_check(list, release, count.nr_same, count.nr);
}

/*
 * Compares the expected outputs of @tool in the tests of a release. @by: the word in the list for
 * this kind of decoding. The list is that of the newest release.
 */
static void compare(const char *release, const char *tool, const char *by, decode_fn decode)
{
	struct ptt_release all[PTT_RELEASES], *newer = NULL;
	size_t i = ptt_releases(all);
	struct ptt_list list;

	REQUIRE(i);
	/* The newest is the last one. */
	while (i-- && strcmp(all[i].name, release))
		if (strcmp(all[i].version, "-"))
			newer = &all[i];
	REQUIRE(i < PTT_RELEASES);
	if (!strcmp(all[i].version, "-")) {
		ktap_skip("%s", all[i].dir);
		return;
	}
	REQUIRE(ptt_list_read(&list, tool, by));
	compare_release(&all[i], newer, tool, decode, &list);
	ptt_list_close(&list, !newer);
}

static void packets_of_bookworm(void)
{
	compare("bookworm", "ptdump", NULL, dump_packets);
}

static void packets_of_trixie(void)
{
	compare("trixie", "ptdump", NULL, dump_packets);
}

static const char *word_of(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_BRANCH:
		return item->flags & FARGS_PT_ENDS ? "[disabled]\n" : "";
	case FARGS_PT_END:
		return "[disabled]\n";
	case FARGS_PT_BEGIN:
		return item->flags & FARGS_PT_WAS_ON ? "" : "[enabled]\n";
	case FARGS_PT_INTERRUPT:
		return "[interrupt]\n";
	case FARGS_PT_OVERFLOW:
		return "[overflow]\n";
	case FARGS_PT_ERROR:
		return "[error]\n";
	default:
		return "";
	}
}

static void put_word(struct fargs_buf *out, const struct fargs_pt_item *item)
{
	char line[64];

	if (item->kind == FARGS_PT_PTWRITE)
		snprintf(line, sizeof(line), "[ptwrite: %" PRIx64 "]\n", item->to);
	else
		snprintf(line, sizeof(line), "%s", word_of(item));
	fargs_buf_add(out, line, strlen(line));
}

static void put_flow(struct fargs_buf *out, const struct program *p,
		     const struct fargs_pt_flow *flow)
{
	uint64_t ip = 0;
	size_t i;

	for (i = 0; i < flow->nr; i++) {
		const struct fargs_pt_item *item = &flow->items[i];

		put_insns(out, p, &ip, item->nr_insns);
		put_word(out, item);
		if (item->kind != FARGS_PT_PTWRITE)
			ip = item->to;
	}
	put_insns(out, p, &ip, flow->nr_rest);
}

/*
 * Like put_flow(), for a decoder that reports each instruction, so that the program is not needed.
 */
static void put_insn_flow(struct fargs_buf *out, const struct fargs_pt_flow *flow)
{
	char line[32];
	size_t i;

	for (i = 0; i < flow->nr; i++) {
		const struct fargs_pt_item *item = &flow->items[i];

		put_word(out, item);
		if (item->kind != FARGS_PT_EXECUTED)
			continue;
		snprintf(line, sizeof(line), "%016" PRIx64 "\n", item->from);
		fargs_buf_add(out, line, strlen(line));
	}
}

/* Writes the number of instructions as ptxed --stat does; with --quiet, nothing else is printed. */
static void put_stat(struct fargs_buf *out, const struct ptt_expected *e,
		     const struct fargs_pt_flow *flow)
{
	char line[64];

	if (strstr(e->source, "opt:ptxed --quiet"))
		out->n = 0;
	snprintf(line, sizeof(line), "insn: %" PRIu64 ".\n", flow->nr_insns);
	fargs_buf_add(out, line, strlen(line));
}

static bool decode_test(const struct ptt_expected *e, const struct program *p, bool is_by_insn,
			bool has_stat, struct fargs_buf *out)
{
	struct fargs_pt_piece piece;
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_pt_segments segs = { };
	struct fargs_pt_flow flow = { };
	struct fargs_error_text err;
	struct fargs_pt_decoder *d;
	struct fargs_pt_text *text;
	struct fargs_pt_input in;
	struct fargs_pt_code code = { .addr = p->org, .pid = -1 };
	char file[300];
	bool ok;

	fargs_pt_input_init(&in);
	if (!load_trace(e, &piece, &in.config))
		return false;
	snprintf(file, sizeof(file), "%s.bin", e->test);
	code.path = strdup(file);
	free(fargs_file_read(file, &code.bytes));
	ok = !fargs_pt_input_add_code(&in, &code);
	text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	d = fargs_pt_decoder_create(&in, text, 0);
	if (d && is_by_insn)
		fargs_pt_decoder_step_by_insn(d);
	ok = ok && d && !fargs_pt_segments_init(&segs, &s, UINT64_MAX) && segs.nr == 1 &&
	     !fargs_pt_decoder_run(d, segs.all, &flow);
	if (ok && is_by_insn)
		put_insn_flow(out, &flow);
	else if (ok)
		put_flow(out, p, &flow);
	if (ok && has_stat)
		put_stat(out, e, &flow);
	fargs_buf_add_char(out, '\0');
	fargs_pt_flow_deinit(&flow);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	fargs_pt_input_deinit(&in);
	free((void *)piece.bytes);
	return ok;
}

static bool decode_by(const struct ptt_expected *e, bool is_by_insn, struct fargs_buf *out,
		      struct fargs_buf *want)
{
	static struct program p;

	read_program(&p, e);
	keep_comparable(want, e->text);
	return decode_test(e, &p, is_by_insn, strstr(want->text, "insn: "), out);
}

static bool decode_blocks(const struct ptt_expected *e, struct fargs_buf *out,
			  struct fargs_buf *want)
{
	return decode_by(e, false, out, want);
}

static bool decode_insns(const struct ptt_expected *e, struct fargs_buf *out,
			 struct fargs_buf *want)
{
	return decode_by(e, true, out, want);
}

static void blocks_of_bookworm(void)
{
	compare("bookworm", "ptxed", "blocks", decode_blocks);
}

static void blocks_of_trixie(void)
{
	compare("trixie", "ptxed", "blocks", decode_blocks);
}

static void insns_of_bookworm(void)
{
	compare("bookworm", "ptxed", "instructions", decode_insns);
}

static void insns_of_trixie(void)
{
	compare("trixie", "ptxed", "instructions", decode_insns);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "packets are those of ptdump 2.1", packets_of_trixie },
		{ "packets are those of ptdump 2.0", packets_of_bookworm },
		{ "instructions and events are those of ptxed 2.1", blocks_of_trixie },
		{ "instructions and events are those of ptxed 2.0", blocks_of_bookworm },
		{ "instructions decoded one by one are those of ptxed 2.1", insns_of_trixie },
		{ "instructions decoded one by one are those of ptxed 2.0", insns_of_bookworm },
	};
	return KTAP_RUN(tests);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs libipt's conformance tests: traces composed packet by packet, small programs, and the
 * expected output of libipt's ptdump and ptxed. fargs must print the same packets, the same
 * instructions in the same order, and the same offsets where the trace begins, ends or overflows.
 */
#include "unit/pt_testdata.h"

#include <ctype.h>
#include <glob.h>

#include "base/file.h"
#include "source/pt/decode/decoder.h"
#include "source/pt/decode/packets.h"
#include "unit/add_text.h"

#define TESTS	"pt-ptt"
#define LIST	"Documentation/pt-conformance.md"

/*
 * Replaces each run of blanks in a text by one blank, and removes blanks at line ends and empty
 * lines.
 */
static void squeeze(char *text)
{
	char *to = text, *from;

	for (from = text; *from; from++) {
		bool is_begin = to == text || to[-1] == '\n';

		if (*from == '\r' || (isblank(*from) && (is_begin || isblank(to[-1]))))
			continue;
		if (*from == '\n') {
			while (to > text && isblank(to[-1]))
				to--;
			if (to == text || to[-1] == '\n')
				continue;
		}
		*to++ = isblank(*from) ? ' ' : *from;
	}
	*to = '\0';
}

/* An expected output: TEST-ptdump.exp or TEST-ptdump-cpu_FAMILY_MODEL.exp. */
struct expected {
	char test[128];		/* path of the test's files, without the suffix */
	const char *name;
	unsigned int family, model;
	char *text;
	char *source;		/* source of the test; NULL: there is none */
};

static bool open_expected(struct expected *e, const char *path, const char *tool)
{
	char suffix[32], file[160];
	const char *at;
	size_t size;

	memset(e, 0, sizeof(*e));
	snprintf(suffix, sizeof(suffix), "-%s", tool);
	at = strstr(path, suffix);
	while (at && strstr(at + 1, suffix))
		at = strstr(at + 1, suffix);
	if (!at || at - path >= (long)sizeof(e->test))
		return false;
	memcpy(e->test, path, at - path);
	e->name = strrchr(e->test, '/') + 1;
	sscanf(at + strlen(suffix), "-cpu_%u_%u.exp", &e->family, &e->model);
	e->text = fargs_file_read(path, &size);
	snprintf(file, sizeof(file), "%s.ptt", e->test);
	e->source = fargs_file_read(file, &size);
	if (e->text)
		squeeze(e->text);
	return e->text;
}

static void close_expected(struct expected *e)
{
	free(e->text);
	free(e->source);
}

/* Returns whether the test uses options of its tool that fargs lacks. */
static bool needs_option(const struct expected *e, const char *const *options)
{
	for (; *options; options++)
		if (e->source && strstr(e->source, *options))
			return true;
	return false;
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static bool load_trace(const struct expected *e, struct fargs_pt_piece *piece,
		       struct fargs_pt_config *config)
{
	char file[160];
	size_t size;

	snprintf(file, sizeof(file), "%s.pt", e->test);
	*piece = (struct fargs_pt_piece){ .begins = true };
	piece->bytes = (uint8_t *)fargs_file_read(file, &size);
	piece->size = size;
	*config = (struct fargs_pt_config){ .is_intel = e->family, .family = e->family,
					    .model = e->model };
	return piece->bytes;
}

/* Returns whether libipt supports the errata of the test's CPU. */
static bool is_known_cpu(const struct expected *e)
{
	const struct pt_cpu cpu = { .vendor = pcv_intel, .family = e->family, .model = e->model };
	struct pt_errata errata;

	return !e->family || pt_cpu_errata(&errata, &cpu) >= 0;
}

static bool is_any(const struct expected *e)
{
	return true;
}

/* Removes the offsets at the beginnings of lines. */
static void drop_offsets(char *text)
{
	char *to = text, *from = text;

	while (*from) {
		if (isxdigit(*from) && strspn(from, "0123456789abcdef") == 16 && from[16] == ' ')
			from += 17;
		while (*from && *from != '\n')
			*to++ = *from++;
		if (*from)
			*to++ = *from++;
	}
	*to = '\0';
}

static bool packets_agree(const struct expected *e)
{
	struct fargs_pt_config config;
	struct fargs_pt_piece piece;
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_buf out = { };
	uint64_t nr_errors = 0;
	bool ok;

	if (!load_trace(e, &piece, &config))
		return false;
	ok = !fargs_pt_packets_dump(&config, &s, add_text, &out, &nr_errors);
	fargs_buf_add_char(&out, '\0');
	squeeze(out.text);
	if (e->source && strstr(e->source, "--no-offset"))
		drop_offsets(out.text);
	ok = ok && !strcmp(out.text, e->text);
	if (!ok)
		printf("# %s:\n%s# is to be\n%s", e->name, out.text, e->text);
	fargs_buf_deinit(&out);
	free((void *)piece.bytes);
	return ok;
}

/* Checks that the list explains why test @name is skipped. */
static void check_listed(const char *name)
{
	char word[160], *text;
	size_t size;

	text = fargs_file_read(LIST, &size);
	snprintf(word, sizeof(word), "`%s`", name);
	if (!text || !strstr(text, word))
		ktap_fail(__FILE__, __LINE__, "%s is not in " LIST, name);
	free(text);
}

/*
 * Compares all tests of one tool, except for those that are skipped, whose names are printed once.
 */
static void compare_all(const char *tool, const char *const *options, const char *const *names,
			bool (*can)(const struct expected *e),
			bool (*agree)(const struct expected *e), unsigned int nr_min)
{
	unsigned int nr = 0, nr_wrong = 0;
	char pattern[160], last[128] = "";
	struct expected e;
	glob_t files;
	size_t i;

	if (!pt_testdata_unpack(TESTS))
		return;
	snprintf(pattern, sizeof(pattern), "%s/*-%s*.exp", pt_testdata_at(TESTS), tool);
	REQUIRE(!glob(pattern, 0, NULL, &files));
	for (i = 0; i < files.gl_pathc; i++) {
		if (!open_expected(&e, files.gl_pathv[i], tool)) {
			ktap_fail(__FILE__, __LINE__, "%s: cannot read it", files.gl_pathv[i]);
			continue;
		}
		if (needs_option(&e, options) || is_one_of(e.name, names) || !can(&e)) {
			if (strcmp(e.name, last)) {
				printf("# left out: %s\n", e.name);
				check_listed(e.name);
			}
			snprintf(last, sizeof(last), "%s", e.name);
		} else {
			nr++;
			nr_wrong += !agree(&e);
		}
		close_expected(&e);
	}
	globfree(&files);
	printf("# %u compared\n", nr);
	CHECK_INT(nr_wrong, 0);
	CHECK(nr >= nr_min);
}

static void packets(void)
{
	/*
	 * Options that fargs dump lacks: it shows neither times nor packets before the first PSB.
	 */
	static const char *const options[] = {
		"opt:ptdump --time", "opt:ptdump --tcal", "opt:ptdump --lastip",
		"opt:ptdump --no-sync", "opt:ptdump --nom-freq 4 --time", NULL
	};
	/* Tests of errata that libipt supports since 2.1, and a test without a source. */
	static const char *const names[] = { "skd007", "skz84", "ptdump-no-offset-raw", NULL };

	compare_all("ptdump", options, names, is_any, packets_agree, 225);
}

/* Addresses of the instructions of a program, from the listing of its assembler. */
struct program {
	uint64_t org;
	uint64_t ips[65536];
	size_t nr;
};

static void add_ip(struct program *p, uint64_t ip)
{
	if (p->nr < sizeof(p->ips) / sizeof(p->ips[0]))
		p->ips[p->nr++] = ip;
}

/*
 * Reads lines such as " 44 0000000D 4883F801 l4: cmp rax, 0x1". A repeated instruction is listed
 * once, with <rep Nh> after its bytes; an instruction with many bytes continues on the next line
 * after a dash.
 */
static void read_program(struct program *p, const struct expected *e)
{
	char file[160], bytes[64], *text, *line, *save;
	bool goes_on = false;
	uint64_t at, n;
	unsigned int nr;
	size_t size;

	p->nr = 0;
	p->org = 0;
	snprintf(file, sizeof(file), "%s.lst", e->test);
	text = fargs_file_read(file, &size);
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (strstr(line, "[org "))
			sscanf(strstr(line, "[org ") + 5, "%" SCNi64, &p->org);
		if (sscanf(line, "%u %" SCNx64 " %63s", &nr, &at, bytes) != 3)
			continue;
		if (!goes_on)
			add_ip(p, p->org + at);
		goes_on = bytes[strlen(bytes) - 1] == '-';
		if (strstr(line, "<rep ") && sscanf(strstr(line, "<rep ") + 5, "%" SCNx64, &n) == 1)
			while (--n)
				add_ip(p, p->ips[p->nr - 1] + 1);
	}
	free(text);
}

static size_t find_ip(const struct program *p, uint64_t ip)
{
	size_t i;

	for (i = 0; i < p->nr && p->ips[i] != ip;)
		i++;
	return i;
}

/*
 * Writes the addresses of @nr consecutive instructions from *@ip on. Sets *@ip to the address after
 * them.
 */
static void put_insns(struct fargs_buf *out, const struct program *p, uint64_t *ip, uint32_t nr)
{
	size_t i = find_ip(p, *ip);
	char line[32];

	for (; nr && i < p->nr; nr--, i++) {
		snprintf(line, sizeof(line), "%016" PRIx64 "\n", p->ips[i]);
		fargs_buf_add(out, line, strlen(line));
	}
	if (nr)
		fargs_buf_add(out, "no instruction\n", strlen("no instruction\n"));
	*ip = i < p->nr ? p->ips[i] : 0;
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
	case FARGS_PT_OVERFLOW:
		return "[overflow]\n";
	case FARGS_PT_ERROR:
		return "[error]\n";
	default:
		return "";
	}
}

static void put_flow(struct fargs_buf *out, const struct program *p,
		     const struct fargs_pt_flow *flow)
{
	uint64_t ip = 0;
	size_t i;

	for (i = 0; i < flow->nr; i++) {
		const struct fargs_pt_item *item = &flow->items[i];

		put_insns(out, p, &ip, item->nr_insns);
		fargs_buf_add(out, word_of(item), strlen(word_of(item)));
		if (item->kind != FARGS_PT_PTWRITE)
			ip = item->to;
	}
	put_insns(out, p, &ip, flow->nr_rest);
	fargs_buf_add_char(out, '\0');
}

/*
 * Reduces ptxed's output to the parts that are compared. Words in brackets are spelled as in
 * fargs's output, or removed.
 */
static void keep_comparable(struct fargs_buf *out, char *text)
{
	static const struct { const char *from, *to; } words[] = {
		{ "[disabled", "[disabled]" }, { "[enabled", "[enabled]" },
		{ "[resumed", "[enabled]" }, { "[overflow", "[overflow]" },
	};
	char *line, *save;
	const char *keep;
	size_t i;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		/* Remove the mark of speculative instructions, and times before words. */
		if (!strncmp(line, "? ", 2))
			line += 2;
		if (line[0] == '[' && strspn(line + 1, "0123456789abcdef") == 16) {
			line += 17;
			line[0] = '[';
		}
		keep = strstr(line, "error") ? "[error]" : NULL;
		if (strspn(line, "0123456789abcdef") == 16) {
			line[16] = '\0';
			keep = line;
		}
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (!strncmp(line, words[i].from, strlen(words[i].from)))
				keep = words[i].to;
		if (keep) {
			fargs_buf_add(out, keep, strlen(keep));
			fargs_buf_add_char(out, '\n');
		}
	}
	fargs_buf_add_char(out, '\0');
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

		fargs_buf_add(out, word_of(item), strlen(word_of(item)));
		if (item->kind != FARGS_PT_EXECUTED)
			continue;
		snprintf(line, sizeof(line), "%016" PRIx64 "\n", item->from);
		fargs_buf_add(out, line, strlen(line));
	}
	fargs_buf_add_char(out, '\0');
}

static bool decode_test(const struct expected *e, const struct program *p, bool is_by_insn,
			struct fargs_buf *out)
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
	char file[160];
	bool ok;

	fargs_pt_input_init(&in);
	if (!load_trace(e, &piece, &in.config))
		return false;
	snprintf(file, sizeof(file), "%s.bin", e->test);
	code.path = strdup(file);
	free(fargs_file_read(file, &code.bytes));
	ok = !fargs_pt_input_add_code(&in, &code);
	text = fargs_pt_text_create(&in, &err);
	d = fargs_pt_decoder_create(&in, text, 0);
	if (d && is_by_insn)
		fargs_pt_decoder_step_by_insn(d);
	ok = ok && d && !fargs_pt_segments_init(&segs, &s, UINT64_MAX) && segs.nr == 1 &&
	     !fargs_pt_decoder_run(d, segs.all, &flow);
	if (ok && is_by_insn)
		put_insn_flow(out, &flow);
	else if (ok)
		put_flow(out, p, &flow);
	fargs_pt_flow_deinit(&flow);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	fargs_pt_input_deinit(&in);
	free((void *)piece.bytes);
	return ok;
}

static bool flow_agrees_by(const struct expected *e, bool is_by_insn)
{
	static struct program p;
	struct fargs_buf out = { }, want = { };
	bool ok;

	read_program(&p, e);
	keep_comparable(&want, e->text);
	ok = decode_test(e, &p, is_by_insn, &out) && !strcmp(out.text, want.text);
	if (!ok)
		printf("# %s (%u %u):\n%s# is to be\n%s", e->name, e->family, e->model,
		       out.text ? out.text : "", want.text);
	fargs_buf_deinit(&out);
	fargs_buf_deinit(&want);
	return ok;
}

static bool flow_agrees(const struct expected *e)
{
	return flow_agrees_by(e, false);
}

static bool insns_agree(const struct expected *e)
{
	return flow_agrees_by(e, true);
}

/* Since 2.1, libipt supports MWAIT packets without an IP, and event tracing. */
static bool is_2_1(void)
{
	struct pt_version version = pt_library_version();

	return version.major > 2 || (version.major == 2 && version.minor >= 1);
}

static void compare_flow(bool (*agree)(const struct expected *e))
{
	static const char *const options[] = {
		"opt:ptxed --filter", "opt:ptxed --quiet", "--stat", "--block:show-blocks", NULL
	};
	/* The first test uses a filter, but its source is missing. */
	static const char *const names[] = {
		"skl014-jmp-jmp", "tip_pgd-mwait-pwre-exstop-pwrx-tip_pge", "ptet-int-iret",
		"ptet-int-iret-cpl_0", "ptet-int-iret-cpl_3", "ptet-vmexit-vmentry-nonroot",
		"ptet-vmexit-vmentry-root", NULL
	};
	static const char *const names_2_1[] = { "skl014-jmp-jmp", NULL };

	compare_all("ptxed", options, is_2_1() ? names_2_1 : names, is_known_cpu, agree, 150);
}

static void flow(void)
{
	compare_flow(flow_agrees);
}

static void insns(void)
{
	compare_flow(insns_agree);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "packets are those of ptdump", packets },
		{ "instructions and events are those of ptxed", flow },
		{ "instructions decoded one by one are those of ptxed", insns },
	};
	int status = KTAP_RUN(tests);

	pt_testdata_clean_up();
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests reports and exports of calls of an Intel PT trace to which records were joined.
 */
#include <unistd.h>

#include "cmd/verbs.h"
#include "unit/join_world.h"
#include "unit/ktap.h"

#define ARGS_MAX	16

static char dir[32] = "/tmp/fargs-pt-export-XXXXXX";
static char trace[64], out[64];
static char text[1 << 18];
static size_t text_bytes;

/* Sets the duration of the latest record, which must be that of a return. */
static void took(uint64_t ns)
{
	struct join_record *r = &join_records[join_nr_records - 1];
	uint64_t from = r->head.tsc - ns;

	memcpy(r->body + 3 + sizeof(uint64_t) + sizeof(FARGS_NAME_ENTRY) + 1, &from, sizeof(from));
}

/* Writes a trace with calls of f and p; p takes 40 ns, and then 150 ns. */
static void make_trace(void)
{
	struct fargs_error_text err = { "" };

	join_begin(1000);
	join_put_tsc(1100);
	join_put_f(true);
	join_add_record(JOIN_F, 1, 1110);
	join_put_g(false, false);
	join_put_tsc(1200);
	join_put_p(true);
	join_add_record(JOIN_P, 2, 1250);
	took(40);
	join_put_t(false, false);
	join_put_f(false);
	join_put_g(false, false);
	join_put_tsc(1300);
	join_put_p(true);
	join_add_record(JOIN_P, 3, 1450);
	took(150);
	join_put_t(false, false);
	join_put_f(true);
	join_add_record(JOIN_F, 4, 1900);
	join_put_tsc(2000);
	join_put_overflow();
	join_put_f(true);
	join_add_record(JOIN_F, 5, 2500);
	join_put_tsc(3000);
	join_put_tnt();
	join_put_pieces();
	REQUIRE(join_write(trace, &err));
}

/* Reads a file into @text. */
static void read_file(const char *path)
{
	FILE *file = fopen(path, "r");

	text_bytes = 0;
	if (file) {
		text_bytes = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	text[text_bytes] = '\0';
}

/* Runs "fargs export @words -o OUT TRACE", and reads OUT into @text. Returns the exit status. */
static int export(const char *words)
{
	char copy[256], *argv[ARGS_MAX] = { (char *)"export" }, *word, *rest = copy;
	int argc = 1, status;

	snprintf(copy, sizeof(copy), "%s -o %s %s", words, out, trace);
	while ((word = strsep(&rest, " ")) && argc < ARGS_MAX - 1)
		argv[argc++] = word;
	status = fargs_verb_export.run(argc, argv);
	read_file(out);
	return status;
}

static void a_cpu_of_the_trace_can_be_selected(void)
{
	CHECK_INT(export("--format chrome --call-trace -C 0"), 0);
	CHECK(strstr(text, "\"name\":\"p\"") != NULL);
	unlink(out);
}

/* Does the output contain @what? */
static bool has(const char *what)
{
	return memmem(text, text_bytes, what, strlen(what));
}

/* The files of CTF: one per CPU that has events, and the metadata. */
static void ctf_has_the_events_of_each_cpu(void)
{
	char path[128];

	CHECK_INT(export("--format ctf --call-trace"), 0);
	snprintf(path, sizeof(path), "%s/cpu_0", out);
	CHECK_INT(access(path, R_OK), 0);
	read_file(path);
	CHECK(text_bytes > 0);
	unlink(path);
	snprintf(path, sizeof(path), "%s/metadata", out);
	unlink(path);
	CHECK_INT(rmdir(out), 0);
}

/*
 * Without records, a call and its return have the same values. So each event in CTF must have the
 * word call or return.
 */
static void ctf_tells_returns_from_calls(void)
{
	char path[128];

	CHECK_INT(export("--format ctf --call-ret-trace --filter $func==\"g\""), 0);
	snprintf(path, sizeof(path), "%s/metadata", out);
	unlink(path);
	snprintf(path, sizeof(path), "%s/cpu_0", out);
	read_file(path);
	CHECK(has("call") && has("return"));
	unlink(path);
	CHECK_INT(rmdir(out), 0);
}

static void sqlite_has_the_text_of_errors(void)
{
	if (export("--format sqlite --call-trace --filter $func==\"error\"")) {
		ktap_skip("libsqlite3 is not installed");
		return;
	}
	CHECK(has("the CPU lost packets"));
	unlink(out);
}

/*
 * Only p, whose returns have records, has a duration: the sum for its two calls. The return time of
 * a call without a return record is known too inexactly for a duration.
 */
static void durations_are_those_of_the_calls(void)
{
	CHECK_INT(export("--format folded --by duration --call-ret-trace"), 0);
	CHECK_STR(text, ":-1;loop;p 190\n");
	unlink(out);
	/* Without returns, it is not known which calls are nested. */
	CHECK_INT(export("--format folded --by duration --call-trace"), 1);
	CHECK_STR(text, "");
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "a CPU of the trace can be selected", a_cpu_of_the_trace_can_be_selected },
		{ "CTF has the events of each CPU", ctf_has_the_events_of_each_cpu },
		{ "CTF tells returns from calls", ctf_tells_returns_from_calls },
		{ "durations are those of the calls", durations_are_those_of_the_calls },
		{ "SQLite has the text of errors", sqlite_has_the_text_of_errors },
	};
	int ret;

	if (!mkdtemp(dir))
		return 1;
	snprintf(trace, sizeof(trace), "%s/trace", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	make_trace();
	ret = KTAP_RUN(tests);
	unlink(trace);
	rmdir(dir);
	return ret;
}

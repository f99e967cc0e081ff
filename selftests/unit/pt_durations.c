// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests durations of calls, which are shown after their returns and derived from MTCs, with a trace
 * and a program of a few bytes written by hand. A range must contain the duration, and no duration
 * is shown if it is unknown.
 */
#include <string.h>

#include "cmd/report/pt_calls.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/trace/trace.h"
#include "unit/add_text.h"
#include "unit/pt_program.h"

/*
 *	1000 outer:	call 1100;  1005 ret
 *	1100 inner:	ret
 *	1200 caller:	call 1000;  1205 ret
 */
static const char symbols[] =
	"0000000000001000 T outer\n"
	"0000000000001100 T inner\n"
	"0000000000001200 T caller\n";

static struct fargs_buf text;

/*
 * The TSC counts twice as fast as the crystal clock. An MTC is recorded for every eighth tick of
 * the crystal clock.
 */
#define START_TSC	1000
#define MTC_TSC		16

static void begin(bool has_mtc)
{
	uint8_t code[0x300] = { };

	memcpy(code, "\xe8\xfb\x00\x00\x00\xc3", 6);
	memcpy(code + 0x100, "\xc3", 1);
	memcpy(code + 0x200, "\xe8\xfb\xfd\xff\xff\xc3", 6);
	set_code(code, sizeof(code));
	in.config = (struct fargs_pt_config){
		.has_kernel = true, .has_tsc = true, .has_time = true, .time_mult = 1,
		.has_mtc = has_mtc, .cpuid_0x15_eax = 1, .cpuid_0x15_ebx = 2, .mtc_freq = 3,
	};
	in.ksyms = fargs_ksyms_parse(symbols, strlen(symbols), &err);
	REQUIRE(in.ksyms);
	put_psb(&trace, START_TSC, CODE + 0x200);
	if (!has_mtc)
		return;
	/* TSC, and TMA: the crystal clock is 0 at this time. */
	put_bytes(&trace, "\x19\xe8\x03\x00\x00\x00\x00\x00", 8);
	put_bytes(&trace, "\x02\x73\x00\x00\x00\x00\x00", 7);
}

/* Adds an MTC for the time START_TSC + @nr * MTC_TSC. */
static void put_mtc(uint8_t nr)
{
	put_bytes(&trace, "\x59", 1);
	put_bytes(&trace, &nr, 1);
}

static void put_return(void)
{
	put_bytes(&trace, "\x06", 1);
}

static void run(void)
{
	static const struct fargs_pt_shown_options wanted = {
		.has_returns = true,
	};
	const struct fargs_pt_trace_options how = { .nr_threads = 1 };
	const struct fargs_pt_piece piece = {
		.bytes = trace.bytes, .size = trace.n, .begins = true,
	};
	struct fargs_pt_stream *s = fargs_pt_input_stream(&in, 0, -1);
	struct fargs_pt_call_lines *c;
	struct fargs_pt_view view;

	REQUIRE(s && !fargs_pt_input_add_piece(s, &piece));
	c = fargs_pt_call_lines_create(&in, &wanted);
	REQUIRE(c);
	view = fargs_pt_call_lines_view(c);
	text.n = 0;
	CHECK_INT(fargs_pt_trace_run(&in, &how, &view, add_text, &text, &err), 0);
	fargs_buf_add_char(&text, '\0');
	fargs_pt_call_lines_destroy(c);
	fargs_pt_input_deinit(&in);
}

/*
 * Finds the duration of @name, in ns, in the line of its return. Returns false if the line has no
 * duration.
 */
static bool took(const char *name, double *least, double *most)
{
	char word[64];
	const char *at;

	snprintf(word, sizeof(word), "%s (", name);
	at = strstr(text.text, word);
	if (!at || sscanf(at + strlen(word), "%lf..%lf us", least, most) != 2)
		return false;
	*least *= 1000;
	*most *= 1000;
	return true;
}

/*
 * Checks the bounds of the duration of @name: they must include @at_least and @at_most, in ns, and
 * be wider apart by at most four times the maximum error of a time in the trace.
 */
static bool is_about(const char *name, double at_least, double at_most)
{
	double least, most;

	if (took(name, &least, &most) && least <= at_least && most >= at_most &&
	    most - least <= at_most - at_least + 4 * 4 * (MTC_TSC + 1))
		return true;
	printf("# %s", text.text);
	return false;
}

/* Returns whether the line @line ends without a duration. */
static bool is_silent(const char *line)
{
	if (strstr(text.text, line))
		return true;
	printf("# %s", text.text);
	return false;
}

static void by_mtc(void)
{
	begin(true);
	put_mtc(1);
	put_mtc(2);
	put_mtc(100);
	put_return();
	put_mtc(101);
	put_mtc(200);
	put_return();
	put_mtc(201);
	put_bytes(&trace, "\x01", 1);
	run();
	CHECK(is_about("inner", 98 * MTC_TSC, 101 * MTC_TSC));
	CHECK(is_about("outer", 198 * MTC_TSC, 201 * MTC_TSC));
	/* The call has not returned. */
	CHECK(is_silent("tr end   caller\n"));
}

/* Tests MTCs that are too close to each other: the durations are unknown. */
static void too_short(void)
{
	double least, most;

	begin(true);
	put_mtc(1);
	put_mtc(2);
	put_return();
	put_mtc(3);
	put_mtc(200);
	put_return();
	put_bytes(&trace, "\x01", 1);
	run();
	CHECK(is_silent("return       inner\n"));
	CHECK(took("outer", &least, &most));
}

static void without_mtc(void)
{
	begin(false);
	put_return();
	put_return();
	put_bytes(&trace, "\x01", 1);
	run();
	CHECK(is_silent("return       inner\n"));
	CHECK(is_silent("return     outer\n"));
}

/*
 * Tests packets that are lost while inner runs: it is then unknown whether earlier calls are still
 * open.
 */
static void after_overflow(void)
{
	begin(true);
	put_mtc(1);
	put_mtc(100);
	put_return();
	put_mtc(150);
	put_bytes(&trace, "\x02\xf3", 2);
	put_bytes(&trace, "\x7d\x05\x10\x00\x00\x00\x00", 7);	/* FUP with IP 1005 */
	put_mtc(200);
	put_bytes(&trace, "\x6d\x05\x12\x00\x00\x00\x00", 7);	/* TIP with IP 1205 */
	put_mtc(250);
	put_bytes(&trace, "\x01", 1);
	run();
	CHECK(strstr(text.text, "the CPU lost packets"));
	CHECK(is_silent("return   caller+0x5\n"));
	CHECK(!strstr(text.text, "outer ("));
}

/*
 * Tests calls after lost packets: MTCs count to 256, and more may be lost. A TSC shows that they
 * were; how long inner ran is not known.
 */
static void since_overflow(void)
{
	begin(true);
	put_bytes(&trace, "\x02\xf3", 2);
	put_bytes(&trace, "\x7d\x00\x12\x00\x00\x00\x00", 7);	/* FUP with IP 1200 */
	put_mtc(100);
	put_mtc(101);
	/* TSC 1000 + 512 * 16; TMA: the crystal clock is 512 * 8. */
	put_bytes(&trace, "\x19\xe8\x23\x00\x00\x00\x00\x00", 8);
	put_bytes(&trace, "\x02\x73\x00\x10\x00\x00\x00", 7);
	put_mtc(1);
	put_mtc(2);
	put_return();
	put_mtc(3);
	put_bytes(&trace, "\x01", 1);
	run();
	CHECK(is_silent("return       inner\n"));
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "MTCs bound durations of calls", by_mtc },
		{ "too short durations are not shown", too_short },
		{ "the TSC alone does not bound durations", without_mtc },
		{ "durations across lost packets are not shown", after_overflow },
		{ "durations since lost packets are not shown if MTCs may have wrapped",
		  since_overflow },
	};
	int status = TEMP_RUN(tests);

	fargs_buf_deinit(&text);
	return status;
}

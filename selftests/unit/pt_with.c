// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests which Intel PT traces of perf can be joined with which records of fargs. Each test changes
 * one thing of two recordings that belong together.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel/sym/ksyms.h"
#include "source/pt/join/with.h"
#include "uapi/fargs.h"
#include "unit/ktap.h"

#define KERNEL		0xffffffff81000000
#define F		(KERNEL + 0x10)
#define MODULE		0xffffffffc0000000
#define SITE		(MODULE + 8)
#define ID		(MODULE + 0x20)
#define KERNEL_BYTES	0x40
#define MODULE_BYTES	0x40

static char path[64];
static struct fargs_error_text err;

/* A file with the code of the kernel, then of the module. */
static uint8_t file[KERNEL_BYTES + MODULE_BYTES];

static struct fargs_pt_input in;
static struct fargs_meta meta;

static const char symbols[] =
	"ffffffff81000000 t first\n"
	"ffffffff81000010 t f\n"
	"ffffffff81000040 t last\n"
	"ffffffffc0000000 t fargs_entry_plain\t[fargs]\n"
	"ffffffffc0000040 t fargs_end\t[fargs]\n";

static void write_file(void)
{
	FILE *to = fopen(path, "w");

	CHECK(to && fwrite(file, sizeof(file), 1, to) == 1 && !fclose(to));
}

static void add_code(uint64_t addr, uint64_t at, uint64_t bytes)
{
	const struct fargs_pt_code code = {
		.path = strdup(path), .at = at, .bytes = bytes, .addr = addr, .pid = -1,
	};

	CHECK_INT(fargs_pt_input_add_code(&in, &code), 0);
}

static void add_switch(uint64_t ns)
{
	const struct fargs_pt_switch sw = { .ns = ns, .from = 1, .to = 2 };

	CHECK_INT(fargs_pt_input_add_switch(&in, &sw), 0);
}

/* A TSC is twice the time in ns, plus 1000. */
static void add_clock(uint64_t ns)
{
	const struct fargs_clock_sample sample = {
		.tsc = 1000 + 2 * ns, .perf_ns = ns, .is_valid = FARGS_CLOCK_VALID,
	};

	CHECK_INT(fargs_meta_add_clock(&meta, &sample), 0);
}

static void set_up_meta(void)
{
	fargs_meta_init(&meta);
	meta.info.nr_cpus = 1;
	meta.info.tsc_khz = 2000000;
	meta.info.seq_site[FARGS_PATH_PLAIN] = SITE;
	meta.funcs = calloc(1, sizeof(*meta.funcs));
	meta.nr_funcs = 1;
	meta.funcs[0] = (struct fargs_func){ .ip = F, .addr = F, .name = strdup("f") };
	meta.module_id = (struct fargs_module_id){ .addr = ID, .data = "0123456789", .bytes = 10 };
	add_clock(1000000000);
	add_clock(2000000000);
}

/* Two recordings that belong together. */
static void set_up(void)
{
	memset(file, 0x90, sizeof(file));
	memcpy(file + 0x10, "\xe8\x01\x02\x03\x04", 5);
	memcpy(file + KERNEL_BYTES + 8, "\x48\x0f\xc1\x02", 4);
	memcpy(file + KERNEL_BYTES + 0x20, "0123456789", 10);
	write_file();
	fargs_pt_input_init(&in);
	in.config = (struct fargs_pt_config){
		.has_kernel = true, .has_time = true, .time_mult = 1, .time_shift = 1,
		.time_zero = -500ull,
	};
	CHECK(fargs_pt_input_stream(&in, 0, -1) != NULL);
	add_code(KERNEL, 0, KERNEL_BYTES);
	add_code(MODULE, KERNEL_BYTES, MODULE_BYTES);
	add_switch(1500000000);
	add_switch(2500000000);
	in.ksyms = fargs_ksyms_parse(symbols, sizeof(symbols) - 1, NULL);
	set_up_meta();
}

/* Checks the recordings. @why: part of the reason for which they are refused; NULL: they fit. */
static void finish(const char *why)
{
	int ret = fargs_pt_with_check(&in, &meta, NULL, &err);

	if (why) {
		CHECK_INT(ret, -EINVAL);
		CHECK(strstr(err.text, why) != NULL);
		CHECK_INT(in.seq_sites[FARGS_PATH_PLAIN], 0);
		if (!strstr(err.text, why))
			printf("# %s\n", err.text);
	} else {
		if (ret)
			printf("# %s\n", err.text);
		CHECK_INT(ret, 0);
		CHECK(in.seq_sites[FARGS_PATH_PLAIN] == SITE);
	}
	fargs_pt_input_deinit(&in);
	fargs_meta_deinit(&meta);
}

static void test_fit(void)
{
	set_up();
	finish(NULL);
}

static void test_trace(void)
{
	set_up();
	in.config.has_kernel = false;
	finish("no kernel code paths");

	set_up();
	in.streams[0].cpu = UINT32_MAX;
	finish("single threads");

	set_up();
	fargs_ksyms_destroy(in.ksyms);
	in.ksyms = NULL;
	finish("'perf record --kcore'");
}

static void test_records(void)
{
	set_up();
	meta.is_bare = true;
	finish("no records of calls");

	set_up();
	meta.info.seq_site[FARGS_PATH_PLAIN] = 0;
	finish("do not say where");
}

/* Another boot has another offset between TSC and time, but may have the same addresses. */
static void test_boot(void)
{
	set_up();
	in.config.time_zero += 15000;
	finish(NULL);

	set_up();
	in.config.time_zero += 1000000;
	finish("same boot: their clocks differ by 0.001000000 s");

	set_up();
	in.config.time_zero -= 30000;
	finish("same boot: their clocks differ by 0.000030000 s");

	/* A clock that is no function of the TSC says nothing. */
	set_up();
	in.config.time_zero -= 30000;
	meta.clocks[0].cpus[0].is_valid |= FARGS_CLOCK_UNSTABLE;
	meta.clocks[1].cpus[0].is_valid |= FARGS_CLOCK_UNSTABLE;
	finish(NULL);

	set_up();
	meta.funcs[0].addr += 0x1000;
	finish("function 'f' at 0xffffffff81001010");
}

static void test_overlap(void)
{
	set_up();
	in.switches[0].ns = 2000000001;
	finish("begins after the records end");

	set_up();
	in.switches[0].ns = 1;
	in.switches[1].ns = 999999999;
	finish("begins before the records end");
}

static void test_module(void)
{
	set_up();
	in.codes[1].bytes = 0;
	finish("no code of the module fargs");

	set_up();
	meta.info.seq_site[FARGS_PATH_PLAIN] = MODULE + 0x1000000;
	finish("not loaded, or at another address");

	set_up();
	file[KERNEL_BYTES + 10] = 0xc0;
	write_file();
	finish("the module was loaded again");

	set_up();
	file[KERNEL_BYTES + 0x29] = '8';
	write_file();
	finish("another build of the module");
}

static void test_armed(void)
{
	struct fargs_pt_poke poke = { .ns = 1600000000, .addr = F, .code = file };

	set_up();
	memcpy(file + 0x10, "\x0f\x1f\x44\x00\x00", 5);
	write_file();
	finish("before fargs traced 'f'");

	set_up();
	memcpy(file + 0x10, "\x0f\x1f\x44\x00\x00", 5);
	write_file();
	CHECK_INT(fargs_pt_input_add_poke(&in, &poke), 0);
	finish(NULL);

	/* The function of a module that was loaded later has no code yet. */
	set_up();
	memcpy(file + 0x10, "\x0f\x1f\x44\x00\x00", 5);
	write_file();
	meta.funcs[0].from_tsc = 1;
	finish(NULL);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "recordings that belong together fit", test_fit },
		{ "traces without what joining needs are refused", test_trace },
		{ "files without records that can be joined are refused", test_records },
		{ "another boot is refused, by its clock or its addresses", test_boot },
		{ "another time is refused", test_overlap },
		{ "another build or place of the module is refused", test_module },
		{ "code copied before functions were traced is refused", test_armed },
	};
	int fd, status;

	strcpy(path, "/tmp/fargs-pt-with-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	status = KTAP_RUN(tests);
	unlink(path);
	return status;
}

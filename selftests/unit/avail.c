// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/ftrace_avail.h"
#include "unit/ktap.h"

static const char names[] =
	"__traceiter_initcall_level\n"
	"vfs_read\n"
	"__ftrace_invalid_address___64\n"
	"helper [mod_a]\n"
	"deadbeef\n";

static const char addrs[] =
	"ffffffff81000004 with_endbr\n"
	"ffffffff81000100 plain\n"
	"ffffffffc0000004 helper [mod_a]\n";

static bool has(const char *text, uint64_t addr, const char *name, const char *module)
{
	const struct fargs_ksym sym = { .addr = addr, .name = name, .module = module, .type = 't' };
	struct fargs_avail *avail = fargs_avail_parse(text, strlen(text), NULL);
	bool ret = avail && fargs_avail_has(avail, &sym);

	fargs_avail_destroy(avail);
	return ret;
}

static void by_name(void)
{
	CHECK(has(names, 1, "vfs_read", NULL));
	CHECK(!has(names, 1, "vfs_write", NULL));
	CHECK(has(names, 1, "deadbeef", NULL));
}

static void by_name_and_module(void)
{
	CHECK(has(names, 1, "helper", "mod_a"));
	CHECK(!has(names, 1, "helper", "mod_b"));
	CHECK(!has(names, 1, "helper", NULL));
	CHECK(!has(names, 1, "vfs_read", "mod_a"));
}

static void by_address(void)
{
	CHECK(has(addrs, 0xffffffff81000100, "plain", NULL));
	CHECK(!has(addrs, 0xffffffff81000200, "plain", NULL));
}

static void behind_endbr(void)
{
	CHECK(has(addrs, 0xffffffff81000000, "with_endbr", NULL));
	CHECK(!has(addrs, 0xffffffff80fffff8, "with_endbr", NULL));
}

static void of_addresses(void)
{
	const uint64_t given[] = { 0xffffffff81000200, 0xffffffff81000100 };
	const struct fargs_ksym here = { .addr = 0xffffffff81000100, .name = "f", .type = 't' };
	const struct fargs_ksym there = { .addr = 0xffffffff81000300, .name = "f", .type = 't' };
	struct fargs_avail *avail = fargs_avail_create(given, 2);

	REQUIRE(avail);
	CHECK_INT(fargs_avail_count(avail), 2);
	CHECK(fargs_avail_has(avail, &here));
	CHECK(!fargs_avail_has(avail, &there));
	fargs_avail_destroy(avail);
}

static void counts(void)
{
	struct fargs_avail *avail = fargs_avail_parse(addrs, strlen(addrs), NULL);

	REQUIRE(avail);
	CHECK_INT(fargs_avail_count(avail), 3);
	fargs_avail_destroy(avail);
}

static const struct ktap_test tests[] = {
	{ "names are found", by_name },
	{ "names belong to their module", by_name_and_module },
	{ "addresses are found", by_address },
	{ "addresses may be after an endbr64", behind_endbr },
	{ "other addresses are not found in a list of addresses", of_addresses },
	{ "functions are counted", counts },
};

int main(void)
{
	return KTAP_RUN(tests);
}

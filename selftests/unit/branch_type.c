// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the types of branches in databases. Numbers and names are those in the table branch_types
 * of a database that perf 6.1 wrote.
 */
#include "sink/export/branch_type.h"

#include "unit/ktap.h"

static const struct {
	const char *words;
	int type;
	const char *name;
} types[] = {
	{ "", 0, "no branch" },
	{ "jmp", 1, "unconditional jump" },
	{ "call", 3, "call" },
	{ "return", 5, "return" },
	{ "jcc", 9, "conditional jump" },
	{ "syscall", 19, "system call" },
	{ "sysret", 21, "return from system call" },
	{ "int", 67, "software interrupt" },
	{ "iret", 69, "return from interrupt" },
	{ "hw int", 99, "hardware interrupt" },
	{ "tx abrt", 129, "transaction abort" },
	{ "tr strt", 257, "trace begin" },
	{ "tr end", 513, "trace end" },
	{ "tr end  call", 515, "call / trace end" },
	{ "tr end  return", 517, "return / trace end" },
	{ "tr end  jcc", 521, "conditional jump / trace end" },
	{ "tr end  sysret", 533, "return from system call / trace end" },
	{ "tr end  async", 545, "asynchronous branch / trace end" },
	{ "tr end  hw int", 611, "hardware interrupt / trace end" },
	{ "tr end  tx abrt", 641, "transaction abort / trace end" },
	{ "vmentry", 2051, "vm entry" },
	{ "tr end  vmentry", 2563, "vm entry / trace end" },
	{ "vmexit", 4099, "vm exit" },
};

/* Types that no words have, but which are in the table. */
static const struct {
	int type;
	const char *name;
} others[] = {
	{ 256, "trace begin / no branch" },
	{ 259, "trace begin / call" },
	{ 289, "trace begin / asynchronous branch" },
	{ 512, "no branch / trace end" },
	{ 4355, "trace begin / vm exit" },
	{ 4611, "vm exit / trace end" },
};

/* Number of rows of the table. */
#define NR_ROWS	42

static bool is_listed(int type)
{
	size_t i;
	int one;

	for (i = 0; (one = fargs_branch_type_of(i)) >= 0; i++)
		if (one == type)
			return true;
	return false;
}

static void all_types_are_listed(void)
{
	char name[FARGS_BRANCH_TYPE_MAX];
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		CHECK(is_listed(types[i].type));
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		CHECK(is_listed(others[i].type));
		fargs_branch_type_name(name, others[i].type);
		CHECK_STR(name, others[i].name);
	}
	CHECK(fargs_branch_type_of(NR_ROWS - 1) >= 0);
	CHECK_INT(fargs_branch_type_of(NR_ROWS), -1);
}

static void types_are_those_of_perf(void)
{
	char name[FARGS_BRANCH_TYPE_MAX];
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		CHECK_INT(fargs_branch_type(types[i].words), types[i].type);
		fargs_branch_type_name(name, types[i].type);
		CHECK_STR(name, types[i].name);
	}
}

static void other_words_are_unknown(void)
{
	CHECK_INT(fargs_branch_type("tr"), -1);
	CHECK_INT(fargs_branch_type("tr end call"), -1);
	CHECK_INT(fargs_branch_type("calls"), -1);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "types of branches are those of perf", types_are_those_of_perf },
		{ "other words are unknown", other_words_are_unknown },
		{ "all types of perf are listed", all_types_are_listed },
	};

	return KTAP_RUN(tests);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Tests lists of numbers: which numbers are in them, and which lists are refused. */
#include "base/id_set.h"

#include <errno.h>

#include "unit/ktap.h"

static struct fargs_error_text err;

static void contains_the_numbers_of_the_list(void)
{
	struct fargs_id_set set = { };

	CHECK(fargs_id_set_allows(&set, 7));
	CHECK_INT(fargs_id_set_add(&set, "3-5,8,0", 100, "a CPU", &err), 0);
	CHECK_INT(fargs_id_set_add(&set, "100", 100, "a CPU", &err), 0);
	CHECK(fargs_id_set_has(&set, 3) && fargs_id_set_has(&set, 4));
	CHECK(fargs_id_set_has(&set, 5) && fargs_id_set_has(&set, 8));
	CHECK(fargs_id_set_has(&set, 0) && fargs_id_set_has(&set, 100));
	CHECK(!fargs_id_set_has(&set, 1) && !fargs_id_set_has(&set, 6));
	CHECK(!fargs_id_set_has(&set, 99) && !fargs_id_set_allows(&set, 7));
	CHECK_INT(fargs_id_set_last(&set), 100);
	fargs_id_set_deinit(&set);
	CHECK(fargs_id_set_allows(&set, 7));
}

static void refuses_other_texts(void)
{
	static const char *const texts[] = {
		"", ",", "1,", ",1", "-1", "1-", "5-3", "1--2", "a", "1a", "0x1", " 1", "1 ", "101",
		"1-101", "99999999999999999999",
	};
	struct fargs_id_set set = { };
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (fargs_id_set_add(&set, texts[i], 100, "a CPU", &err) != -EINVAL)
			ktap_fail(__FILE__, __LINE__, "'%s' is accepted", texts[i]);
	}
	fargs_id_set_deinit(&set);
}

static const struct ktap_test tests[] = {
	{ "contains the numbers of the list", contains_the_numbers_of_the_list },
	{ "refuses other texts", refuses_other_texts },
};

int main(void)
{
	return KTAP_RUN(tests);
}

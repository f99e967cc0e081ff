// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests counting the selected functions with return probes, as far as their names alone determine
 * the number. The simulated kernel has 40 functions, f00 to f39, and a module has 20, m00 to m19.
 */
#include "select/resolve/returns.h"

#include "unit/ktap.h"

static struct fargs_ksyms *ksyms;
static struct fargs_avail *avail;

static bool set_up(void)
{
	char symbols[8192], traceable[4096];
	size_t i, at = 0, end = 0;

	for (i = 0; i < 40; i++) {
		at += snprintf(symbols + at, sizeof(symbols) - at,
			       "ffffffff81000%02zx0 T f%02zu\n", i, i);
		end += snprintf(traceable + end, sizeof(traceable) - end, "f%02zu\n", i);
	}
	/* An alias, a clone, a fragment, and a function that ftrace cannot trace. */
	at += snprintf(symbols + at, sizeof(symbols) - at, "ffffffff81000000 T f_alias\n"
		       "ffffffff81001000 t f_clone.isra.0\nffffffff81001010 t f00.cold\n"
		       "ffffffff81001020 t f_notrace\n");
	end += snprintf(traceable + end, sizeof(traceable) - end, "f_alias\nf_clone.isra.0\n");
	for (i = 0; i < 20; i++) {
		at += snprintf(symbols + at, sizeof(symbols) - at,
			       "ffffffffc0000%02zx0 t m%02zu\t[mod]\n", i, i);
		end += snprintf(traceable + end, sizeof(traceable) - end, "m%02zu [mod]\n", i);
	}
	ksyms = fargs_ksyms_parse(symbols, at, NULL);
	avail = fargs_avail_parse(traceable, end, NULL);
	return ksyms && avail;
}

/*
 * Returns the number of functions if there are certainly more than @max, else 0. ftrace can trace
 * 62 functions, a quarter of which (15) may be refused.
 */
static size_t many(const char *first, const char *second, const char *unwanted, size_t max,
		   struct fargs_bind_options options)
{
	const char *const wanted[] = { first, second };
	const struct fargs_patterns patterns = {
		.wanted = wanted, .nr_wanted = second ? 2 : 1,
		.unwanted = &unwanted, .nr_unwanted = unwanted ? 1 : 0, .options = &options,
	};
	struct fargs_rules rules;
	size_t nr = 0;
	bool are_many;

	if (fargs_rules_init(&rules, &patterns, NULL))
		ktap_fail(__FILE__, __LINE__, "a selector is wrong");
	are_many = fargs_returns_are_many(&rules, ksyms, avail, max, &nr);
	CHECK(!are_many || fargs_returns_may_be_many(&rules, ksyms, max));
	fargs_rules_deinit(&rules);
	return are_many ? nr : 0;
}

#define GRAPH		((struct fargs_bind_options){ .is_graph = true })
#define PLAIN		((struct fargs_bind_options){ })

static void of_a_graph(void)
{
	CHECK_INT(many("*", NULL, NULL, 5, GRAPH), 60);
	CHECK_INT(many("vmlinux:*", NULL, NULL, 5, GRAPH), 40);
	CHECK_INT(many("f*", "m*", NULL, 24, GRAPH), 60);
	/* The kernel's 40 functions are no more than 25 plus a quarter of all 62. */
	CHECK_INT(many("*", NULL, NULL, 25, GRAPH), 0);
	CHECK_INT(many("f1*", NULL, NULL, 5, GRAPH), 0);
	CHECK_INT(many("*", NULL, "*2*", 5, GRAPH), 60 - 13 - 2);
	CHECK_INT(many("*", NULL, NULL, 5, PLAIN), 0);
}

static void of_values(void)
{
	CHECK_INT(many("* -> ret", NULL, NULL, 5, PLAIN), 60);
	/* The selector without a return takes precedence for f07, or may do so for all. */
	CHECK_INT(many("f07", "* -> ret", NULL, 5, PLAIN), 59);
	CHECK_INT(many("*", "* -> ret", NULL, 5, PLAIN), 0);
}

/* An expression may be invalid on some functions. */
static void uncertain(void)
{
	CHECK_INT(many("* -> ret < 0", NULL, NULL, 5, PLAIN), 0);
	CHECK_INT(many("* -> ret->a", NULL, NULL, 5, PLAIN), 0);
	CHECK_INT(many("*(a) -> ret", NULL, NULL, 5, PLAIN), 0);
	CHECK_INT(many("*(a > 1)", NULL, NULL, 5, GRAPH), 0);
	CHECK_INT(many("*", NULL, NULL, 5,
		       (struct fargs_bind_options){ .is_only_errors = true }), 0);
	/* Modules may have no BTF. */
	CHECK_INT(many("mod:*", NULL, NULL, 1, GRAPH), 0);
}

static const struct ktap_test tests[] = {
	{ "functions of a graph are counted", of_a_graph },
	{ "functions with a return value are counted", of_values },
	{ "no number is returned if it is uncertain", uncertain },
};

int main(void)
{
	int ret;

	if (!set_up()) {
		printf("Bail out! cannot set up\n");
		return 1;
	}
	ret = KTAP_RUN(tests);
	fargs_ksyms_destroy(ksyms);
	fargs_avail_destroy(avail);
	return ret;
}

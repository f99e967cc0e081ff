// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that templates of functions with return probes stay within the requested memory, even if
 * zeroes follow the end of a body.
 */
#include "lib/returns.h"
#include "lib/verifier.h"
#include "unit/ktap.h"

#define ZEROS_MAX	400

static void maker_usual(struct maker *m, uint32_t flags, uint32_t zeros, uint32_t return_zeros)
{
	maker_init(m, 0xffffffff81000000, flags);
	maker_reg(m, "arg", FARGS_TYPE_S64, 0);
	maker_return(m, "ret", FARGS_TYPE_S64, FARGS_SOURCE_RETURN, 0);
	maker_return(m, "entered", FARGS_TYPE_U64, FARGS_SOURCE_ENTRY_TSC, 0);
	m->body_len += zeros;
	m->return_body_len += return_zeros;
}

static void check_all(uint32_t flags)
{
	static uint64_t packed[sizeof(struct maker) / 8 + 1];
	uint32_t zeros, return_zeros;
	struct maker m;

	for (zeros = 0; zeros <= ZEROS_MAX; zeros += 8) {
		for (return_zeros = 0; return_zeros <= ZEROS_MAX; return_zeros += 8) {
			uint32_t bytes;

			maker_usual(&m, flags, zeros, return_zeros);
			bytes = maker_pack(&m, (uint8_t *)packed);
			REQUIRE(!verifier_check(packed, bytes));
			if (!verifier_template_fits(packed)) {
				ktap_fail(__FILE__, __LINE__, "%u and %u zeros", zeros,
					  return_zeros);
				return;
			}
		}
	}
}

static void in_one(void)
{
	check_all(FARGS_LAYOUT_RETURN);
}

static void composed(void)
{
	check_all(FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH);
}

static const struct ktap_test tests[] = {
	{ "both bodies may be in one record", in_one },
	{ "each body may have its own record", composed },
};

int main(void)
{
	return KTAP_RUN(tests);
}

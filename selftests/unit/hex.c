// SPDX-License-Identifier: GPL-2.0-only
#include "base/hex.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/put.h"
#include "unit/ktap.h"

static void check(uint64_t v)
{
	char wanted[32], got[32];
	struct fargs_buf out = { };
	unsigned int n;

	n = snprintf(wanted, sizeof(wanted), "%" PRIx64, v);
	memset(got, '!', sizeof(got));
	CHECK_INT(fargs_hex(got, v), n);
	CHECK(!memcmp(got, wanted, n));
	/* It writes no more than 16 bytes. */
	CHECK(got[16] == '!');
	snprintf(wanted, sizeof(wanted), "%16" PRIx64, v);
	fargs_hex_right(got, v);
	CHECK(!memcmp(got, wanted, 16) && got[16] == '!');
	n = snprintf(wanted, sizeof(wanted), "0x%" PRIx64, v);
	fargs_put_hex(&out, v);
	CHECK(out.n == n && !memcmp(out.text, wanted, n));
	fargs_buf_deinit(&out);
}

static void same_as_printf(void)
{
	unsigned int bit, i;
	uint64_t v = 1;

	check(0);
	for (bit = 0; bit < 64; bit++) {
		check(UINT64_C(1) << bit);
		check((UINT64_C(1) << bit) - 1);
		check(UINT64_MAX >> bit);
		check(UINT64_C(0x9a9a9a9a9a9a9a9a) >> bit);
	}
	/* Numbers of all lengths, from a multiplicative generator. */
	for (i = 0; i < 100000; i++) {
		v *= UINT64_C(6364136223846793005);
		check(v >> i % 64);
	}
}

static const struct ktap_test tests[] = {
	{ "writes the same digits as printf", same_as_printf },
};

int main(void)
{
	return KTAP_RUN(tests);
}

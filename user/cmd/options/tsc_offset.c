// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/tsc_offset.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "source/pt/packet/vmcs.h"

const char *fargs_tsc_skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

bool fargs_tsc_take_number(const char **at, uint64_t *nr)
{
	const char *digits = *at + (**at == '-' || **at == '+');
	char *end;

	if (!isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*nr = strtoull(*at, &end, 0);
	*at = fargs_tsc_skip_blanks(end);
	return !errno;
}

/* Returns the ratio @n / @d as struct fargs_pt_vmcs has it; 0: it is too small, or too large. */
static uint64_t divide(uint64_t n, uint64_t d)
{
	unsigned __int128 ratio = (unsigned __int128)n << FARGS_PT_TSC_RATIO_BITS;

	ratio = (ratio + d / 2) / d;
	return ratio > UINT64_MAX ? 0 : (uint64_t)ratio;
}

/*
 * Reads "*RATIO", a decimal number or a fraction N/D of integers, and blanks after it. Sets *@ratio
 * (struct fargs_pt_vmcs), which remains 0 if there is none.
 */
static bool take_ratio(const char **at, uint64_t *ratio)
{
	long double decimal;
	uint64_t n, d;
	const char *s;
	char *end;

	if (**at != '*')
		return true;
	s = fargs_tsc_skip_blanks(*at + 1);
	if (!isdigit((unsigned char)*s))
		return false;
	*at = s;
	if (fargs_tsc_take_number(at, &n) && **at == '/') {
		*at = fargs_tsc_skip_blanks(*at + 1);
		if (!fargs_tsc_take_number(at, &d) || !d)
			return false;
		*ratio = divide(n, d);
	} else {
		decimal = strtold(s, &end);
		*at = fargs_tsc_skip_blanks(end);
		decimal = ldexpl(decimal, FARGS_PT_TSC_RATIO_BITS) + 0.5L;
		*ratio = decimal < 0x1p64L ? (uint64_t)decimal : 0;
	}
	if (!*ratio)
		return false;
	if (*ratio == UINT64_C(1) << FARGS_PT_TSC_RATIO_BITS)
		*ratio = 0;
	return true;
}

int fargs_tsc_offset_take(const char **at, uint64_t *offset, uint64_t *ratio,
			  struct fargs_error_text *err)
{
	if (!fargs_tsc_take_number(at, offset))
		return fargs_fail(err, EINVAL, "'%s' does not begin with a TSC offset", *at);
	*ratio = 0;
	if (!take_ratio(at, ratio))
		return fargs_fail(err, EINVAL, "'%s' is not the ratio of two TSCs: give a number "
				  "above 0, or N/D", *at);
	return 0;
}

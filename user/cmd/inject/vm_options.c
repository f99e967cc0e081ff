// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/vm_options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"

#define DRY_RUN	"dry-run"

void fargs_vm_options_deinit(struct fargs_vm_options *o)
{
	fargs_pt_vmcs_list_deinit(&o->list);
}

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Reads a number of 64 bits, decimal or hexadecimal, which may be negative, and blanks after it. */
static bool take_number(const char **at, uint64_t *nr)
{
	const char *digits = *at + (**at == '-' || **at == '+');
	char *end;

	if (!isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*nr = strtoull(*at, &end, 0);
	*at = skip_blanks(end);
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
	s = skip_blanks(*at + 1);
	if (!isdigit((unsigned char)*s))
		return false;
	*at = s;
	if (take_number(at, &n) && **at == '/') {
		*at = skip_blanks(*at + 1);
		if (!take_number(at, &d) || !d)
			return false;
		*ratio = divide(n, d);
	} else {
		decimal = strtold(s, &end);
		*at = skip_blanks(end);
		decimal = ldexpl(decimal, FARGS_PT_TSC_RATIO_BITS) + 0.5L;
		*ratio = decimal < 0x1p64L ? (uint64_t)decimal : 0;
	}
	if (!*ratio)
		return false;
	if (*ratio == UINT64_C(1) << FARGS_PT_TSC_RATIO_BITS)
		*ratio = 0;
	return true;
}

/* Reads the VMCSs of @offset and @ratio. */
static int take_pages(struct fargs_vm_options *o, const char **at, uint64_t offset, uint64_t ratio,
		      struct fargs_error_text *err)
{
	struct fargs_pt_vmcs *vmcs;
	uint64_t page;

	do {
		*at = skip_blanks(*at + 1);
		if (!take_number(at, &page) || !page)
			return fargs_fail(err, EINVAL, "a VMCS is missing at '%s': give the number "
					  "that fargs prints", *at);
		vmcs = fargs_pt_vmcs_list_get(&o->list, page);
		if (!vmcs)
			return fargs_fail(err, ENOMEM, "out of memory");
		if (vmcs->is_known)
			return fargs_fail(err, EINVAL, "VMCS 0x%llx has two offsets",
					  (unsigned long long)page);
		vmcs->offset = offset;
		vmcs->ratio = ratio;
		vmcs->bound = fargs_pt_tsc_bound(ratio);
		vmcs->is_known = true;
		vmcs->is_certain = true;
	} while (**at == ',');
	return 0;
}

int fargs_vm_options_parse(struct fargs_vm_options *o, const char *value,
			   struct fargs_error_text *err)
{
	const char *at = skip_blanks(value ? value : "");
	bool has_default = false;
	uint64_t offset, ratio;
	int ret = 0;

	o->is_given = true;
	if (!strncmp(at, DRY_RUN, strlen(DRY_RUN))) {
		o->is_dry = true;
		at = skip_blanks(at + strlen(DRY_RUN));
	}
	while (!ret && *at) {
		if (!take_number(&at, &offset))
			return fargs_fail(err, EINVAL, "'%s' does not begin with a TSC offset", at);
		ratio = 0;
		if (!take_ratio(&at, &ratio))
			return fargs_fail(err, EINVAL, "'%s' is not the ratio of two TSCs: give a "
					  "number above 0, or N/D", at);
		if (*at == ':') {
			ret = take_pages(o, &at, offset, ratio, err);
			continue;
		}
		if (has_default)
			return fargs_fail(err, EINVAL, "two offsets have no VMCS: give "
					  "OFFSET:VMCS");
		has_default = true;
		o->list.offset = offset;
		o->list.ratio = ratio;
	}
	/* Not before: VMCSs that are added have the default. */
	o->list.has_default = has_default && fargs_row(E8);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/vm_options.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "cmd/options/tsc_offset.h"

#define DRY_RUN	"dry-run"

void fargs_vm_options_deinit(struct fargs_vm_options *o)
{
	fargs_pt_vmcs_list_deinit(&o->list);
}

/* Reads the VMCSs of @offset and @ratio. */
static int take_pages(struct fargs_vm_options *o, const char **at, uint64_t offset, uint64_t ratio,
		      struct fargs_error_text *err)
{
	struct fargs_pt_vmcs *vmcs;
	uint64_t page;

	do {
		*at = fargs_tsc_skip_blanks(*at + 1);
		if (!fargs_tsc_take_number(at, &page) || !page)
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
	const char *at = fargs_tsc_skip_blanks(value ? value : "");
	bool has_default = false;
	uint64_t offset, ratio;
	int ret = 0;

	o->is_given = true;
	if (!strncmp(at, DRY_RUN, strlen(DRY_RUN))) {
		o->is_dry = true;
		at = fargs_tsc_skip_blanks(at + strlen(DRY_RUN));
	}
	while (!ret && *at) {
		ret = fargs_tsc_offset_take(&at, &offset, &ratio, err);
		if (ret)
			return ret;
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

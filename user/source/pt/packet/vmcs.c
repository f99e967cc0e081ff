// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/vmcs.h"

#include <stdlib.h>

#include "base/array.h"

void fargs_pt_vmcs_list_deinit(struct fargs_pt_vmcs_list *list)
{
	free(list->all);
	*list = (struct fargs_pt_vmcs_list){ };
}

struct fargs_pt_vmcs *fargs_pt_vmcs_list_get(struct fargs_pt_vmcs_list *list, uint64_t page)
{
	struct fargs_pt_vmcs *vmcs;
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (list->all[i].page == page)
			return &list->all[i];
	vmcs = fargs_array_add(list->all, list->nr);
	if (vmcs)
		*vmcs = (struct fargs_pt_vmcs){
			.page = page, .offset = list->offset, .ratio = list->ratio,
			.bound = fargs_pt_tsc_bound(list->ratio), .is_known = list->has_default,
			.is_certain = list->has_default,
		};
	return vmcs;
}

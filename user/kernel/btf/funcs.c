// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/funcs.h"

#include <stdlib.h>
#include <string.h>

#include "base/strindex.h"

struct fargs_btf_funcs {
	const char **names;
	uint32_t *ids;
	size_t nr;
	struct fargs_strindex by_name;
};

struct fargs_btf_funcs *fargs_btf_funcs_create(const struct btf *btf)
{
	const struct btf *base = btf__base_btf(btf);
	uint32_t id, first = base ? btf__type_cnt(base) : 1, end = btf__type_cnt(btf);
	struct fargs_btf_funcs *funcs = calloc(1, sizeof(*funcs));
	size_t room = 0;

	if (!funcs)
		return NULL;
	for (id = first; id < end; id++)
		room += btf_is_func(btf__type_by_id(btf, id));
	funcs->names = calloc(room + 1, sizeof(*funcs->names));
	funcs->ids = calloc(room + 1, sizeof(*funcs->ids));
	if (!funcs->names || !funcs->ids)
		goto err_funcs;
	for (id = first; id < end; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name;

		if (!btf_is_func(t))
			continue;
		name = btf__name_by_offset(btf, t->name_off);
		if (!name || !*name)
			continue;
		funcs->names[funcs->nr] = name;
		funcs->ids[funcs->nr++] = id;
	}
	if (fargs_strindex_init(&funcs->by_name, funcs->names, funcs->nr))
		goto err_funcs;
	return funcs;

err_funcs:
	fargs_btf_funcs_destroy(funcs);
	return NULL;
}

void fargs_btf_funcs_destroy(struct fargs_btf_funcs *funcs)
{
	if (!funcs)
		return;
	fargs_strindex_deinit(&funcs->by_name);
	free(funcs->names);
	free(funcs->ids);
	free(funcs);
}

size_t fargs_btf_funcs_find(const struct fargs_btf_funcs *funcs, const char *name,
			    const uint32_t **first)
{
	return fargs_strindex_find(&funcs->by_name, name, first);
}

uint32_t fargs_btf_funcs_id(const struct fargs_btf_funcs *funcs, uint32_t index)
{
	return funcs->ids[index];
}

size_t fargs_btf_funcs_count(const struct fargs_btf_funcs *funcs)
{
	return funcs->nr;
}

bool fargs_btf_funcs_are_consistent(const struct btf *btf)
{
	const struct btf *base = btf__base_btf(btf);
	uint32_t id = base ? btf__type_cnt(base) : 1, end = btf__type_cnt(btf);

	for (; id < end; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (btf_is_decl_tag(t) &&
		    !strcmp(btf__name_by_offset(btf, t->name_off), "bpf_kfunc"))
			return true;
	}
	return false;
}

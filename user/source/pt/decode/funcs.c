// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/funcs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/glob.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/input/user_files.h"

struct fargs_pt_funcs {
	const char *const *globs;
	size_t nr;
	uint64_t *addrs;	/* sorted addresses of kernel symbols, aliases included */
	size_t nr_addrs;
};

static bool is_match(const char *glob, const char *name, const char *module)
{
	const char *colon = strchr(glob, ':');
	char *first;
	bool is_it;

	if (!colon)
		return fargs_glob_match(glob, name);
	if (!module || !fargs_glob_match(colon + 1, name))
		return false;
	first = strndup(glob, colon - glob);
	is_it = first && fargs_glob_match(first, module);
	free(first);
	return is_it;
}

static int add_addr(struct fargs_pt_funcs *f, uint64_t addr)
{
	uint64_t *to = fargs_array_add(f->addrs, f->nr_addrs);

	if (!to)
		return -ENOMEM;
	*to = addr;
	return 0;
}

static int add_glob(struct fargs_pt_funcs *f, const struct fargs_pt_input *in, const char *glob,
		    struct fargs_error_text *err)
{
	size_t i, nr = in->ksyms ? fargs_ksyms_count(in->ksyms) : 0;
	bool is_there = false;

	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(in->ksyms, i);

		if (!is_match(glob, sym->name, sym->module))
			continue;
		is_there = true;
		if (add_addr(f, sym->addr))
			return fargs_fail(err, ENOMEM, "out of memory");
	}
	for (i = 0; i < in->nr_symbols && !is_there; i++)
		is_there = is_match(glob, in->symbols[i].name, NULL);
	for (i = 0; i < in->nr_codes && !is_there; i++)
		is_there = in->codes[i].name && is_match(glob, in->codes[i].name, NULL);
	if (!is_there && in->files)
		is_there = fargs_pt_files_have(in->files, glob);
	return is_there ? 0 : fargs_fail(err, ENOENT, "the trace has no function '%s'", glob);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int fargs_pt_funcs_create(struct fargs_pt_funcs **funcs, const struct fargs_pt_input *in,
			  const char *const *globs, size_t nr, struct fargs_error_text *err)
{
	struct fargs_pt_funcs *f = calloc(1, sizeof(*f));
	int ret = f ? 0 : fargs_fail(err, ENOMEM, "out of memory");
	size_t i;

	*funcs = NULL;
	for (i = 0; !ret && i < nr; i++)
		ret = add_glob(f, in, globs[i], err);
	if (ret) {
		fargs_pt_funcs_destroy(f);
		return ret;
	}
	f->globs = globs;
	f->nr = nr;
	if (f->nr_addrs)
		qsort(f->addrs, f->nr_addrs, sizeof(*f->addrs), compare);
	*funcs = f;
	return 0;
}

void fargs_pt_funcs_destroy(struct fargs_pt_funcs *funcs)
{
	if (!funcs)
		return;
	free(funcs->addrs);
	free(funcs);
}

bool fargs_pt_funcs_has(const struct fargs_pt_funcs *funcs, const struct fargs_pt_name *name)
{
	size_t i;

	if (!name->name)
		return false;
	if (!name->is_registered && !name->is_user)
		return funcs->nr_addrs && bsearch(&name->addr, funcs->addrs, funcs->nr_addrs,
						  sizeof(*funcs->addrs), compare);
	/* Another symbol may be at the same address at another time, so compare names. */
	for (i = 0; i < funcs->nr; i++)
		if (is_match(funcs->globs[i], name->name, name->module))
			return true;
	return false;
}

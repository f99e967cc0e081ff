// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/tpoints.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/signature.h"
#include "kernel/btf/btfs.h"
#include "select/resolve/named.h"
#include "select/resolve/reload.h"
#include "uapi/fargs_layout.h"

struct fargs_ksyms *fargs_tpoint_ksyms(const struct fargs_ksyms *ksyms,
				       struct fargs_error_text *err)
{
	const size_t prefix = strlen(FARGS_SIGNATURE_TPOINT);
	size_t i, size, nr = fargs_ksyms_count(ksyms);
	struct fargs_ksyms *found = NULL;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; out && i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(ksyms, i);

		/* Names with a dot are fragments or clones. */
		if (strncmp(sym->name, FARGS_SIGNATURE_TPOINT, prefix) || strchr(sym->name, '.'))
			continue;
		fprintf(out, "%016" PRIx64 " T %s", sym->addr, sym->name + prefix);
		if (sym->module)
			fprintf(out, "\t[%s]", sym->module);
		fputc('\n', out);
	}
	if (!out || fclose(out))
		fargs_fail(err, ENOMEM, "no memory for the names of tracepoints");
	else if (!size)
		fargs_fail(err, ENOENT, "this kernel has no tracepoints");
	else
		found = fargs_ksyms_parse(text, size, err);
	free(text);
	return found;
}

static int name_layouts(struct fargs_tpoints *t)
{
	struct fargs_reload_modules modules = { };
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < t->sel->nr_matches; i++) {
		struct fargs_match *match = &t->sel->matches[i];
		uint32_t flags = FARGS_LAYOUT_TPOINT;
		struct fargs_symbol symbol;

		match->reload = fargs_reload_find(&modules, t->ksyms, match->sym, true, &symbol);
		if (match->reload == FARGS_RELOAD_YES)
			flags |= FARGS_LAYOUT_RELOAD;
		ret = fargs_layouts_add_named(&t->layouts, t->sel->layouts.data + match->offset,
					      flags, &symbol, match->sym->module ?
					      match->sym->module : FARGS_BTF_VMLINUX,
					      match->sym->name);
	}
	fargs_reload_modules_deinit(&modules);
	return ret;
}

int fargs_tpoints_init(struct fargs_tpoints *t, const struct fargs_rules *rules,
		       const struct fargs_kernel *kernel, bool is_survey,
		       struct fargs_error_text *err)
{
	struct fargs_rules present = *rules;

	memset(t, 0, sizeof(*t));
	if (fargs_deferred_init(&t->deferred, rules, kernel, err))
		return -EINVAL;
	present.wanted = t->deferred.wanted;
	present.nr_wanted = t->deferred.nr_wanted;
	present.loaded = kernel->ksyms;
	if (!present.nr_wanted && !present.nr_triggers)
		return 0;
	t->ksyms = fargs_tpoint_ksyms(kernel->ksyms, err);
	if (!t->ksyms)
		return -ENOENT;
	t->sel = fargs_select_by_rules(&present, t->ksyms, kernel->btfs, NULL, is_survey, err);
	if (!t->sel)
		return -EINVAL;
	return name_layouts(t) ? fargs_fail(err, ENOMEM, "no memory for layouts") : 0;
}

void fargs_tpoints_deinit(struct fargs_tpoints *t)
{
	fargs_select_destroy(t->sel);
	fargs_ksyms_destroy(t->ksyms);
	fargs_layouts_deinit(&t->layouts);
	fargs_deferred_deinit(&t->deferred);
	memset(t, 0, sizeof(*t));
}

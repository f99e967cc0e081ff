// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/pattern.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "kernel/btf/btfs.h"

/*
 * Does @name contain only characters that occur in C names, in suffixes of clones (".isra.0"), and
 * in globs?
 */
static bool is_sensible(const char *name)
{
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_.$*?[]!^-", *name))
			return false;
	return true;
}

int fargs_pattern_init(struct fargs_pattern *pattern, const char *text,
		       struct fargs_error_text *err)
{
	const char *colon = strchr(text, ':');

	memset(pattern, 0, sizeof(*pattern));
	pattern->text = text;
	pattern->name = colon ? colon + 1 : text;
	if (!*pattern->name || colon == text)
		return fargs_fail(err, EINVAL, "'%s' does not name a function: write NAME or "
				  "MODULE:NAME",
				  text);
	if (!is_sensible(pattern->name))
		return fargs_fail(err, EINVAL, "'%s' is neither the name of a function nor a glob",
				  text);
	pattern->is_exact = !fargs_glob_is_pattern(pattern->name);
	if (colon) {
		pattern->module = strndup(text, colon - text);
		if (!pattern->module)
			return fargs_fail(err, ENOMEM, "no memory for patterns");
	}
	return 0;
}

void fargs_pattern_deinit(struct fargs_pattern *pattern)
{
	free(pattern->module);
	pattern->module = NULL;
}

bool fargs_pattern_match_module(const struct fargs_pattern *pattern, const char *module)
{
	return !pattern->module ||
	       fargs_glob_match(pattern->module, module ? module : FARGS_BTF_VMLINUX);
}

bool fargs_pattern_match(const struct fargs_pattern *pattern, const struct fargs_ksym *sym)
{
	if (!fargs_pattern_match_module(pattern, sym->module))
		return false;
	return pattern->is_exact ? !strcmp(pattern->name, sym->name)
				 : fargs_glob_match(pattern->name, sym->name);
}

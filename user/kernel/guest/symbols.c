// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/guest/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kernel/sym/ksyms.h"
#include "kernel/sym/module_list.h"

/* Rewords an error of fargs_ksyms_parse() for file @path from a guest. */
static void fail_parse(const char *path, int code, const char *why, struct fargs_error_text *err)
{
	if (code == EPERM)
		fargs_fail(err, code, "'%s': all addresses are 0, because kernel.kptr_restrict "
			   "hides them: copy the guest's /proc/kallsyms as root", path);
	else if (code == ENOENT)
		fargs_fail(err, code, "'%s' has no function symbols", path);
	else
		fargs_fail(err, code, "'%s': %s", path, why);
}

struct fargs_ksyms *fargs_guest_symbols_read(const char *path, struct fargs_error_text *err)
{
	struct fargs_ksyms *syms = NULL;
	struct fargs_error_text why;
	size_t size;
	char *text = fargs_file_read(path, &size);

	if (!text) {
		fargs_fail(err, errno, "cannot read '%s': %s", path, strerror(errno));
	} else if (!size) {
		fargs_fail(err, EINVAL, "'%s' is empty: give a copy of the guest's "
			   "/proc/kallsyms", path);
	} else {
		syms = fargs_ksyms_parse(text, size, &why);
		if (!syms)
			fail_parse(path, errno, why.text, err);
	}
	free(text);
	return syms;
}

int fargs_guest_symbols_read_modules(struct fargs_ksyms *syms, const char *path,
				     struct fargs_error_text *err)
{
	struct fargs_module_list *modules;
	struct fargs_error_text why;
	size_t size;
	char *text = fargs_file_read(path, &size);

	if (!text)
		return fargs_fail(err, errno, "cannot read '%s': %s", path, strerror(errno));
	modules = fargs_module_list_parse(text, size, &why);
	free(text);
	if (!modules)
		return fargs_fail(err, errno, "'%s': %s", path, why.text);
	if (fargs_ksyms_set_modules(syms, modules))
		return fargs_fail(err, ENOMEM, "no memory for modules");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "guest_options.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "guest/symbols.h"
#include "util/grow.h"

static int add(struct fargs_guest_options *o, pid_t pid, const char *name, size_t n,
	       const char *path, struct fargs_error_text *err)
{
	struct fargs_guest_option *all = fargs_grow(o->options, o->nr, sizeof(*all));

	if (!all)
		return fargs_fail(err, ENOMEM, "no memory for options");
	o->options = all;
	all[o->nr] = (struct fargs_guest_option){ pid, strndup(name, n), path };
	return all[o->nr++].name ? 0 : fargs_fail(err, ENOMEM, "no memory for options");
}

int fargs_guest_options_add(struct fargs_guest_options *o, const char *text,
			    struct fargs_error_text *err)
{
	const char *equals = strchr(text, '=');
	size_t n = equals ? equals - text : 0;
	unsigned long pid;
	char *end;

	if (!n || !equals[1])
		return fargs_fail(err, EINVAL, "'%s' is not NAME=FILE or PID=FILE, like "
				  "1234=guest.kallsyms", text);
	if (strspn(text, "0123456789") != n)
		return add(o, 0, text, n, equals + 1, err);
	errno = 0;
	pid = strtoul(text, &end, 10);
	if (!pid || errno || pid > INT32_MAX)
		return fargs_fail(err, EINVAL, "there is no process %.*s", (int)n, text);
	return add(o, pid, "", 0, equals + 1, err);
}

int fargs_guest_options_add_any(struct fargs_guest_options *o, const char *path,
				struct fargs_error_text *err)
{
	return add(o, 0, "", 0, path, err);
}

void fargs_guest_options_deinit(struct fargs_guest_options *o)
{
	while (o->nr)
		free(o->options[--o->nr].name);
	free(o->options);
	o->options = NULL;
}

int fargs_guest_options_read(const struct fargs_guest_options *o, struct fargs_guests *guests)
{
	const struct fargs_guest_option *option;
	struct fargs_error_text err = { "" };
	struct fargs_ksyms *syms;
	size_t i;

	for (i = 0; i < o->nr; i++) {
		option = &o->options[i];
		syms = fargs_guest_symbols_read(option->path, &err);
		if (!syms)
			cmd_fail("%s: addresses of that guest stay numbers", err.text);
		else if (fargs_guests_add(guests, option->pid, option->name, syms))
			return -ENOMEM;
	}
	return 0;
}

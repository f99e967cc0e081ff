// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/guests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/row.h"
#include "kernel/guest/symbols.h"
#include "kernel/sym/ksyms.h"
#include "source/perf_data/vmlinux.h"
#include "source/pt/input/elf_code.h"
#include "source/pt/input/spaces.h"

/* perf's name for the code of a guest's kernel. */
#define KERNEL		"guest.kernel.kallsyms"
/* A symbol at the beginning of the kernel. */
#define FIRST_SYMBOL	"_text"

/* Returns the kcore in the directory of @kallsyms; NULL: there is none. */
static char *kcore_beside(const char *kallsyms)
{
	const char *slash = strrchr(kallsyms, '/');
	char *path;

	if (asprintf(&path, "%.*skcore", slash ? (int)(slash + 1 - kallsyms) : 0, kallsyms) < 0)
		return NULL;
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

static int read_symbols(struct fargs_pt_input *in, struct fargs_pt_guest *g,
			const struct fargs_pt_guest_files *files)
{
	__cleanup_free char *text = NULL;
	struct fargs_error_text err = { "" };
	size_t size;

	if (files->kallsyms) {
		g->in.ksyms = fargs_guest_symbols_read(files->kallsyms, &err);
	} else {
		text = fargs_vmlinux_symbols(files->vmlinux, 0, &size);
		if (text)
			g->in.ksyms = fargs_ksyms_parse(text, size, &err);
		else
			fargs_fail(&err, ENOENT, "'%s' has no symbols", files->vmlinux);
	}
	if (!g->in.ksyms)
		return fargs_pt_input_add_note(in, "%s: addresses of this guest are shown as "
					       "numbers", err.text);
	if (files->modules && fargs_guest_symbols_read_modules(g->in.ksyms, files->modules, &err))
		return fargs_pt_input_add_note(in, "%s: the sizes of the guest's modules are not "
					       "known", err.text);
	return 0;
}

/* Returns what must be added to the addresses in vmlinux, because the guest's kernel was moved. */
static uint64_t moved(const struct fargs_pt_guest *g, const char *vmlinux)
{
	const struct fargs_ksym *sym;
	uint64_t addr;

	if (!g->in.ksyms || !fargs_vmlinux_find(vmlinux, FIRST_SYMBOL, &addr))
		return 0;
	sym = fargs_ksyms_find_only(g->in.ksyms, FIRST_SYMBOL);
	return sym ? sym->addr - addr : 0;
}

static int read_code(struct fargs_pt_input *in, struct fargs_pt_guest *g,
		     const struct fargs_pt_guest_files *files)
{
	__cleanup_free char *kcore = files->kallsyms ? kcore_beside(files->kallsyms) : NULL;
	struct fargs_error_text err = { "" };
	int ret;

	if (kcore)
		ret = fargs_elf_code_add(&g->in, kcore, 0, &err);
	else if (files->vmlinux)
		ret = fargs_elf_code_add(&g->in, files->vmlinux, moved(g, files->vmlinux), &err);
	else
		return fargs_pt_input_add_note(in, "the code of the guest's kernel is missing: "
					       "put a copy of its /proc/kcore beside '%s'",
					       files->kallsyms);
	return ret == -ENOMEM ? ret : ret ? fargs_pt_input_add_note(in, "%s", err.text) : 0;
}

static char *name_of(int32_t pid)
{
	char *name;

	if (!pid)
		return strdup(KERNEL);
	return asprintf(&name, KERNEL ".%d", (int)pid) < 0 ? NULL : name;
}

static int add_guest(struct fargs_pt_input *in, const struct fargs_pt_guest_files *files)
{
	struct fargs_pt_guest *g = fargs_array_add(in->guests, in->nr_guests);

	if (!g)
		return -ENOMEM;
	*g = (struct fargs_pt_guest){
		.pid = files->pid, .name = strdup(files->name ? files->name : ""),
		.kernel = name_of(files->pid),
	};
	fargs_pt_input_init(&g->in);
	g->in.is_guest = true;
	g->in.config = in->config;
	if (!g->name || !g->kernel || read_symbols(in, g, files) || read_code(in, g, files))
		return -ENOMEM;
	return 0;
}

int fargs_pt_guests_read(struct fargs_pt_input *in)
{
	const struct fargs_pt_guest_options *o = in->guest_options;
	size_t i;
	int ret = 0;

	in->guest_options = NULL;
	in->has_guest_code = o && o->has_code && fargs_row(G11);
	for (i = 0; o && fargs_row(E3) && !ret && i < o->nr; i++)
		ret = add_guest(in, &o->files[i]);
	return ret;
}

void fargs_pt_guests_deinit(struct fargs_pt_input *in)
{
	while (in->nr_guests) {
		struct fargs_pt_guest *g = &in->guests[--in->nr_guests];

		fargs_pt_input_deinit(&g->in);
		free(g->name);
		free(g->kernel);
	}
	free(in->guests);
}

size_t fargs_pt_guests_find(const struct fargs_pt_input *in, int32_t tid, uint64_t ns)
{
	bool has_task = in->nr_guests && (in->config.has_tsc || fargs_row(E2));
	int32_t pid = has_task ? fargs_pt_input_pid(in, tid, ns) : -1;
	const char *comm = pid > 0 ? fargs_pt_input_comm(in, pid, ns) : NULL;
	size_t i, by_name = in->nr_guests, other = in->nr_guests;

	for (i = 0; i < in->nr_guests; i++) {
		const struct fargs_pt_guest *g = &in->guests[i];

		if (g->pid && g->pid == pid)
			return i;
		if (!g->pid && !*g->name)
			other = i;
		if (!g->pid && *g->name && comm &&
		    !strncmp(comm, g->name, sizeof(in->comms->comm) - 1))
			by_name = i;
	}
	return by_name < in->nr_guests ? by_name : other;
}

int32_t fargs_pt_guests_task_space(const struct fargs_pt_input *in, int32_t tid, uint64_t ns)
{
	/* Which programs a guest executes is unknown, but for one without an operating system. */
	bool has_code = in->has_guest_code || !fargs_row(E6);
	int32_t host = has_code && in->nr_spaces ?
		       fargs_pt_spaces_at(in, fargs_pt_spaces_pid(in, tid, ns), ns) : -1;

	return fargs_pt_guests_space(in, fargs_pt_guests_find(in, tid, ns), host);
}

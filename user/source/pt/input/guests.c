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
#include "source/pt/input/perf_record.h"
#include "source/pt/input/spaces.h"
#include "source/pt/input/user_files.h"

/* perf's name for the code of a guest's kernel. */
#define KERNEL		"guest.kernel.kallsyms"
/* Symbols at the beginning of the kernel, and of its code. */
#define FIRST_SYMBOL	"_text"
#define FIRST_OF_CODE	"_stext"
#define PAGE		4096

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

/* Returns whether code begins at the page of the symbol @name. */
static bool begins_at(const struct fargs_pt_guest *g, const char *name)
{
	const struct fargs_ksym *sym = fargs_ksyms_find_only(g->in.ksyms, name);
	size_t i;

	for (i = 0; sym && i < g->in.nr_codes; i++)
		if (g->in.codes[i].bytes && g->in.codes[i].addr == sym->addr / PAGE * PAGE)
			return true;
	return false;
}

/*
 * Drops the code of a kcore that is not of the same boot as the symbols: the kernel is at a random
 * address each time, so that other functions would be decoded than those that were executed.
 */
static int check_kcore(struct fargs_pt_input *in, struct fargs_pt_guest *g, const char *kcore,
		       const char *kallsyms)
{
	size_t i;

	if (!g->in.ksyms || begins_at(g, FIRST_SYMBOL) || begins_at(g, FIRST_OF_CODE))
		return 0;
	for (i = 0; i < g->in.nr_codes; i++)
		g->in.codes[i].bytes = 0;
	return fargs_pt_input_add_note(in, "'%s' is not used: it has no code where the kernel "
				       "of '%s' begins, so it is of another boot", kcore, kallsyms);
}

static int read_code(struct fargs_pt_input *in, struct fargs_pt_guest *g,
		     const struct fargs_pt_guest_files *files)
{
	__cleanup_free char *kcore = files->kallsyms ? kcore_beside(files->kallsyms) : NULL;
	struct fargs_error_text err = { "" };
	int ret;

	if (kcore) {
		ret = fargs_elf_code_add(&g->in, kcore, 0, &err);
		if (!ret && check_kcore(in, g, kcore, files->kallsyms))
			ret = -ENOMEM;
	} else if (files->vmlinux) {
		ret = fargs_elf_code_add(&g->in, files->vmlinux, moved(g, files->vmlinux), &err);
	} else {
		return fargs_pt_input_add_note(in, "the code of the guest's kernel is missing: "
					       "put a copy of its /proc/kcore beside '%s'",
					       files->kallsyms);
	}
	return ret == -ENOMEM ? ret : ret ? fargs_pt_input_add_note(in, "%s", err.text) : 0;
}

static char *name_of(int32_t pid)
{
	char *name;

	if (!pid)
		return strdup(KERNEL);
	return asprintf(&name, KERNEL ".%d", (int)pid) < 0 ? NULL : name;
}

/* Returns NULL if out of memory. */
static struct fargs_pt_guest *add_guest(struct fargs_pt_input *in, int32_t pid, const char *name)
{
	struct fargs_pt_guest *g = fargs_array_add(in->guests, in->nr_guests);

	if (!g)
		return NULL;
	*g = (struct fargs_pt_guest){
		.pid = pid, .name = strdup(name ? name : ""), .kernel = name_of(pid),
	};
	fargs_pt_input_init(&g->in);
	g->in.is_guest = true;
	return g->name && g->kernel ? g : NULL;
}

/* Returns the guest with records of the hypervisor @pid; NULL: none. */
static struct fargs_pt_guest *recorded(const struct fargs_pt_input *in, int32_t pid)
{
	size_t i;

	for (i = 0; i < in->nr_guests; i++)
		if (in->guests[i].has_records && in->guests[i].pid == pid)
			return &in->guests[i];
	return NULL;
}

static int add_vcpu(struct fargs_pt_guest *g, const struct fargs_perf_guest_id *id)
{
	struct fargs_pt_vcpu *to;
	size_t i;

	if (id->tid <= 0)
		return 0;
	for (i = 0; i < g->nr_vcpus; i++)
		if (g->vcpus[i].tid == id->tid)
			return 0;
	to = fargs_array_add(g->vcpus, g->nr_vcpus);
	if (!to)
		return -ENOMEM;
	*to = (struct fargs_pt_vcpu){ .tid = id->tid, .nr = id->vcpu };
	return 0;
}

int fargs_pt_guests_take(struct fargs_pt_input *in, const struct fargs_perf_guest_id *id,
			 const struct fargs_perf_body *b)
{
	struct fargs_pt_guest *g = recorded(in, id->pid);
	struct fargs_perf_body record = *b;

	if (!g) {
		g = add_guest(in, id->pid, NULL);
		if (!g)
			return -ENOMEM;
		g->has_records = true;
	}
	record.sample.cpu = id->vcpu;
	record.sample.has_cpu = true;
	fargs_pt_input_extend(in, b->sample.has_time ? b->sample.ns : 0);
	return add_vcpu(g, id) ? -ENOMEM : fargs_perf_record_take(&g->in, &record);
}

static int read_files(struct fargs_pt_input *in, struct fargs_pt_guest *g,
		      const struct fargs_pt_guest_files *files)
{
	g->in.config = in->config;
	g->in.root = files->root ? files->root : in->root;
	return read_symbols(in, g, files) || read_code(in, g, files) ? -ENOMEM : 0;
}

/* Had the process @pid the name @name at some time? Names of tasks are compared. */
static bool was_named(const struct fargs_pt_input *in, int32_t pid, const char *name)
{
	size_t i;

	for (i = 0; i < in->nr_comms; i++)
		if (in->comms[i].tid == pid && in->comms[i].parent < 0 &&
		    !strncmp(in->comms[i].comm, name, sizeof(in->comms->comm) - 1))
			return true;
	return false;
}

/* Returns the files of a guest with records: its own, or those of its name, or those for all. */
static const struct fargs_pt_guest_files *files_for(const struct fargs_pt_input *in,
						    const struct fargs_pt_guest *g,
						    const struct fargs_pt_guest_options *o)
{
	const struct fargs_pt_guest_files *f, *by_name = NULL, *other = NULL;

	for (f = o->files; f < o->files + o->nr; f++) {
		if (f->pid && f->pid == g->pid)
			return f;
		if (!f->pid && (!f->name || !*f->name))
			other = f;
		else if (!f->pid && was_named(in, g->pid, f->name))
			by_name = f;
	}
	return by_name ? by_name : other;
}

int fargs_pt_guests_read(struct fargs_pt_input *in)
{
	const struct fargs_pt_guest_options *o = in->guest_options;
	const struct fargs_pt_guest_files *files;
	size_t i, nr_recorded = in->nr_guests;
	struct fargs_pt_guest *g;
	int ret = 0;

	in->guest_options = NULL;
	in->has_guest_code = o && o->has_code && fargs_row(G11);
	for (i = 0; !ret && i < nr_recorded; i++) {
		g = &in->guests[i];
		g->in.config = in->config;
		g->in.root = in->root;
		files = o && fargs_row(E3) ? files_for(in, g, o) : NULL;
		if (files)
			ret = read_files(in, g, files);
	}
	for (i = 0; o && fargs_row(E3) && !ret && i < o->nr; i++) {
		files = &o->files[i];
		if (files->pid && recorded(in, files->pid))
			continue;
		g = add_guest(in, files->pid, files->name);
		ret = g ? read_files(in, g, files) : -ENOMEM;
	}
	return ret;
}

/* Notes about missing files are for the user of the whole recording. */
static int move_notes(struct fargs_pt_input *in, struct fargs_pt_guest *g)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < g->in.nr_notes; i++)
		ret = fargs_pt_input_add_note(in, "guest of process %d: %s", (int)g->pid,
					      g->in.notes[i]);
	return ret;
}

static int build(struct fargs_pt_input *in, struct fargs_pt_guest *g)
{
	struct fargs_pt_stream stream = { .tid = -1 };
	size_t i;

	g->in.config.has_user = true;
	in->nr_lost_records += g->in.nr_lost_records;
	if (fargs_pt_user_files_find(&g->in, NULL) || move_notes(in, g) ||
	    fargs_pt_input_sort(&g->in))
		return -ENOMEM;
	fargs_pt_switch_halves_join(&g->in);
	if (fargs_pt_spaces_build(&g->in))
		return -ENOMEM;
	for (i = 0; i < g->nr_vcpus; i++) {
		stream.cpu = g->vcpus[i].nr;
		fargs_pt_switches_init(&g->vcpus[i].switches, &g->in, &stream);
	}
	return 0;
}

int fargs_pt_guests_build(struct fargs_pt_input *in)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < in->nr_guests; i++)
		if (in->guests[i].has_records)
			ret = build(in, &in->guests[i]);
	return ret;
}

void fargs_pt_guests_deinit(struct fargs_pt_input *in)
{
	while (in->nr_guests) {
		struct fargs_pt_guest *g = &in->guests[--in->nr_guests];

		free(g->vcpus);
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

/* The same for in->guests[@guest], of which @tid executes a virtual CPU. */
static bool find_task(const struct fargs_pt_input *in, size_t guest, int32_t tid, uint64_t ns,
		      struct fargs_pt_guest_task *task)
{
	const struct fargs_pt_guest *g;
	size_t i, nr;

	if (!fargs_pt_guests_have_records(in, guest))
		return false;
	g = &in->guests[guest];
	for (i = 0; i < g->nr_vcpus && g->vcpus[i].tid != tid; i++)
		;
	if (i == g->nr_vcpus)
		return false;
	nr = fargs_pt_switches_at(&g->vcpus[i].switches, ns);
	*task = (struct fargs_pt_guest_task){
		.guest = g, .vcpu = g->vcpus[i].nr,
		.tid = fargs_pt_switches_task(&g->vcpus[i].switches, nr),
	};
	return task->tid >= 0;
}

bool fargs_pt_guests_task(const struct fargs_pt_input *in, int32_t tid, uint64_t ns,
			  struct fargs_pt_guest_task *task)
{
	return find_task(in, fargs_pt_guests_find(in, tid, ns), tid, ns, task);
}

/* Returns the number in the name that QEMU gives to a virtual CPU, "CPU 0/KVM"; -1: it has none. */
static int64_t number_in(const char *comm)
{
	unsigned int nr;
	int n = 0;

	return sscanf(comm, "CPU %u/KVM%n", &nr, &n) == 1 && n && !comm[n] ? (int64_t)nr : -1;
}

int64_t fargs_pt_guests_vcpu(const struct fargs_pt_input *in, size_t guest, int32_t tid,
			     uint64_t ns)
{
	const struct fargs_pt_guest *g = &in->guests[guest];
	const char *comm;
	size_t i;

	if (fargs_pt_guests_find(in, tid, ns) != guest)
		return -1;
	for (i = 0; i < g->nr_vcpus; i++)
		if (g->vcpus[i].tid == tid)
			return g->vcpus[i].nr;
	comm = g->has_records ? NULL : fargs_pt_input_comm(in, tid, ns);
	return comm ? number_in(comm) : -1;
}

/* Returns the space of the program that in->guests[@guest] executes at @ns by @tid; -1: none. */
static int32_t own_space(const struct fargs_pt_input *in, size_t guest, int32_t tid, uint64_t ns)
{
	struct fargs_pt_guest_task task;

	if (!find_task(in, guest, tid, ns, &task) || !task.guest->in.nr_spaces)
		return -1;
	return fargs_pt_spaces_at(&task.guest->in,
				  fargs_pt_spaces_pid(&task.guest->in, task.tid, ns), ns);
}

int32_t fargs_pt_guests_task_space(const struct fargs_pt_input *in, int32_t tid, uint64_t ns)
{
	size_t guest = fargs_pt_guests_find(in, tid, ns);
	/* Which programs a guest executes is unknown, but for one without an operating system. */
	bool has_code = in->has_guest_code || !fargs_row(E6);
	int32_t host = has_code && in->nr_spaces ?
		       fargs_pt_spaces_at(in, fargs_pt_spaces_pid(in, tid, ns), ns) : -1;

	if (fargs_pt_guests_have_records(in, guest))
		host = own_space(in, guest, tid, ns);
	return fargs_pt_guests_space(in, guest, host);
}

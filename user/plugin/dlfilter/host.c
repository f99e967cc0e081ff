// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/host.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "plugin/dlfilter/filter.h"
#include "plugin/dlfilter/find.h"
#include "plugin/dlfilter/guard.h"

struct fargs_dlfilters {
	struct fargs_dlfilter **all;
	size_t nr;
	char **first_args;	/* arguments given before the first filter */
	size_t nr_first_args;
	struct fargs_error_text failure;	/* the first failure; empty: no failure */
	bool has_crashed;
};

/* Argument of a guarded call of a filter's function. */
struct call {
	struct fargs_dlfilter *filter;
	fargs_dlfilter_fn *fn;
	int ret;
};

struct fargs_dlfilters *fargs_dlfilters_create(void)
{
	return calloc(1, sizeof(struct fargs_dlfilters));
}

static void free_texts(char **texts, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		free(texts[i]);
	free(texts);
}

void fargs_dlfilters_destroy(struct fargs_dlfilters *fs)
{
	size_t i;

	if (!fs)
		return;
	for (i = 0; i < fs->nr; i++) {
		/* After a crash, dlclose() must not run the filter's destructors. */
		if (fs->all[i]->handle && !fs->has_crashed)
			dlclose(fs->all[i]->handle);
		free_texts(fs->all[i]->args, fs->all[i]->nr_args);
		free(fs->all[i]->path);
		free(fs->all[i]);
	}
	free(fs->all);
	free_texts(fs->first_args, fs->nr_first_args);
	free(fs);
}

int fargs_dlfilters_add(struct fargs_dlfilters *fs, const char *file)
{
	struct fargs_dlfilter **larger = fargs_grow(fs->all, fs->nr, sizeof(*larger)), *f;

	if (!larger)
		return -ENOMEM;
	fs->all = larger;
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	larger[fs->nr++] = f;
	f->path = fargs_dlfilter_find(file);
	if (fs->nr == 1) {
		f->args = fs->first_args;
		f->nr_args = fs->nr_first_args;
		fs->first_args = NULL;
		fs->nr_first_args = 0;
	}
	return f->path ? 0 : -ENOMEM;
}

int fargs_dlfilters_add_arg(struct fargs_dlfilters *fs, const char *text)
{
	struct fargs_dlfilter *f = fs->nr ? fs->all[fs->nr - 1] : NULL;
	char ***args = f ? &f->args : &fs->first_args, **larger;
	size_t *nr = f ? &f->nr_args : &fs->nr_first_args;

	larger = fargs_grow(*args, *nr, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	*args = larger;
	larger[*nr] = strdup(text);
	if (!larger[*nr])
		return -ENOMEM;
	++*nr;
	return 0;
}

size_t fargs_dlfilters_nr(const struct fargs_dlfilters *fs)
{
	return fs->nr;
}

bool fargs_dlfilters_has_args(const struct fargs_dlfilters *fs)
{
	return fs->nr_first_args || (fs->nr && fs->all[0]->nr_args);
}

/* Records a filter's failure, unless an earlier failure, the likely cause, is recorded already. */
static int fail_filter(struct fargs_dlfilters *fs, const struct fargs_dlfilter *f, const char *what,
		       const struct fargs_guard_fault *fault, int ret)
{
	fs->has_crashed |= fault != NULL;
	if (fs->failure.text[0])
		return -EINVAL;
	if (fault && fault->is_null_call)
		return fargs_fail(&fs->failure, EINVAL, "'%s': %s crashed: it called a function "
				  "that fargs does not have, perhaps one of a newer "
				  "perf_dlfilter_fns",
				  f->path, what);
	if (fault)
		return fargs_fail(&fs->failure, EINVAL, "'%s': %s crashed: %s", f->path, what,
				  strsignal(fault->signal));
	return fargs_fail(&fs->failure, EINVAL, "'%s': %s failed: it returned %d", f->path, what,
			  ret);
}

static void call_open(void *arg)
{
	struct fargs_dlfilter *f = arg;

	/* RTLD_NOW: missing symbols must fail here, not when they are called. */
	f->handle = dlopen(f->path, RTLD_NOW | RTLD_LOCAL);
}

/*
 * Copies the host's functions to the filter's variable perf_dlfilter_fns. If the filter was built
 * with a smaller struct, copies only the functions that fit.
 */
static void set_fns(struct fargs_dlfilter *f)
{
	const Elf64_Sym *sym = NULL;
	size_t bytes = sizeof(fargs_dlfilter_host_fns);
	void *theirs;
	Dl_info info;

	theirs = dlsym(f->handle, "perf_dlfilter_fns");
	if (!theirs)
		return;
	if (dladdr1(theirs, &info, (void **)&sym, RTLD_DL_SYMENT) && sym && sym->st_size &&
	    sym->st_size < bytes)
		bytes = sym->st_size;
	memcpy(theirs, &fargs_dlfilter_host_fns, bytes);
}

static int load_filter(struct fargs_dlfilters *fs, struct fargs_dlfilter *f,
		       struct fargs_error_text *err)
{
	struct fargs_guard_fault fault;
	size_t i;

	if (!fargs_guard_run(call_open, f, &fault))
		return fail_filter(fs, f, "its constructor", &fault, 0);
	if (!f->handle)
		return fargs_fail(err, EINVAL, "cannot load the dlfilter: %s", dlerror());
	for (i = 0; i < fs->nr && fs->all[i] != f; i++)
		if (fs->all[i]->handle == f->handle)
			return fargs_fail(err, EINVAL, "'%s': a dlfilter can only be loaded "
					  "once", f->path);
	*(void **)&f->start = dlsym(f->handle, "start");
	*(void **)&f->stop = dlsym(f->handle, "stop");
	*(void **)&f->early = dlsym(f->handle, "filter_event_early");
	*(void **)&f->late = dlsym(f->handle, "filter_event");
	if (!f->early && !f->late)
		return fargs_fail(err, EINVAL, "'%s' is not a dlfilter: it has neither "
				  "filter_event nor filter_event_early", f->path);
	set_fns(f);
	return 0;
}

static void call_start(void *arg)
{
	struct call *c = arg;

	c->ret = c->filter->start(&c->filter->data, c->filter);
}

static void call_stop(void *arg)
{
	struct call *c = arg;

	c->ret = c->filter->stop(c->filter->data, c->filter);
}

static void call_filter(void *arg)
{
	struct call *c = arg;

	c->ret = c->fn(c->filter->data, c->filter->ev->sample, c->filter);
}

static int start_filter(struct fargs_dlfilters *fs, struct fargs_dlfilter *f)
{
	struct call c = { .filter = f };
	struct fargs_guard_fault fault;
	bool is_back;

	f->is_started = true;
	if (!f->start)
		return 0;
	f->may_have_args = true;
	is_back = fargs_guard_run(call_start, &c, &fault);
	f->may_have_args = false;
	if (!is_back)
		return fail_filter(fs, f, "start", &fault, 0);
	if (!c.ret)
		return 0;
	f->is_started = false;
	return fail_filter(fs, f, "start", NULL, c.ret);
}

int fargs_dlfilters_start(struct fargs_dlfilters *fs, struct fargs_error_text *err)
{
	int ret = fargs_guard_init();
	size_t i;

	if (ret)
		return fargs_fail(err, -ret, "cannot catch signals: %s", strerror(-ret));
	for (i = 0; !ret && i < fs->nr; i++)
		ret = load_filter(fs, fs->all[i], err);
	for (i = 0; !ret && i < fs->nr; i++)
		ret = start_filter(fs, fs->all[i]);
	if (ret && fs->failure.text[0])
		*err = fs->failure;
	return ret;
}

static int pass_event(struct fargs_dlfilters *fs, struct fargs_dlfilter *f, fargs_dlfilter_fn *fn,
		      const char *name, const struct fargs_dlfilter_event *ev)
{
	struct call c = { .filter = f, .fn = fn };
	struct fargs_guard_fault fault;
	bool is_back;

	f->ev = ev;
	f->ip_al.size = 0;
	f->addr_al.size = 0;
	f->insn_bytes = 0;
	is_back = fargs_guard_run(call_filter, &c, &fault);
	f->ev = NULL;
	if (!is_back)
		return fail_filter(fs, f, name, &fault, 0);
	return c.ret < 0 ? fail_filter(fs, f, name, NULL, c.ret) : c.ret > 0;
}

int fargs_dlfilters_early(struct fargs_dlfilters *fs, const struct fargs_dlfilter_event *ev)
{
	int ret = fs->failure.text[0] ? -EINVAL : 0;
	size_t i;

	for (i = 0; !ret && i < fs->nr; i++)
		if (fs->all[i]->early)
			ret = pass_event(fs, fs->all[i], fs->all[i]->early,
					 "filter_event_early", ev);
	return ret;
}

int fargs_dlfilters_late(struct fargs_dlfilters *fs, const struct fargs_dlfilter_event *ev)
{
	int ret = fs->failure.text[0] ? -EINVAL : 0;
	size_t i;

	for (i = 0; !ret && i < fs->nr; i++)
		if (fs->all[i]->late)
			ret = pass_event(fs, fs->all[i], fs->all[i]->late, "filter_event", ev);
	return ret;
}

static void stop_filter(struct fargs_dlfilters *fs, struct fargs_dlfilter *f)
{
	struct call c = { .filter = f };
	struct fargs_guard_fault fault;
	bool is_back;

	if (!f->is_started || !f->stop)
		return;
	f->is_started = false;
	f->may_have_args = true;
	is_back = fargs_guard_run(call_stop, &c, &fault);
	f->may_have_args = false;
	if (!is_back)
		fail_filter(fs, f, "stop", &fault, 0);
	else if (c.ret < 0)
		fail_filter(fs, f, "stop", NULL, c.ret);
}

int fargs_dlfilters_stop(struct fargs_dlfilters *fs, struct fargs_error_text *err)
{
	size_t i;

	for (i = 0; !fs->has_crashed && i < fs->nr; i++)
		stop_filter(fs, fs->all[i]);
	if (!fs->failure.text[0])
		return 0;
	*err = fs->failure;
	return -EINVAL;
}

struct description {
	const char *path;
	char *text, *long_text;
	bool is_filter;
};

static void call_describe(void *arg)
{
	const char *(*describe)(const char **long_text), *text, *long_text = NULL;
	struct description *d = arg;
	void *handle = dlopen(d->path, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return;
	d->is_filter = dlsym(handle, "filter_event") || dlsym(handle, "filter_event_early");
	*(void **)&describe = dlsym(handle, "filter_description");
	if (d->is_filter && describe) {
		text = describe(&long_text);
		d->text = text ? strdup(text) : NULL;
		d->long_text = long_text ? strdup(long_text) : NULL;
	}
	dlclose(handle);
}

int fargs_dlfilter_describe(const char *path, char **text, char **long_text)
{
	struct description d = { .path = path };
	struct fargs_guard_fault fault;

	*text = NULL;
	*long_text = NULL;
	if (fargs_guard_init() || !fargs_guard_run(call_describe, &d, &fault) || !d.is_filter)
		return -EINVAL;
	*text = d.text;
	*long_text = d.long_text;
	return 0;
}

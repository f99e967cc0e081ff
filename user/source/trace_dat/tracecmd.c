// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_dat/tracecmd.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event-parse.h>

#define LIBRARY		"libtracecmd.so.1"
#define MAGIC		"\x17\x08\x44tracing"

/* Flag of enum tracecmd_open_flags in libtracecmd. */
#define LOAD_NO_PLUGINS	(1 << 0)

struct tracecmd_input;

typedef int (*event_fn)(struct tracecmd_input *input, struct tep_record *rec, int cpu, void *arg);

/* The functions of libtracecmd that are used, as declared in version 1. */
struct library {
	void *handle;
	void (*set_loglevel)(enum tep_loglevel level);
	struct tracecmd_input *(*open)(const char *path, int flags);
	void (*close)(struct tracecmd_input *input);
	struct tep_handle *(*get_tep)(struct tracecmd_input *input);
	int (*buffer_instances)(struct tracecmd_input *input);
	struct tracecmd_input *(*buffer_instance_handle)(struct tracecmd_input *input, int i);
	int (*iterate_events_multi)(struct tracecmd_input **inputs, int nr, event_fn fn, void *arg);
};

struct fargs_tracecmd {
	struct library lib;
	struct tracecmd_input **inputs;		/* the input of the main buffer first */
	int nr;
	int (*fn)(void *arg, struct tep_record *rec, unsigned int cpu);
	void *arg;
};

bool fargs_tracecmd_is_file(const char *path)
{
	char head[sizeof(MAGIC) - 1];
	/* O_NONBLOCK: if @path is a FIFO, do not wait for a writer; pread() of a FIFO fails. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return false;
	is = pread(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	     !memcmp(head, MAGIC, sizeof(head));
	close(fd);
	return is;
}

static int load(struct library *lib, struct fargs_error_text *err)
{
	const struct {
		const char *name;
		void **to;
	} functions[] = {
		{ "tracecmd_set_loglevel", (void **)&lib->set_loglevel },
		{ "tracecmd_open", (void **)&lib->open },
		{ "tracecmd_close", (void **)&lib->close },
		{ "tracecmd_get_tep", (void **)&lib->get_tep },
		{ "tracecmd_buffer_instances", (void **)&lib->buffer_instances },
		{ "tracecmd_buffer_instance_handle", (void **)&lib->buffer_instance_handle },
		{ "tracecmd_iterate_events_multi", (void **)&lib->iterate_events_multi },
	};
	size_t i;

	lib->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!lib->handle)
		return fargs_fail(err, ENOENT, "reading trace-cmd files needs libtracecmd, which "
				  "is not installed (Debian: libtracecmd1): %s", dlerror());
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		*functions[i].to = dlsym(lib->handle, functions[i].name);
		if (!*functions[i].to)
			return fargs_fail(err, ENOSYS, LIBRARY " is incompatible: it has no %s",
					  functions[i].name);
	}
	return 0;
}

/* Opens the buffers of trace-cmd record -B. Each is a separate input. */
static int take_buffers(struct fargs_tracecmd *dat, struct fargs_error_text *err)
{
	int nr = dat->lib.buffer_instances(dat->inputs[0]), i;
	struct tracecmd_input **inputs;

	if (nr <= 0)
		return 0;
	inputs = realloc(dat->inputs, ((size_t)nr + 1) * sizeof(*inputs));
	if (!inputs)
		return fargs_fail(err, ENOMEM, "out of memory");
	dat->inputs = inputs;
	for (i = 0; i < nr; i++) {
		inputs[dat->nr] = dat->lib.buffer_instance_handle(inputs[0], i);
		if (!inputs[dat->nr])
			return fargs_fail(err, EIO, "a buffer cannot be read");
		dat->nr++;
	}
	return 0;
}

static int open_file(struct fargs_tracecmd *dat, const char *path, struct fargs_error_text *err)
{
	if (load(&dat->lib, err))
		return -ENOENT;
	/* The library must print no errors, because the caller reports them. */
	dat->lib.set_loglevel(TEP_LOG_NONE);
	dat->inputs = calloc(1, sizeof(*dat->inputs));
	if (!dat->inputs)
		return fargs_fail(err, ENOMEM, "out of memory");
	dat->inputs[0] = dat->lib.open(path, LOAD_NO_PLUGINS);
	if (!dat->inputs[0])
		return fargs_fail(err, EIO, "libtracecmd cannot read the file");
	dat->nr = 1;
	return take_buffers(dat, err);
}

struct fargs_tracecmd *fargs_tracecmd_open(const char *path, struct fargs_error_text *err)
{
	struct fargs_tracecmd *dat = calloc(1, sizeof(*dat));

	if (!dat) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	if (!open_file(dat, path, err))
		return dat;
	fargs_tracecmd_close(dat);
	return NULL;
}

void fargs_tracecmd_close(struct fargs_tracecmd *dat)
{
	if (!dat)
		return;
	/* Close the input of the file last, because the inputs of its buffers use its data. */
	while (dat->nr)
		dat->lib.close(dat->inputs[--dat->nr]);
	free(dat->inputs);
	if (dat->lib.handle)
		dlclose(dat->lib.handle);
	free(dat);
}

struct tep_handle *fargs_tracecmd_tep(struct fargs_tracecmd *dat)
{
	return dat->lib.get_tep(dat->inputs[0]);
}

static int take_record(struct tracecmd_input *input, struct tep_record *rec, int cpu, void *arg)
{
	struct fargs_tracecmd *dat = arg;

	return rec ? dat->fn(dat->arg, rec, cpu) : 0;
}

int fargs_tracecmd_each(struct fargs_tracecmd *dat,
			 int (*fn)(void *arg, struct tep_record *rec, unsigned int cpu), void *arg)
{
	dat->fn = fn;
	dat->arg = arg;
	return dat->lib.iterate_events_multi(dat->inputs, dat->nr, take_record, dat);
}

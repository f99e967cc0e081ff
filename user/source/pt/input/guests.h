/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Virtual machines of a recording: the code and the symbols of their kernels, from copies of files
 * of the guests, which no recording contains.
 */
#ifndef FARGS_SOURCE_PT_INPUT_GUESTS_H
#define FARGS_SOURCE_PT_INPUT_GUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/input/input.h"

/* The files of a guest. */
struct fargs_pt_guest_files {
	int32_t pid;		/* of the hypervisor's process; 0: see @name */
	const char *name;	/* of this process; NULL or "": of all other guests */
	const char *kallsyms;	/* copy of /proc/kallsyms; NULL: none */
	const char *modules;	/* copy of /proc/modules; NULL: none */
	const char *vmlinux;	/* NULL: none */
};

/* What is known of guests, without the recording. */
struct fargs_pt_guest_options {
	struct fargs_pt_guest_files *files;
	size_t nr;
	bool has_code;		/* the code of guests is in the hypervisor's process */
};

struct fargs_pt_guest {
	int32_t pid;		/* as in struct fargs_pt_guest_files */
	char *name;
	char *kernel;		/* perf's name for the code of its kernel, without brackets */
	/* The guest's code and symbols alone. */
	struct fargs_pt_input in;
};

/*
 * Reads the files of in->guest_options, which is not needed afterwards. The code is that of a
 * kcore beside kallsyms, or else that of vmlinux. Files that cannot be read are reported in notes.
 * Returns 0 or -ENOMEM.
 */
int fargs_pt_guests_read(struct fargs_pt_input *in);
void fargs_pt_guests_deinit(struct fargs_pt_input *in);

/*
 * Returns the guest that task @tid executes at @ns while it is a guest: an index in in->guests;
 * in->nr_guests if nothing is known of it.
 */
size_t fargs_pt_guests_find(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);

/*
 * What a guest executes has numbers of spaces (spaces.h) below -1: that of the guest and, if its
 * code is in the hypervisor's process, the space @host of this process (-1: none).
 */
static inline int32_t fargs_pt_guests_space(const struct fargs_pt_input *in, size_t guest,
					    int32_t host)
{
	return (int32_t)(-2 - (int64_t)guest - (host + 1) * ((int64_t)in->nr_guests + 1));
}

static inline bool fargs_pt_guests_is_space(int32_t space)
{
	return space < -1;
}

/* Of such a number, returns the index of the guest. Sets *@host. */
static inline size_t fargs_pt_guests_of_space(const struct fargs_pt_input *in, int32_t space,
					      int32_t *host)
{
	int64_t at = -2 - (int64_t)space, nr = in->nr_guests + 1;

	*host = (int32_t)(at / nr - 1);
	return at % nr;
}

/* Returns the number for task @tid at @ns, which is a guest. */
int32_t fargs_pt_guests_task_space(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);

#endif

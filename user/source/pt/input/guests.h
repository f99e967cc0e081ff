/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Virtual machines of a recording: the code and the symbols of their kernels, from copies of files
 * of the guests, which no recording contains; and their tasks and programs, from records of the
 * guests that perf inject --guest-data added to the recording of the host.
 */
#ifndef FARGS_SOURCE_PT_INPUT_GUESTS_H
#define FARGS_SOURCE_PT_INPUT_GUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/perf_data/body.h"
#include "source/pt/input/input.h"
#include "source/pt/input/perf_sample.h"
#include "source/pt/input/switches.h"

/* The files of a guest. */
struct fargs_pt_guest_files {
	int32_t pid;		/* of the hypervisor's process; 0: see @name */
	const char *name;	/* of this process; NULL or "": of all other guests */
	const char *kallsyms;	/* copy of /proc/kallsyms; NULL: none */
	const char *modules;	/* copy of /proc/modules; NULL: none */
	const char *vmlinux;	/* NULL: none */
	const char *root;	/* directory in which its files are mounted; NULL: none */
};

/* What is known of guests, without the recording. */
struct fargs_pt_guest_options {
	struct fargs_pt_guest_files *files;
	size_t nr;
	bool has_code;		/* the code of guests is in the hypervisor's process */
};

/* A virtual CPU. */
struct fargs_pt_vcpu {
	int32_t tid;		/* thread of the hypervisor that executes it */
	uint32_t nr;
	struct fargs_pt_switches switches;	/* of the guest's tasks on it */
};

struct fargs_pt_guest {
	int32_t pid;		/* as in struct fargs_pt_guest_files */
	char *name;
	char *kernel;		/* perf's name for the code of its kernel, without brackets */
	bool has_records;	/* @in has the guest's tasks and programs, too */
	struct fargs_pt_vcpu *vcpus;
	size_t nr_vcpus;
	/* The guest's code and symbols alone; the CPUs of switches are the virtual ones. */
	struct fargs_pt_input in;
};

/* A task of a guest. */
struct fargs_pt_guest_task {
	const struct fargs_pt_guest *guest;
	uint32_t vcpu;
	int32_t tid;
};

/*
 * Reads the files of in->guest_options, which is not needed afterwards. The code is that of a
 * kcore beside kallsyms, or else that of vmlinux. Files that cannot be read are reported in notes.
 * Call after in->config is set, and all records were taken. Returns 0 or -ENOMEM.
 */
int fargs_pt_guests_read(struct fargs_pt_input *in);
/*
 * Adds a record of the guest of @id, whose times are those of the host. Returns 0, -EIO if it is
 * too short, or -ENOMEM.
 */
int fargs_pt_guests_take(struct fargs_pt_input *in, const struct fargs_perf_guest_id *id,
			 const struct fargs_perf_body *b);
/*
 * Finds the programs and tasks of the guests that have records. Call after fargs_pt_guests_read().
 * Returns 0 or -ENOMEM.
 */
int fargs_pt_guests_build(struct fargs_pt_input *in);
void fargs_pt_guests_deinit(struct fargs_pt_input *in);

/*
 * Returns the guest that task @tid executes at @ns while it is a guest: an index in in->guests;
 * in->nr_guests if nothing is known of it.
 */
size_t fargs_pt_guests_find(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);

/*
 * Finds the task of a guest that the host's task @tid executes at @ns while it is a guest. Returns
 * false if it is unknown.
 */
bool fargs_pt_guests_task(const struct fargs_pt_input *in, int32_t tid, uint64_t ns,
			  struct fargs_pt_guest_task *task);

/* Are the tasks and programs of in->guests[@guest] known? */
static inline bool fargs_pt_guests_have_records(const struct fargs_pt_input *in, size_t guest)
{
	return guest < in->nr_guests && in->guests[guest].has_records;
}

/*
 * Returns the virtual CPU of in->guests[@guest] that the host's task @tid executes at @ns while it
 * is a guest: by the guest's records or, without them, by the name that QEMU gives to the thread.
 * Returns -1 if it is unknown, or if the task is not of this guest.
 */
int64_t fargs_pt_guests_vcpu(const struct fargs_pt_input *in, size_t guest, int32_t tid,
			     uint64_t ns);

/*
 * What a guest executes has numbers of spaces (spaces.h) below -1: that of the guest and of the
 * program's space, @user (-1: none). It is one of the guest, if its programs are known; else of the
 * hypervisor's process, if that has the guest's code.
 */
static inline int32_t fargs_pt_guests_space(const struct fargs_pt_input *in, size_t guest,
					    int32_t user)
{
	int64_t at = -2 - (int64_t)guest - (user + 1) * ((int64_t)in->nr_guests + 1);

	/* More spaces than numbers: only in a damaged file. */
	return at < INT32_MIN ? (int32_t)(-2 - (int64_t)guest) : (int32_t)at;
}

static inline bool fargs_pt_guests_is_space(int32_t space)
{
	return space < -1;
}

/* Of such a number, returns the index of the guest. Sets *@user. */
static inline size_t fargs_pt_guests_of_space(const struct fargs_pt_input *in, int32_t space,
					      int32_t *user)
{
	int64_t at = -2 - (int64_t)space, nr = in->nr_guests + 1;

	*user = (int32_t)(at / nr - 1);
	return at % nr;
}

/* Returns the number for task @tid at @ns, which is a guest. */
int32_t fargs_pt_guests_task_space(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hashes that ftrace's callbacks use while several sessions are traced: for each tracer, a hash
 * of all functions that it traces, in which a function has the template of the only session that
 * traces it, or a struct fargs_several.
 *
 * @probes in all functions: the list of the probes of these sessions. The caller serializes all of
 * them (session/tracers.c).
 */
#ifndef FARGS_KMOD_SESSION_UNIONS_H
#define FARGS_KMOD_SESSION_UNIONS_H

#include <linux/types.h>

#include "probe/capture.h"

struct list_head;

struct fargs_unions {
	struct fargs_funchash *hash[FARGS_CAPTURE_PROBES];	/* indexed by enum fargs_path */
	void *severals;		/* memory of each struct fargs_several; never NULL in a made one */
};

/**
 * fargs_unions_make() - make unions of the hashes of all probes
 * @unions: to be filled in; all members are NULL
 * @probes: the probes
 * @tables: the hashes that callbacks use now: functions that they have stay with the same tracer
 *
 * Context: Process context. May sleep.
 * Return: 0, or -ENOMEM, and all members of @unions are NULL.
 */
int fargs_unions_make(struct fargs_unions *unions, struct list_head *probes,
		      struct fargs_funchash *const *tables);

/**
 * fargs_unions_free() - free unions
 * @unions: the unions, which no callback uses
 *
 * Context: Process context. May sleep.
 */
void fargs_unions_free(struct fargs_unions *unions);

/**
 * fargs_unions_settle() - adapt the slot of a function that has lost one of its probes
 * @hash: the union of tracer @path
 * @probes: the probes that are left, without those that have dropped the function
 * @path: which tracer
 * @ip: fentry address of the function
 *
 * Needs no memory. Callbacks may use the union at the same time.
 *
 * Context: Process context. May sleep.
 * Return: Whether the function has been dropped from the union: no probe has it.
 */
bool fargs_unions_settle(struct fargs_funchash *hash, struct list_head *probes, size_t path,
			 unsigned long ip);

#endif

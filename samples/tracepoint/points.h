/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints of fargs_tp_event, and the types of their arguments. fargs_tp_event includes this
 * file to fire the tracepoints, fargs_tp_probe to check the types of its callbacks, fargs_tp_direct
 * to register its callback.
 */
#ifndef FARGS_TP_POINTS_H
#define FARGS_TP_POINTS_H

#include <linux/tracepoint.h>
#include <linux/types.h>

struct file;
struct inode;

struct fargs_tp_pair {
	u32 first;
	s32 second;
	s64 third;
};

struct fargs_tp_box {
	u64 word[3];
	char name[8];
};

/* Since 6.16 DECLARE_TRACE(NAME) declares a tracepoint NAME_tp. */
#ifdef DECLARE_TRACE_EVENT
#define FARGS_TP_DECLARE	DECLARE_TRACE_EVENT
#else
#define FARGS_TP_DECLARE	DECLARE_TRACE
#endif

FARGS_TP_DECLARE(fargs_tp_open,
	TP_PROTO(struct inode *inode, struct file *file),
	TP_ARGS(inode, file));

FARGS_TP_DECLARE(fargs_tp_tick,
	TP_PROTO(u64 nr),
	TP_ARGS(nr));

/*
 * A tracepoint with arguments of every width. The first argument of a probe is its data, so the
 * last seven arguments of the tracepoint are on the stack.
 */
FARGS_TP_DECLARE(fargs_tp_many,
	TP_PROTO(s8 tiny, u8 byte, s16 small, u16 port, int number, u32 flags, s64 offset,
		 u64 mask, bool is_on, char letter, const char *name, long last),
	TP_ARGS(tiny, byte, small, port, number, flags, offset, mask, is_on, letter, name, last));

/* Structures by value: one of 16 bytes in two registers, a larger one on the stack. */
FARGS_TP_DECLARE(fargs_tp_value,
	TP_PROTO(struct fargs_tp_pair pair, struct fargs_tp_box box, int number),
	TP_ARGS(pair, box, number));

/* sites.c fires the tracepoints below. */
FARGS_TP_DECLARE(fargs_tp_site,
	TP_PROTO(int nr),
	TP_ARGS(nr));

FARGS_TP_DECLARE(fargs_tp_header,
	TP_PROTO(int nr),
	TP_ARGS(nr));

FARGS_TP_DECLARE(fargs_tp_text,
	TP_PROTO(const char *text),
	TP_ARGS(text));

#endif

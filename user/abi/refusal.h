/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a function is not traced: better no arguments than wrong ones.
 */
#ifndef FARGS_LAYOUT_REFUSAL_H
#define FARGS_LAYOUT_REFUSAL_H

enum fargs_refusal {
	FARGS_REFUSAL_NONE = 0,
	/* Of the place: */
	FARGS_REFUSAL_NOT_TRACEABLE,	/* ftrace has no entry there */
	FARGS_REFUSAL_CLONE,		/* .isra .constprop: arguments may be missing */
	FARGS_REFUSAL_FRAGMENT,		/* .part .cold: not a whole function */
	FARGS_REFUSAL_AMBIGUOUS,	/* several functions, and which type is whose? */
	FARGS_REFUSAL_ALIAS,		/* its address has another name, and other arguments */
	FARGS_REFUSAL_OWN,		/* the module's programs call it */
	FARGS_REFUSAL_NO_RETURN,	/* no return probe takes it */
	FARGS_REFUSAL_NO_SLOTS,		/* too much on the stack without CAP_BPF */
	FARGS_REFUSAL_NO_BTF,		/* BTF does not describe it */
	FARGS_REFUSAL_NO_MODULE_BTF,	/* nor anything else in its module */
	FARGS_REFUSAL_NO_TPOINT,	/* the kernel shows no such tracepoint */
	/* Of the type: */
	FARGS_REFUSAL_MANY,		/* more on the stack than a layout can have */
	FARGS_REFUSAL_AGGREGATE,	/* struct by value: which registers has it? */
	FARGS_REFUSAL_ALIGNMENT,	/* struct by value: where on the stack is it? */
	FARGS_REFUSAL_FLOAT,
	FARGS_REFUSAL_TOO_LONG,		/* the record would be */
	FARGS_REFUSAL_MALFORMED,	/* BTF that makes no sense */
	/* Of what was asked for: */
	FARGS_REFUSAL_NO_ERROR,		/* its type is none that an error can have */
	FARGS_REFUSAL_EXPRESSION,	/* it makes no sense on this function */
	FARGS_REFUSALS
};

/* Completes "NAME cannot be traced: ...". */
const char *fargs_refusal_text(enum fargs_refusal why);
/* One word for tables. */
const char *fargs_refusal_word(enum fargs_refusal why);

#endif

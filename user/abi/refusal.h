/* SPDX-License-Identifier: GPL-2.0-only */
/* Reasons why a function is not traced. Not showing arguments is better than showing wrong ones. */
#ifndef FARGS_ABI_REFUSAL_H
#define FARGS_ABI_REFUSAL_H

enum fargs_refusal {
	FARGS_REFUSAL_NONE = 0,
	/* The following reasons are about the function or tracepoint itself. */
	FARGS_REFUSAL_NOT_TRACEABLE,	/* ftrace cannot trace the function */
	FARGS_REFUSAL_CLONE,		/* a clone (.isra, .constprop), which may lack arguments */
	FARGS_REFUSAL_FRAGMENT,		/* only a part (.part, .cold) split off a function */
	FARGS_REFUSAL_AMBIGUOUS,	/* unknown which function of this name BTF describes */
	FARGS_REFUSAL_ALIAS,		/* another name at this address has other arguments */
	FARGS_REFUSAL_OWN,		/* fargs.ko itself calls the function to fetch arguments */
	FARGS_REFUSAL_NO_RETURN,	/* return probes do not support the function */
	FARGS_REFUSAL_NO_SLOTS,		/* needs more stack slots than allowed without CAP_BPF */
	FARGS_REFUSAL_NO_BTF,		/* BTF does not describe the function */
	FARGS_REFUSAL_NO_MODULE_BTF,	/* the function's module has no BTF */
	FARGS_REFUSAL_NO_TPOINT,	/* the kernel has no such tracepoint */
	/* The following reasons are about the type of a parameter or of the result. */
	FARGS_REFUSAL_MANY,		/* arguments need more stack slots than a layout can have */
	FARGS_REFUSAL_AGGREGATE,	/* struct by value, in unknown registers */
	FARGS_REFUSAL_ALIGNMENT,	/* struct by value, at an unknown offset on the stack */
	FARGS_REFUSAL_FLOAT,
	FARGS_REFUSAL_TOO_LONG,		/* the record would be too long */
	FARGS_REFUSAL_MALFORMED,	/* malformed BTF */
	/* The following reasons are about what the selector requests. */
	FARGS_REFUSAL_NO_ERROR,		/* errors requested, but the return type cannot be one */
	FARGS_REFUSAL_EXPRESSION,	/* the expression is invalid for this function */
	FARGS_REFUSALS
};

/* Returns a string that completes "NAME cannot be traced: ...". */
const char *fargs_refusal_text(enum fargs_refusal why);
/* Returns the reason as a single word, for tables. */
const char *fargs_refusal_word(enum fargs_refusal why);

#endif

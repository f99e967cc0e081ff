/* SPDX-License-Identifier: GPL-2.0-only */
/* Reasons why a function is not traced. Not showing arguments is better than showing wrong ones. */
#ifndef FARGS_ABI_REFUSAL_H
#define FARGS_ABI_REFUSAL_H

enum fargs_refusal {
	FARGS_REFUSAL_NONE = 0,
	/* About the function: */
	FARGS_REFUSAL_NOT_TRACEABLE,	/* ftrace cannot trace it */
	FARGS_REFUSAL_CLONE,		/* clone (.isra, .constprop): may lack arguments */
	FARGS_REFUSAL_FRAGMENT,		/* split off (.part, .cold): not a whole function */
	FARGS_REFUSAL_AMBIGUOUS,	/* several functions have its name: types unknown */
	FARGS_REFUSAL_ALIAS,		/* another name at its address has other arguments */
	FARGS_REFUSAL_OWN,		/* fargs.ko itself calls it while fetching */
	FARGS_REFUSAL_NO_RETURN,	/* return probes do not support it */
	FARGS_REFUSAL_NO_SLOTS,		/* too many stack slots without CAP_BPF */
	FARGS_REFUSAL_NO_BTF,		/* BTF does not describe it */
	FARGS_REFUSAL_NO_MODULE_BTF,	/* its whole module has no BTF */
	FARGS_REFUSAL_NO_TPOINT,	/* no such tracepoint in the kernel */
	/* About the types of its parameters and result: */
	FARGS_REFUSAL_MANY,		/* more stack slots than a layout can have */
	FARGS_REFUSAL_AGGREGATE,	/* struct by value: registers unknown */
	FARGS_REFUSAL_ALIGNMENT,	/* struct by value: offset on the stack unknown */
	FARGS_REFUSAL_FLOAT,
	FARGS_REFUSAL_TOO_LONG,		/* its record would be too long */
	FARGS_REFUSAL_MALFORMED,	/* malformed BTF */
	/* About the selection rule: */
	FARGS_REFUSAL_NO_ERROR,		/* its return type cannot be an error */
	FARGS_REFUSAL_EXPRESSION,	/* the expression is invalid for it */
	FARGS_REFUSALS
};

/* Completes "NAME cannot be traced: ...". */
const char *fargs_refusal_text(enum fargs_refusal why);
/* The reason as a single word, for tables. */
const char *fargs_refusal_word(enum fargs_refusal why);

#endif

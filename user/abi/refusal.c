// SPDX-License-Identifier: GPL-2.0-only
#include "abi/refusal.h"

#include <stddef.h>

static const struct {
	const char *word;
	const char *text;
} refusals[FARGS_REFUSALS] = {
	[FARGS_REFUSAL_NONE] = { "none", "it can be traced" },
	[FARGS_REFUSAL_NOT_TRACEABLE] = {
		"not-traceable", "ftrace cannot attach to it (notrace, __init or assembly)" },
	[FARGS_REFUSAL_CLONE] = {
		"clone", "a clone made by the compiler, which may lack some of its arguments" },
	[FARGS_REFUSAL_FRAGMENT] = {
		"fragment", "a fragment that the compiler split off a function" },
	[FARGS_REFUSAL_AMBIGUOUS] = {
		"ambiguous", "several functions have this name, and BTF does not show which type "
			     "belongs to which" },
	[FARGS_REFUSAL_ALIAS] = {
		"alias", "another function at its address has different arguments" },
	[FARGS_REFUSAL_OWN] = {
		"own", "fargs calls it to read memory: it can only be traced without fetched "
		       "values and conditions" },
	[FARGS_REFUSAL_NO_RETURN] = {
		"no-return", "the kernel does not allow return probes on it: it can be traced "
			     "without its return" },
	[FARGS_REFUSAL_NO_SLOTS] = {
		"stack-rights", "it has more than 48 bytes of arguments on the stack, which also "
				"needs CAP_BPF or CAP_SYS_ADMIN: run as root" },
	[FARGS_REFUSAL_NO_BTF] = { "no-btf", "BTF does not describe it" },
	[FARGS_REFUSAL_NO_MODULE_BTF] = {
		"no-module-btf", "its module has no BTF: give it with '--btf'" },
	[FARGS_REFUSAL_NO_TPOINT] = {
		"no-tracepoint", "its module was unloaded, or the kernel ignores the "
				 "tracepoints of that module (proprietary or force-loaded)" },
	[FARGS_REFUSAL_MANY] = {
		"stack", "it has more than 256 bytes of arguments on the stack" },
	[FARGS_REFUSAL_AGGREGATE] = {
		"by-value", "it takes a struct or union by value, and BTF does not describe all of "
			    "its bytes" },
	[FARGS_REFUSAL_ALIGNMENT] = {
		"alignment", "it takes a struct on the stack, and its offset depends on an "
			     "alignment that is not in BTF" },
	[FARGS_REFUSAL_FLOAT] = {
		"float", "it takes floating-point numbers, or returns them in a struct" },
	[FARGS_REFUSAL_TOO_LONG] = { "too-long", "its record would be too long" },
	[FARGS_REFUSAL_MALFORMED] = { "malformed", "its BTF is invalid" },
	[FARGS_REFUSAL_NO_ERROR] = {
		"no-error", "its return type cannot be an error ('--only-errors'): it is neither a "
			    "signed integer of 32 or 64 bits nor a pointer" },
	[FARGS_REFUSAL_EXPRESSION] = {
		"expression", "the expression is invalid for its arguments" },
};

const char *fargs_refusal_text(enum fargs_refusal why)
{
	return why < FARGS_REFUSALS ? refusals[why].text : "unknown reason";
}

const char *fargs_refusal_word(enum fargs_refusal why)
{
	return why < FARGS_REFUSALS ? refusals[why].word : "unknown";
}

// SPDX-License-Identifier: GPL-2.0-only
#include "abi/refusal.h"

#include <stddef.h>

static const struct {
	const char *word;
	const char *text;
} refusals[FARGS_REFUSALS] = {
	[FARGS_REFUSAL_NONE] = { "none", "it can" },
	[FARGS_REFUSAL_NOT_TRACEABLE] = {
		"not-traceable", "ftrace has no entry in it (notrace, init or assembly)" },
	[FARGS_REFUSAL_CLONE] = {
		"clone", "a clone of the compiler, which need not get all of its arguments" },
	[FARGS_REFUSAL_FRAGMENT] = {
		"fragment", "a part that the compiler split off a function, not one itself" },
	[FARGS_REFUSAL_AMBIGUOUS] = {
		"ambiguous", "several functions have this name, and BTF does not tell which type "
			     "is whose" },
	[FARGS_REFUSAL_ALIAS] = {
		"alias", "another function at its address has other arguments" },
	[FARGS_REFUSAL_OWN] = {
		"own", "fargs calls it itself while it fetches: it can be traced without "
		       "fetches and conditions" },
	[FARGS_REFUSAL_NO_RETURN] = {
		"no-return", "the kernel lets nobody wait for its return: it can be traced "
			     "without one" },
	[FARGS_REFUSAL_NO_SLOTS] = {
		"stack-rights", "it has more than 48 bytes of arguments on the stack, which needs "
				"CAP_BPF or CAP_SYS_ADMIN, too: run as root" },
	[FARGS_REFUSAL_NO_BTF] = { "no-btf", "BTF does not describe it" },
	[FARGS_REFUSAL_NO_MODULE_BTF] = {
		"no-module-btf", "its module has no BTF (--btf can give it)" },
	[FARGS_REFUSAL_NO_TPOINT] = {
		"no-tracepoint", "its module has gone, or has tracepoints that the kernel hides" },
	[FARGS_REFUSAL_MANY] = {
		"stack", "it has more than 256 bytes of arguments on the stack" },
	[FARGS_REFUSAL_AGGREGATE] = {
		"by-value", "it takes a struct or union by value, and BTF does not tell what all "
			    "of its bytes are" },
	[FARGS_REFUSAL_ALIGNMENT] = {
		"alignment", "it takes a struct on the stack, whose place depends on an alignment "
			     "that BTF does not tell" },
	[FARGS_REFUSAL_FLOAT] = {
		"float", "floating-point numbers are passed to it, or returned in a struct" },
	[FARGS_REFUSAL_TOO_LONG] = { "too-long", "its record would be too long" },
	[FARGS_REFUSAL_MALFORMED] = { "malformed", "its BTF makes no sense" },
	[FARGS_REFUSAL_NO_ERROR] = {
		"no-error", "what it returns cannot be an error (--only-errors), by its type: that "
			    "takes a signed number of 32 or 64 bits, or a pointer" },
	[FARGS_REFUSAL_EXPRESSION] = {
		"expression", "what was asked of it makes no sense on its arguments" },
};

const char *fargs_refusal_text(enum fargs_refusal why)
{
	return why < FARGS_REFUSALS ? refusals[why].text : "for a reason not known here";
}

const char *fargs_refusal_word(enum fargs_refusal why)
{
	return why < FARGS_REFUSALS ? refusals[why].word : "unknown";
}

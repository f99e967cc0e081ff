/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Option tables of verbs. The tables are used to parse arguments, and to generate help texts, the
 * SYNOPSIS of manual pages, and shell completions (user/completion/generate.pl).
 */
#ifndef FARGS_CMD_OPTIONS_PARSE_H
#define FARGS_CMD_OPTIONS_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/list.h"

/* How an option is handled. */
enum fargs_option_kind {
	FARGS_OPTION_CALL,	/* calls @take of struct fargs_option */
	FARGS_OPTION_FLAG,	/* sets a bool */
	FARGS_OPTION_TEXT,	/* sets a const char *; if repeated, the last value counts */
	FARGS_OPTION_LIST,	/* adds to a struct fargs_list */
	FARGS_OPTION_HELP,	/* prints the help of the verb */
};

/* Bits of the member flags of struct fargs_option. */
enum {
	FARGS_OPTION_ATTACHED = 1,	/* the argument must be given as --NAME=ARG */
	FARGS_OPTION_OPTIONAL = 2,	/* with FARGS_OPTION_ATTACHED: argument may be omitted */
	FARGS_OPTION_REPEATS = 4,	/* may be given several times */
	FARGS_OPTION_UNNAMED = 8,	/* print errors of @take without the option's name */
};

/* Kinds of words that shells offer as completions of an option's argument. */
enum fargs_option_offer {
	FARGS_OFFER_NOTHING,
	FARGS_OFFER_WORDS,	/* the words in @words of struct fargs_option */
	FARGS_OFFER_FILES,
	FARGS_OFFER_DIRECTORIES,
	FARGS_OFFER_FUNCTIONS,
	FARGS_OFFER_SELECTORS,	/* functions, with their arguments and members */
	FARGS_OFFER_TPOINTS,	/* tracepoints, with their arguments and members */
	FARGS_OFFER_EVENTS,
	FARGS_OFFER_CPUS,
	FARGS_OFFER_PIDS,
	FARGS_OFFER_USERS,
	FARGS_OFFER_DLFILTERS,
	FARGS_OFFERS,
};

struct fargs_option {
	char letter;		/* letter of the short option; '\0': none */
	const char *name;	/* name of the long option, without "--"; NULL: none */
	const char *arg;	/* name of the argument in the help; NULL: no argument */
	const char *help;	/* text for the help, without line breaks */
	unsigned int flags;
	enum fargs_option_offer offer;
	const char *words;	/* words for FARGS_OFFER_WORDS, separated by blanks */
	enum fargs_option_kind kind;
	size_t at;		/* offset of the option's value in the group's struct */
	/*
	 * Handles the option's value; @value is NULL if the value was omitted. @to is the group's
	 * struct. Returns 0, or -errno with @err; an empty @err means out of memory.
	 */
	int (*take)(void *to, const char *value, struct fargs_error_text *err);
};

/* Terminates a table. */
#define FARGS_OPTION_END	{ }

/* Offset of @field in struct @type; fails to compile unless the field has type @of. */
#define FARGS_OPTION_AT(type, field, of) \
	(offsetof(type, field) + 0 * sizeof((of *)NULL == &((type *)NULL)->field))
#define FARGS_OPTION_SETS(type, field) \
	.kind = FARGS_OPTION_FLAG, .at = FARGS_OPTION_AT(type, field, bool)
#define FARGS_OPTION_KEEPS(type, field) \
	.kind = FARGS_OPTION_TEXT, .at = FARGS_OPTION_AT(type, field, const char *)
#define FARGS_OPTION_ADDS(type, field) \
	.kind = FARGS_OPTION_LIST, .at = FARGS_OPTION_AT(type, field, struct fargs_list), \
	.flags = FARGS_OPTION_REPEATS

/* A group of options under a title in the help. Several verbs may share a group. */
struct fargs_option_group {
	const char *title;	/* NULL: a hidden group, whose options are refused with a reason */
	const struct fargs_option *options;	/* NULL: marks the end of an array of groups */
	size_t at;		/* offset of the group's struct within the verb's struct */
	/* NULL, or why these options are refused; printed after the option's name. */
	const char *refusal;
};

struct fargs_verb {
	const char *name;
	const char *what;	/* what the verb does, in one line of the list of verbs */
	/*
	 * Lines of the usage, without "fargs VERB ". "[OPTION...]" represents the options that the
	 * line omits.
	 */
	const char *usage;
	const char *about;	/* help text of several lines, without a newline at the end */
	void (*notes)(void);	/* NULL, or prints more help after @about */
	/* Parsing of options ends at the first operand, which is the name of a command to run. */
	bool is_in_front;
	const struct fargs_option_group *groups;
	/* Runs the verb; argv[0] is its name. Returns the exit status. */
	int (*run)(int argc, char **argv);
};

/* Operands: arguments that are not options. */
struct fargs_operands {
	char **words;
	int nr;
	bool is_marked;		/* the operands follow "--" */
};

enum fargs_parsed {
	FARGS_PARSED,
	FARGS_PARSED_WRONG,	/* an error was printed: exit status 1 */
	FARGS_PARSED_HELP,	/* the help was printed: exit status 0 */
};

/*
 * Parses the arguments of @verb, whose name is argv[0], into @to, the verb's struct. The caller
 * must free the lists in @to even after an error. The result refers to the strings in @argv.
 * Unless @verb->is_in_front is set, overwrites the array @argv with the operands.
 */
enum fargs_parsed fargs_options_parse(const struct fargs_verb *verb, void *to, int argc,
				      char **argv, struct fargs_operands *operands);

/*
 * Returns the operand if there is exactly one; otherwise prints an error (@none, if there is no
 * operand) and returns NULL.
 */
const char *fargs_operands_file(const struct fargs_operands *operands,
				const struct fargs_verb *verb, const char *none);

/* Prints the help of @verb on stdout. */
void fargs_options_help(const struct fargs_verb *verb);

/*
 * Prints the option table of @verb for programs, as lines of tab-separated fields: "verb", NAME,
 * WHAT; "usage", VERB, LINE; "option", VERB, LETTER, NAME, ARG, FLAGS, OFFER, WORDS, HELP. An empty
 * field is printed as "-". FLAGS consists of "=" (attached), "?" (optional) and "+" (repeats).
 */
void fargs_options_dump(const struct fargs_verb *verb);

#endif

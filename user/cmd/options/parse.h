/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Option tables of verbs. Arguments are parsed by them, and help texts, the SYNOPSIS of manual
 * pages and shell completions (user/completion/generate.pl) are generated from them.
 */
#ifndef FARGS_CMD_OPTIONS_PARSE_H
#define FARGS_CMD_OPTIONS_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/list.h"

/* How an option is handled. */
enum fargs_option_kind {
	FARGS_OPTION_CALL,	/* calls take() */
	FARGS_OPTION_FLAG,	/* sets a bool */
	FARGS_OPTION_TEXT,	/* sets a const char *: the last value counts */
	FARGS_OPTION_LIST,	/* adds to a struct fargs_list */
	FARGS_OPTION_HELP,	/* prints the help of the verb */
};

/* Flags of an option. */
enum {
	FARGS_OPTION_ATTACHED = 1,	/* only as --NAME=ARG, never as the next word; no letter */
	FARGS_OPTION_OPTIONAL = 2,	/* ATTACHED, and the argument may be omitted */
	FARGS_OPTION_REPEATS = 4,	/* may be given several times */
	FARGS_OPTION_UNNAMED = 8,	/* errors of take() do not name the option */
};

/* What shells complete as the argument. */
enum fargs_option_offer {
	FARGS_OFFER_NOTHING,
	FARGS_OFFER_WORDS,	/* the words member of struct fargs_option */
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
	char letter;		/* '\0': none */
	const char *name;	/* without "--"; NULL: none */
	const char *arg;	/* placeholder of the argument; NULL: no argument */
	const char *help;	/* without line breaks */
	unsigned int flags;
	enum fargs_option_offer offer;
	const char *words;	/* for FARGS_OFFER_WORDS, separated by blanks */
	enum fargs_option_kind kind;
	size_t at;		/* offset of the value in the group's struct */
	/*
	 * Handles @value, NULL if omitted; @to is the group's struct. Returns 0, or a negative
	 * errno with @err; an empty @err means out of memory.
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

/* A group of options under a title of the help. Verbs may share groups. */
struct fargs_option_group {
	const char *title;	/* NULL: hidden, accepted only to be refused with a reason */
	const struct fargs_option *options;	/* NULL terminates the groups */
	size_t at;		/* offset of the group's struct in the verb's */
	const char *refusal;	/* error for these options, appended to the name; NULL: accepted */
};

struct fargs_verb {
	const char *name;
	const char *what;	/* one line, for the list of verbs */
	/*
	 * Lines that follow "fargs VERB "; "[OPTION...]" stands for options that are not in the
	 * line.
	 */
	const char *usage;
	const char *about;	/* for the help: lines, without a line break at the end */
	void (*notes)(void);	/* prints further help after that; NULL: none */
	/* Options end at the first operand, which begins a command. */
	bool is_in_front;
	const struct fargs_option_group *groups;
	/* argv[0] is the verb. Returns the exit status. */
	int (*run)(int argc, char **argv);
};

/* Arguments that are not options. */
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
 * Parses the arguments of @verb, whose name is argv[0], into @to, the verb's struct. Lists in it
 * belong to the caller in any case. The result refers to the strings of @argv; unless the verb
 * is_in_front, the array @argv itself is overwritten with @operands.
 */
enum fargs_parsed fargs_options_parse(const struct fargs_verb *verb, void *to, int argc,
				      char **argv, struct fargs_operands *operands);

/*
 * Returns the only operand; otherwise prints an error (@none, if there is no operand) and returns
 * NULL.
 */
const char *fargs_operands_file(const struct fargs_operands *operands,
				const struct fargs_verb *verb, const char *none);

/* Prints the help of @verb on stdout. */
void fargs_options_help(const struct fargs_verb *verb);

/*
 * Prints the option table of @verb for programs: lines of tab-separated fields: "verb", NAME, WHAT;
 * "usage", VERB, LINE; "option", VERB, LETTER, NAME, ARG, FLAGS, OFFER, WORDS, HELP. "-" stands for
 * an empty field. FLAGS consists of "=" (attached), "?" (optional) and "+" (repeats).
 */
void fargs_options_dump(const struct fargs_verb *verb);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints option tables, as help for people and as tab-separated fields for programs.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/options/parse.h"

#define WIDTH		80
#define TEXT_COLUMN	26
/*
 * Maximum length of an option's names: if they are longer, the help text starts on the next line.
 */
#define NAMES_MAX	(TEXT_COLUMN - 2)

static bool is_end(const struct fargs_option *option)
{
	return !option->letter && !option->name;
}

/* Prints the names of @o, such as "  -C, --cpu CPU" or "      --stack[=N]". */
static int print_names(const struct fargs_option *o)
{
	char names[256];
	const char *arg = o->arg ? o->arg : "", *before = "", *after = "";

	if (o->arg && o->flags & FARGS_OPTION_OPTIONAL)
		before = "[=", after = "]";
	else if (o->arg)
		before = o->flags & FARGS_OPTION_ATTACHED ? "=" : " ";
	if (!o->name)
		snprintf(names, sizeof(names), "  -%c%s%s%s", o->letter, before, arg, after);
	else if (!o->letter)
		snprintf(names, sizeof(names), "      --%s%s%s%s", o->name, before, arg, after);
	else
		snprintf(names, sizeof(names), "  -%c, --%s%s%s%s", o->letter, o->name, before, arg,
			 after);
	return printf("%s", names);
}

/* Returns the length of the word at @text; text in single quotes counts as one word. */
static int word_len(const char *text)
{
	const char *end = text[0] == '\'' ? strchr(text + 1, '\'') : NULL;

	return (end ? end - text : 0) + strcspn(end ? end : text, " ");
}

/* Prints @text wrapped between words to WIDTH columns. @column: the current column. */
static void print_text(const char *text, int column)
{
	int len;

	if (column > NAMES_MAX) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", TEXT_COLUMN - column, "");
	column = TEXT_COLUMN;
	while (*text) {
		len = word_len(text);
		if (column > TEXT_COLUMN && column + 1 + len > WIDTH) {
			printf("\n%*s", TEXT_COLUMN, "");
			column = TEXT_COLUMN;
		} else if (column > TEXT_COLUMN) {
			putchar(' ');
			column++;
		}
		printf("%.*s", len, text);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

/* Prints one usage line per form of the command. */
static void print_usage(const struct fargs_verb *verb)
{
	const char *line = verb->usage, *word = "Usage:";
	int len;

	while (*line) {
		len = strcspn(line, "\n");
		printf("%s fargs %s %.*s\n", word, verb->name, len, line);
		word = "      ";
		line += len + !!line[len];
	}
}

void fargs_options_help(const struct fargs_verb *verb)
{
	const struct fargs_option_group *group;
	const struct fargs_option *option;
	const char *title = "";

	print_usage(verb);
	printf("\n%s\n", verb->about);
	if (verb->notes)
		verb->notes();
	for (group = verb->groups; group->options; group++) {
		if (!group->title)
			continue;
		/* Consecutive groups with the same title share a heading. */
		if (strcmp(title, group->title))
			printf("\n%s:\n", group->title);
		title = group->title;
		for (option = group->options; !is_end(option); option++)
			print_text(option->help, print_names(option));
	}
}

static const char *or_none(const char *text)
{
	return text && *text ? text : "-";
}

static void dump_option(const struct fargs_verb *verb, const struct fargs_option *o)
{
	static const char *const offers[FARGS_OFFERS] = {
		[FARGS_OFFER_NOTHING] = "nothing",
		[FARGS_OFFER_WORDS] = "words",
		[FARGS_OFFER_FILES] = "files",
		[FARGS_OFFER_DIRECTORIES] = "directories",
		[FARGS_OFFER_FUNCTIONS] = "functions",
		[FARGS_OFFER_SELECTORS] = "selectors",
		[FARGS_OFFER_TPOINTS] = "tracepoints",
		[FARGS_OFFER_EVENTS] = "events",
		[FARGS_OFFER_CPUS] = "cpus",
		[FARGS_OFFER_PIDS] = "pids",
		[FARGS_OFFER_USERS] = "users",
		[FARGS_OFFER_DLFILTERS] = "dlfilters",
	};
	const char letter[] = { o->letter, '\0' };
	char flags[4];

	snprintf(flags, sizeof(flags), "%s%s%s", o->flags & FARGS_OPTION_ATTACHED ? "=" : "",
		 o->flags & FARGS_OPTION_OPTIONAL ? "?" : "",
		 o->flags & FARGS_OPTION_REPEATS ? "+" : "");
	printf("option\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", verb->name, or_none(letter),
	       or_none(o->name), or_none(o->arg), or_none(flags), offers[o->offer],
	       or_none(o->words), o->help);
}

void fargs_options_dump(const struct fargs_verb *verb)
{
	const struct fargs_option_group *group;
	const struct fargs_option *option;
	const char *line = verb->usage;
	int len;

	printf("verb\t%s\t%s\n", verb->name, verb->what);
	while (*line) {
		len = strcspn(line, "\n");
		printf("usage\t%s\t%.*s\n", verb->name, len, line);
		line += len + !!line[len];
	}
	for (group = verb->groups; group->options; group++)
		for (option = group->options; group->title && !is_end(option); option++)
			dump_option(verb, option);
}

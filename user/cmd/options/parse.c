// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/parse.h"

#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "cmd/screen/cmd.h"

/* Room for "--" and the name of an option. */
#define NAME_BYTES	64

struct parser {
	const struct fargs_verb *verb;
	void *to;
	char **argv;
	int argc;
	int next;		/* index in @argv of the next word to parse */
};

/* An option found on the command line. */
struct given {
	const struct fargs_option *option;
	const struct fargs_option_group *group;
	char name[NAME_BYTES];	/* full name with dashes, for messages */
};

static bool is_end(const struct fargs_option *option)
{
	return !option->letter && !option->name;
}

static bool find_letter(const struct fargs_verb *verb, char letter, struct given *given)
{
	const struct fargs_option_group *group;
	const struct fargs_option *option;

	for (group = verb->groups; group->options; group++)
		for (option = group->options; !is_end(option); option++) {
			if (option->letter != letter)
				continue;
			*given = (struct given){ .option = option, .group = group };
			snprintf(given->name, sizeof(given->name), "-%c", letter);
			return true;
		}
	return false;
}

/*
 * Finds the option @name, which has @len bytes: an exact match, or the only visible option that
 * begins with @name. Otherwise sets @begins to the visible options that begin with @name, at most
 * FARGS_NEAR_MAX of them.
 */
static bool find_name(const struct fargs_verb *verb, const char *name, size_t len,
		      struct given *given, struct fargs_near *begins)
{
	const struct fargs_option_group *group;
	const struct fargs_option *option;
	bool is_exact = false;

	*given = (struct given){ };
	for (group = verb->groups; group->options && !is_exact; group++)
		for (option = group->options; !is_end(option) && !is_exact; option++) {
			if (!option->name || strncmp(option->name, name, len))
				continue;
			is_exact = !option->name[len];
			if (!is_exact && !group->title)
				continue;
			given->option = option;
			given->group = group;
			if (begins->nr < FARGS_NEAR_MAX)
				begins->names[begins->nr++] = option->name;
		}
	if (!is_exact && begins->nr != 1)
		return false;
	snprintf(given->name, sizeof(given->name), "--%s", given->option->name);
	return true;
}

/* Reports that the option @word is unknown. @near: similar names to suggest. */
static int fail_unknown(const struct parser *p, const char *word, const struct fargs_near *near)
{
	char names[4 * NAME_BYTES];

	if (!near->nr)
		return cmd_usage_fail(p->verb->name, "there is no option '%s'", word);
	fargs_near_text(near, names, sizeof(names));
	return cmd_usage_fail(p->verb->name, "there is no option '%s': did you mean %s?", word,
			      names);
}

static int fail_name(const struct parser *p, const char *word, const struct fargs_near *begins)
{
	struct fargs_near near = { .prefix = "--" };
	const struct fargs_option_group *group;
	const struct fargs_option *option;
	char name[NAME_BYTES];

	if (begins->nr)
		return fail_unknown(p, word, begins);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	near.wanted = name;
	for (group = p->verb->groups; group->options; group++)
		for (option = group->options; group->title && !is_end(option); option++)
			if (option->name)
				fargs_near_offer(&near, option->name);
	return fail_unknown(p, word, &near);
}

/* Reports that @letter in @word is not an option; possibly @word lacks a second dash. */
static int fail_letter(const struct parser *p, const char *word, char letter)
{
	struct fargs_near begins = { }, near = { .prefix = "--" };
	size_t len = strcspn(word + 1, "=");
	const char name[] = { '-', letter, '\0' };
	struct given given;

	if (len > 1 && find_name(p->verb, word + 1, len, &given, &begins) &&
	    !given.option->name[len])
		near.names[near.nr++] = given.option->name;
	return fail_unknown(p, name, &near);
}

static int call(const struct parser *p, const struct given *given, void *to, const char *value)
{
	struct fargs_error_text err = { "" };

	if (!given->option->take(to, value, &err))
		return 0;
	if (!err.text[0])
		return cmd_fail("no memory for options");
	if (given->option->flags & FARGS_OPTION_UNNAMED)
		return cmd_usage_fail(p->verb->name, "%s", err.text);
	return cmd_usage_fail(p->verb->name, "'%s': %s", given->name, err.text);
}

static int take(const struct parser *p, const struct given *given, const char *value)
{
	char *to = (char *)p->to + given->group->at;
	const struct fargs_option *option = given->option;

	if (given->group->refusal)
		return cmd_usage_fail(p->verb->name, "'%s' %s", given->name, given->group->refusal);
	switch (option->kind) {
	case FARGS_OPTION_CALL:
		return call(p, given, to, value);
	case FARGS_OPTION_FLAG:
		*(bool *)(to + option->at) = true;
		return 0;
	case FARGS_OPTION_TEXT:
		*(const char **)(to + option->at) = value;
		return 0;
	case FARGS_OPTION_LIST:
		if (fargs_list_add((struct fargs_list *)(to + option->at), value))
			return cmd_fail("no memory for options");
		return 0;
	case FARGS_OPTION_HELP:
		break;
	}
	fargs_options_help(p->verb);
	return FARGS_PARSED_HELP;
}

/* Returns the next word of the command line, or NULL if there is none. */
static const char *next_word(struct parser *p)
{
	return p->next < p->argc ? p->argv[p->next++] : NULL;
}

/* Handles a long option: "--NAME", "--NAME=VALUE" or "--NAME VALUE". */
static int take_name(struct parser *p, const char *word)
{
	size_t len = strcspn(word + 2, "=");
	const char *value = word[2 + len] ? word + 2 + len + 1 : NULL;
	struct fargs_near begins = { .prefix = "--" };
	struct given given;

	if (!find_name(p->verb, word + 2, len, &given, &begins))
		return fail_name(p, word, &begins);
	if (!given.option->arg && value)
		return cmd_usage_fail(p->verb->name, "'%s' takes no value", given.name);
	if (!given.option->arg || value || given.option->flags & FARGS_OPTION_OPTIONAL)
		return take(p, &given, value);
	if (given.option->flags & FARGS_OPTION_ATTACHED)
		return cmd_usage_fail(p->verb->name, "'%s' needs a value: write "
				      "'%s=%s'", given.name,
				      given.name, given.option->arg);
	value = next_word(p);
	return value ? take(p, &given, value) :
		       cmd_usage_fail(p->verb->name, "'%s' needs a value", given.name);
}

/* Handles short options: "-a", "-abc", "-fVALUE" or "-f VALUE". */
static int take_letters(struct parser *p, const char *word)
{
	const char *at, *value;
	struct given given;
	int ret = 0;

	for (at = word + 1; *at && !ret; at++) {
		if (!find_letter(p->verb, *at, &given))
			return fail_letter(p, word, *at);
		if (!given.option->arg) {
			ret = take(p, &given, NULL);
			continue;
		}
		value = at[1] ? at + 1 : next_word(p);
		return value ? take(p, &given, value) :
			       cmd_usage_fail(p->verb->name, "'%s' needs a value", given.name);
	}
	return ret;
}

enum fargs_parsed fargs_options_parse(const struct fargs_verb *verb, void *to, int argc,
				      char **argv, struct fargs_operands *operands)
{
	struct parser p = { .verb = verb, .to = to, .argv = argv, .argc = argc, .next = 1 };
	char **operand = argv + 1;
	const char *word;
	int ret = 0;

	*operands = (struct fargs_operands){ .words = argv + 1 };
	while (!ret && p.next < argc) {
		word = argv[p.next++];
		if (word[0] == '-' && word[1] == '-' && !word[2]) {
			operands->is_marked = operand == argv + 1;
			break;
		}
		if (word[0] == '-' && word[1]) {
			ret = word[1] == '-' ? take_name(&p, word) : take_letters(&p, word);
			continue;
		}
		if (verb->is_in_front) {
			p.next--;
			break;
		}
		*operand++ = argv[p.next - 1];
	}
	if (verb->is_in_front) {
		operands->words = argv + p.next;
		operands->nr = argc - p.next;
		return ret;
	}
	while (p.next < argc)
		*operand++ = argv[p.next++];
	operands->nr = operand - operands->words;
	return ret;
}

const char *fargs_operands_file(const struct fargs_operands *operands,
				const struct fargs_verb *verb, const char *none)
{
	if (operands->nr == 1)
		return operands->words[0];
	if (operands->nr)
		cmd_usage_fail(verb->name, "only one file can be given: unexpected argument '%s'",
			       operands->words[1]);
	else
		cmd_usage_fail(verb->name, "%s", none);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extra.h"

/* Reads NAME=NUMBER, if it is there. Returns false if it is no number. */
static bool get_number(char **words, unsigned int nr, const char *name, bool *has, uint64_t *value)
{
	const char *text = parse_value(words, nr, name);
	char *end;

	*has = text;
	if (!text)
		return true;
	*value = strtoull(text, &end, 0);
	return end != text && !*end;
}

static const char *get_vector(struct machine_target *target, char **words, unsigned int nr)
{
	uint64_t vector;
	bool has;

	target->vector = -1;
	if (!get_number(words, nr, "vector", &has, &vector) || (has && vector > 255))
		return "a vector is 0 to 255";
	if (has)
		target->vector = (int64_t)vector;
	return NULL;
}

/* Reads [ADDRESS] NAME=VALUE... */
static const char *get_target(struct machine *m, struct machine_target *target, char **words,
			      unsigned int nr)
{
	uint64_t cpl = 0, is_if = 0, off = 0;

	memset(target, 0, sizeof(*target));
	if (nr && !strchr(words[0], '=')) {
		target->has_ip = true;
		if (!code_address(&m->code, words[0], &target->ip))
			return "the label does not exist";
	}
	if (!get_number(words, nr, "cr3", &target->has_cr3, &target->cr3) ||
	    !get_number(words, nr, "vmcs", &target->has_vmcs, &target->vmcs) ||
	    !get_number(words, nr, "cpl", &target->has_cpl, &cpl) ||
	    !get_number(words, nr, "if", &target->has_if, &is_if) ||
	    !get_number(words, nr, "off", &target->is_entry_off, &off) ||
	    !get_number(words, nr, "cr2", &target->has_pfa, &target->pfa) ||
	    !get_number(words, nr, "reason", &target->has_reason, &target->reason) ||
	    !get_number(words, nr, "qual", &target->has_qualification, &target->qualification))
		return "a value is no number";
	target->cpl = (unsigned int)cpl;
	target->is_if = is_if;
	return get_vector(target, words, nr);
}

static const char *do_start(struct machine *m, char **words, unsigned int nr)
{
	uint64_t ip;

	if (nr < 2 || !code_address(&m->code, words[1], &ip))
		return "start LABEL [off]";
	return machine_start(m, ip, nr < 3 || strcmp(words[2], "off") != 0);
}

static const char *do_run(struct machine *m, char **words, unsigned int nr)
{
	uint64_t ip = 0;

	if (nr > 1 && !code_address(&m->code, words[1], &ip))
		return "the label does not exist";
	return machine_run(m, nr > 1, ip);
}

/* jcc TNNT...: T: taken, N: not taken */
static const char *do_jcc(struct machine *m, char **words, unsigned int nr)
{
	const char *at, *error = NULL;

	for (at = nr == 2 ? words[1] : "?"; *at && !error; at++)
		error = *at != 'T' && *at != 'N' ? "jcc is followed by the letters T and N" :
						   machine_branch(m, *at == 'T');
	return error;
}

static const char *do_to(struct machine *m, char **words, unsigned int nr)
{
	struct machine_target target;
	const char *error = get_target(m, &target, words + 1, nr - 1);

	return error ? error : machine_to(m, &target);
}

/* ptwrite VALUE: up to and including the next PTWRITE. */
static const char *do_ptwrite(struct machine *m, char **words, unsigned int nr)
{
	return nr == 2 ? machine_ptwrite(m, strtoull(words[1], NULL, 0)) : "ptwrite VALUE";
}

static const char *do_event(struct machine *m, char **words, unsigned int nr)
{
	static const struct { const char *word; enum machine_event event; } events[] = {
		{ "irq", MACHINE_INTERRUPT }, { "vmexit", MACHINE_VMEXIT }, { "smi", MACHINE_SMI },
		{ "abort", MACHINE_ABORT }, { "uintr", MACHINE_UINTR },
		{ "init", MACHINE_INIT }, { "sipi", MACHINE_SIPI },
	};
	struct machine_target target;
	const char *error = get_target(m, &target, words + 1, nr - 1);
	unsigned int i;

	if (error)
		return error;
	for (i = 0; strcmp(events[i].word, words[0]);)
		i++;
	if (!target.has_ip && events[i].event != MACHINE_ABORT && events[i].event != MACHINE_INIT)
		return "the target is missing";
	return machine_event(m, events[i].event, &target);
}

static const char *do_control(struct machine *m, char **words, unsigned int nr)
{
	if (!strcmp(words[0], "on"))
		return machine_trace(m, true);
	if (!strcmp(words[0], "off"))
		return machine_trace(m, false);
	if (!strcmp(words[0], "psb"))
		return machine_psb(m);
	if (!strcmp(words[0], "lose"))
		return machine_lose(m);
	return machine_recover(m, nr > 1 && !strcmp(words[1], "off"));
}

static uint64_t number_of(char **words, unsigned int nr, const char *name, uint64_t other)
{
	const char *text = parse_value(words, nr, name);

	return text ? strtoull(text, NULL, 0) : other;
}

static const char *do_sleep(struct machine *m, char **words, unsigned int nr)
{
	const struct code_insn *insn = code_find(&m->code, m->ip);
	struct extra_sleep sleep = {
		.is_mwait = insn && insn->kind == CODE_MWAIT,
		.is_hw = number_of(words, nr, "hw", 0),
		.hints = (uint32_t)number_of(words, nr, "hints", 0),
		.extensions = (uint32_t)number_of(words, nr, "ext", 0),
		.state = (uint8_t)number_of(words, nr, "state", 1),
		.sub_state = (uint8_t)number_of(words, nr, "sub", 0),
		.last = (uint8_t)number_of(words, nr, "last", 1),
		.deepest = (uint8_t)number_of(words, nr, "deepest", 1),
		.reason = (enum packet_wake)number_of(words, nr, "wake", PACKET_WAKE_INTERRUPT),
		.ticks = number_of(words, nr, "ticks", 1000),
	};

	return extra_sleep(m, &sleep);
}

static const char *do_number(struct machine *m, char **words, unsigned int nr)
{
	uint64_t number;
	char *end;

	if (nr != 2)
		return "a number is missing";
	number = strtoull(words[1], &end, 0);
	if (*end)
		return "it is no number";
	if (!strcmp(words[0], "ratio"))
		return extra_ratio(m, (unsigned int)number);
	return !strcmp(words[0], "mnt") ? extra_mnt(m, number) : extra_wait(m, number);
}

/* tsc offset=N multiplier=N: of guests. */
static const char *do_tsc(struct machine *m, char **words, unsigned int nr)
{
	struct timing *timing = &m->order.stream.timing;
	const char *offset = parse_value(words, nr, "offset");

	if (!m->is_started || m->cpu.is_guest)
		return "a guest's TSC is set after start, outside guests";
	if (offset)
		timing->offset = strtoll(offset, NULL, 0);
	timing->multiplier = number_of(words, nr, "multiplier", timing->multiplier);
	return NULL;
}

/* pebs TYPE/SIZE ID=VALUE... TYPE/SIZE ...: blocks and their items. */
static const char *do_pebs(struct machine *m, char **words, unsigned int nr)
{
	const char *error = NULL;
	unsigned long first;
	unsigned int i;
	char *end;

	for (i = 1; i < nr && !error; i++) {
		first = strtoul(words[i], &end, 0);
		if (*end == '/')
			error = extra_pebs_block(m, (uint8_t)first,
						 (unsigned int)strtoul(end + 1, NULL, 0));
		else if (*end == '=')
			error = extra_pebs_item(m, (uint8_t)first, strtoull(end + 1, NULL, 0));
		else
			error = "pebs TYPE/SIZE ID=VALUE...";
	}
	return error ? error : extra_pebs_end(m);
}

static const char *do_code(struct machine *m, char **words, unsigned int nr)
{
	uint64_t bits = nr > 2 ? strtoull(words[2], NULL, 0) : 64;

	if (nr < 2 || (bits != 16 && bits != 32 && bits != 64))
		return "code ADDRESS [16|32|64]";
	code_org(&m->code, strtoull(words[1], NULL, 0), (unsigned int)bits);
	return NULL;
}

static const struct command {
	const char *word;
	const char *(*run)(struct machine *m, char **words, unsigned int nr);
} commands[] = {
	{ "set", parse_set }, { "filter", parse_range }, { "stop", parse_range },
	{ "code", do_code }, { "start", do_start }, { "run", do_run }, { "jcc", do_jcc },
	{ "to", do_to }, { "ptwrite", do_ptwrite }, { "irq", do_event }, { "vmexit", do_event },
	{ "smi", do_event }, { "abort", do_event }, { "uintr", do_event }, { "init", do_event },
	{ "sipi", do_event }, { "on", do_control }, { "off", do_control }, { "psb", do_control },
	{ "lose", do_control }, { "recover", do_control }, { "sleep", do_sleep },
	{ "ratio", do_number }, { "mnt", do_number }, { "wait", do_number }, { "tsc", do_tsc },
	{ "pebs", do_pebs },
};

static const char *run_words(struct parse *parse, char **words, unsigned int nr)
{
	unsigned int i;

	if (parse->is_in_code && strcmp(words[0], "end") != 0)
		return parse_code(parse->m, words, nr);
	if (parse->is_in_code) {
		parse->is_in_code = false;
		return NULL;
	}
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].word, words[0]))
			continue;
		parse->is_in_code = commands[i].run == do_code;
		return commands[i].run(parse->m, words, nr);
	}
	return "unknown command";
}

static const char *run_line(struct parse *parse, char *line)
{
	char *words[PARSE_WORDS], *word, *save;
	unsigned int nr = 0;

	line[strcspn(line, "#")] = '\0';
	for (word = strtok_r(line, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		if (nr == PARSE_WORDS)
			return "too many words";
		words[nr++] = word;
	}
	return nr ? run_words(parse, words, nr) : NULL;
}

bool parse_text(struct parse *parse, char *text)
{
	const char *error = NULL;
	char *line, *next;

	parse->line = 0;
	for (line = text; line && !error; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		parse->line++;
		error = run_line(parse, line);
	}
	if (!error && parse->is_in_code)
		error = "code without end";
	if (error)
		snprintf(parse->error, sizeof(parse->error), "line %u: %s", parse->line, error);
	else
		machine_end(parse->m);
	return !error;
}

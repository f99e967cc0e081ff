// SPDX-License-Identifier: GPL-2.0-only
/* The lines of a description that come before its execution: options, address ranges, code. */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

const char *parse_value(char **words, unsigned int nr, const char *name)
{
	size_t size = strlen(name);
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (!strncmp(words[i], name, size) && words[i][size] == '=')
			return words[i] + size + 1;
	return NULL;
}

static const char *const errata[] = {
	"bdm64", "bdm70", "skd007", "skd010", "skd022", "skl014", "skl168", "apl11", "apl12",
	"skz84",
};

static const char *set_erratum(struct machine *m, const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(errata) / sizeof(errata[0]); i++) {
		if (strcmp(errata[i], name))
			continue;
		m->config.order.errata |= 1u << i;
		return NULL;
	}
	return "unknown erratum";
}

static bool *flag_of(struct machine_config *config, const char *name)
{
	const struct { const char *name; bool *flag; } flags[] = {
		{ "branch", &config->order.has_branch }, { "ptw", &config->order.has_ptw },
		{ "fup_on_ptw", &config->order.has_fup_on_ptw },
		{ "power", &config->order.has_power }, { "event", &config->order.has_event },
		{ "has_tsx", &config->order.has_tsx }, { "user", &config->has_user },
		{ "os", &config->has_os }, { "retcomp", &config->has_ret_compression },
		{ "notnt", &config->stream.has_no_tnt }, { "defer", &config->stream.is_deferring },
		{ "random_ip", &config->stream.is_ip_random }, { "tsc", &config->timing.has_tsc },
		{ "mtc", &config->timing.has_mtc }, { "cyc", &config->timing.has_cyc },
	};
	unsigned int i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (!strcmp(flags[i].name, name))
			return flags[i].flag;
	return NULL;
}

static const char *set_tnt(struct machine *m, const char *value)
{
	static const char *const names[] = { "auto", "short", "long", "random" };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (strcmp(names[i], value))
			continue;
		m->config.stream.tnt = i;
		return NULL;
	}
	return "tnt is auto, short, long or random";
}

static const char *set_number(struct machine *m, const char *name, uint64_t value)
{
	struct timing_config *timing = &m->config.timing;

	if (!strcmp(name, "seed"))
		m->config.stream.seed = (uint32_t)value;
	else if (!strcmp(name, "mtc_period") && value < 16)
		timing->mtc_period = (unsigned int)value;
	else if (!strcmp(name, "cyc_thresh") && value < 16)
		timing->cyc_threshold = value ? 1ull << (value - 1) : 0;
	else if (!strcmp(name, "nominal") && value && value < 256)
		timing->nominal = (unsigned int)value;
	else if (!strcmp(name, "cbr") && value && value < 256)
		timing->cbr = (unsigned int)value;
	else if (!strcmp(name, "ctc_eax") && value && value < 1000)
		timing->ctc_eax = (unsigned int)value;
	else if (!strcmp(name, "ctc_ebx") && value && value < 1000000)
		timing->ctc_ebx = (unsigned int)value;
	else if (!strcmp(name, "tsc0"))
		timing->tsc = value;
	else if (!strcmp(name, "cycles") && value && value < 1000000)
		m->config.cycles_per_insn = (unsigned int)value;
	else if (!strcmp(name, "psb_period"))
		m->config.psb_period = value;
	else if (!strcmp(name, "cr3"))
		m->cpu.cr3 = value;
	else if (!strcmp(name, "cr3_match"))
		m->config.cr3_match = value;
	else if (!strcmp(name, "vmcs"))
		m->cpu.vmcs = value;
	else if (!strcmp(name, "cpl") && value < 4)
		m->cpl = (unsigned int)value;
	else if (!strcmp(name, "if") && value < 2)
		m->cpu.is_if = value;
	else
		return "unknown option, or a bad value";
	if (!strcmp(name, "cr3_match"))
		m->config.has_cr3_match = true;
	return NULL;
}

static const char *set_cpu(struct machine *m, const char *value)
{
	char *end;

	m->config.family = (unsigned int)strtoul(value, &end, 0);
	if (*end != '/')
		return "a CPU is FAMILY/MODEL";
	m->config.model = (unsigned int)strtoul(end + 1, &end, 0);
	return *end ? "a CPU is FAMILY/MODEL" : NULL;
}

static const char *set_one(struct machine *m, char *word)
{
	char *value = strchr(word, '='), *end;
	bool *flag = flag_of(&m->config, value ? "" : word);
	uint64_t number;

	if (!value && !strncmp(word, "no-", 3))
		flag = flag_of(&m->config, word + 3);
	if (flag)
		*flag = strncmp(word, "no-", 3) != 0;
	if (!value)
		return flag ? NULL : "unknown option";
	*value++ = '\0';
	if (!strcmp(word, "erratum"))
		return set_erratum(m, value);
	if (!strcmp(word, "tnt"))
		return set_tnt(m, value);
	if (!strcmp(word, "cpu"))
		return set_cpu(m, value);
	number = strtoull(value, &end, 0);
	return *end || end == value ? "a value is no number" : set_number(m, word, number);
}

/* set OPTION... */
const char *parse_set(struct machine *m, char **words, unsigned int nr)
{
	const char *error = NULL;
	unsigned int i;

	if (m->is_started)
		return "options come before start";
	for (i = 1; i < nr && !error; i++)
		error = set_one(m, words[i]);
	return error;
}

/* filter FIRST LAST, stop FIRST LAST */
const char *parse_range(struct machine *m, char **words, unsigned int nr)
{
	struct machine_range *range = &m->config.ranges[m->config.nr_ranges];

	if (m->is_started || m->config.nr_ranges == MACHINE_RANGES || nr != 3)
		return "up to four ranges, each with its first and last address, come before start";
	if (!code_address(&m->code, words[1], &range->first) ||
	    !code_address(&m->code, words[2], &range->last))
		return "a label does not exist";
	range->is_stop = !strcmp(words[0], "stop");
	m->config.nr_ranges++;
	return NULL;
}

/* LABEL: or an instruction with its operand */
const char *parse_code(struct machine *m, char **words, unsigned int nr)
{
	const char *error = NULL;
	size_t size = strlen(words[0]);

	if (words[0][size - 1] == ':') {
		words[0][size - 1] = '\0';
		error = code_label(&m->code, words[0]);
		words++;
		nr--;
	}
	if (error || !nr)
		return error;
	if (nr > 2)
		return "more than one operand";
	return code_add(&m->code, words[0], nr == 2 ? words[1] : NULL);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a description of what was executed, and executes it. The language is in ../README. */
#ifndef SYNTH_PARSE_H
#define SYNTH_PARSE_H

#include "machine.h"

#define PARSE_WORDS	24

struct parse {
	struct machine *m;
	unsigned int line;
	bool is_in_code;
	char error[160];	/* empty: none */
};

/* Executes @text, which it changes. Returns false with an error in @parse. */
bool parse_text(struct parse *parse, char *text);

/* Executes a line of options or code (parse_setup.c). Returns NULL, or an error. */
const char *parse_set(struct machine *m, char **words, unsigned int nr);
const char *parse_range(struct machine *m, char **words, unsigned int nr);
const char *parse_code(struct machine *m, char **words, unsigned int nr);
/* Returns the value of NAME=VALUE among the words, or NULL. */
const char *parse_value(char **words, unsigned int nr, const char *name);

#endif

// SPDX-License-Identifier: GPL-2.0-only
#include "base/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *word)
{
	const char *c;

	for (c = word; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_-+=./:,@%", *c))
			return false;
	return c != word;
}

char *fargs_words_join(char *const *words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *c;

	if (!out)
		return NULL;
	for (; *words; words++) {
		if (is_plain(*words)) {
			fputs(*words, out);
		} else {
			putc('\'', out);
			for (c = *words; *c; c++) {
				if (*c == '\'')
					fputs("'\\''", out);
				else
					putc(*c, out);
			}
			putc('\'', out);
		}
		if (words[1])
			putc(' ', out);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

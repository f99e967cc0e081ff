// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/missing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int fargs_missing_add(struct fargs_missing *missing, const char *selector, const char *why)
{
	char *text, **to;
	size_t i;

	if (asprintf(&text, why ? "'%s' (%s)" : "'%s'", selector, why) < 0)
		return -ENOMEM;
	/* A selection may be tried twice. */
	for (i = 0; i < missing->nr; i++) {
		if (!strcmp(missing->texts[i], text)) {
			free(text);
			return 0;
		}
	}
	to = fargs_array_add(missing->texts, missing->nr);
	if (!to) {
		free(text);
		return -ENOMEM;
	}
	*to = text;
	return 0;
}

char *fargs_missing_text(const struct fargs_missing *missing)
{
	size_t i, bytes;
	char *text = NULL;
	FILE *out = open_memstream(&text, &bytes);

	for (i = 0; out && i < missing->nr; i++)
		fprintf(out, "%s%s", i ? ", " : "", missing->texts[i]);
	if (out && !fclose(out))
		return text;
	free(text);
	return NULL;
}

void fargs_missing_deinit(struct fargs_missing *missing)
{
	while (missing->nr)
		free(missing->texts[--missing->nr]);
	free(missing->texts);
	missing->texts = NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/redact.h"

#include <ctype.h>
#include <string.h>

#include "base/glob.h"
#include "model/event_record.h"
#include "model/formats.h"

#define WORD_BYTES	128

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool hides_word(const struct fargs_redact *r, const char *word)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (fargs_glob_match(r->patterns[i], word))
			return true;
	return false;
}

bool fargs_redact_hides(const struct fargs_redact *r, const char *name)
{
	char word[WORD_BYTES];
	size_t n;

	while (r->nr && *name) {
		for (n = 0; is_word_char(name[n]); n++)
			;
		if (!n) {
			name++;
			continue;
		}
		/* A word that is too long to compare is hidden. */
		if (n >= sizeof(word))
			return true;
		memcpy(word, name, n);
		word[n] = '\0';
		if (hides_word(r, word))
			return true;
		name += n;
	}
	return false;
}

struct search {
	const struct fargs_redact *redact;
	bool is_found;
};

static int search_field(void *arg, const struct fargs_field *field)
{
	struct search *s = arg;

	s->is_found |= fargs_redact_hides(s->redact, field->name);
	return 0;
}

bool fargs_redact_hides_text(const struct fargs_redact *r, struct fargs_decoder *d,
			     const struct fargs_event *ev)
{
	struct search s = { .redact = r };
	unsigned int i;

	if (!r->nr)
		return false;
	/* If the fields are not known, neither are their names. */
	if (ev->kind == FARGS_KIND_EVENT)
		return fargs_formats_fields(fargs_decoder_formats(d), &ev->formatted, search_field,
					    &s) || s.is_found;
	for (i = 0; i < ev->nr_args; i++)
		s.is_found |= fargs_redact_hides(r, ev->args[i].val.name);
	return s.is_found;
}

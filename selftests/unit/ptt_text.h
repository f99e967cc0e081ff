/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reduces the expected output of libipt's tools to what is compared with fargs.
 */
#ifndef SELFTESTS_PTT_TEXT_H
#define SELFTESTS_PTT_TEXT_H

#include "base/buf.h"
#include "unit/ptt.h"

/* Removes the offsets at the beginnings of lines. */
static void drop_offsets(char *text)
{
	char *to = text, *from = text;

	while (*from) {
		if (isxdigit(*from) && strspn(from, "0123456789abcdef") == 16 && from[16] == ' ')
			from += 17;
		while (*from && *from != '\n')
			*to++ = *from++;
		if (*from)
			*to++ = *from++;
	}
	*to = '\0';
}

/* Removes the estimate of the time after a packet, which follows its name and payload. */
static void drop_time(char *line)
{
	char *rest = line + strcspn(line, " "), *at;

	rest += rest[0] ? 1 + strcspn(rest + 1, " ") : 0;
	at = strstr(rest, " tsc ") ?: strstr(rest, " fcr ");
	if (at)
		*at = '\0';
}

/*
 * Writes the part of ptdump's output that is about packets: without estimates of the time (--time,
 * --tcal), errors of estimating it, and perf's sideband records (--sb).
 */
static void keep_packets(struct fargs_buf *out, char *text)
{
	char *line, *save;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strstr(line, "PERF_RECORD_") ||
		    (line[0] == '[' && (strstr(line, "calibration") || strstr(line, " time:"))) ||
		    (line[0] != '[' && strspn(line, "0123456789abcdef") != 16))
			continue;
		drop_time(line);
		fargs_buf_add(out, line, strlen(line));
		fargs_buf_add_char(out, '\n');
	}
	fargs_buf_add_char(out, '\0');
}

static bool has_more_than_packets(const struct ptt_expected *e)
{
	return strstr(e->source, "opt:ptdump") &&
	       (strstr(e->source, "--time") || strstr(e->source, "--tcal") ||
		strstr(e->source, "--sb:"));
}

/*
 * Reduces ptxed's output to the parts that are compared. Words in brackets are spelled as in
 * fargs's output, or removed.
 */
static void keep_comparable(struct fargs_buf *out, char *text)
{
	static const struct { const char *from, *to; } words[] = {
		{ "[disabled", "[disabled]" }, { "[enabled", "[enabled]" },
		{ "[resumed", "[enabled]" }, { "[overflow", "[overflow]" },
		{ "[interrupt]", "[interrupt]" }, { "[interrupt, from", "[interrupt]" },
	};
	char *line, *save;
	const char *keep;
	size_t i;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		/* Remove the mark of speculative instructions, and times before words. */
		if (!strncmp(line, "? ", 2))
			line += 2;
		if (line[0] == '[' && strspn(line + 1, "0123456789abcdef") == 16) {
			line += 17;
			line[0] = '[';
		}
		keep = strstr(line, "error") ? "[error]" : NULL;
		if (!strncmp(line, "[ptwrite: ", 10)) {
			strcpy(line + strcspn(line, ",]"), "]");
			keep = line;
		}
		if (!strncmp(line, "insn: ", 6))
			keep = line;
		if (strspn(line, "0123456789abcdef") == 16) {
			line[16] = '\0';
			keep = line;
		}
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (!strncmp(line, words[i].from, strlen(words[i].from)))
				keep = words[i].to;
		if (keep) {
			fargs_buf_add(out, keep, strlen(keep));
			fargs_buf_add_char(out, '\n');
		}
	}
	fargs_buf_add_char(out, '\0');
}

#endif

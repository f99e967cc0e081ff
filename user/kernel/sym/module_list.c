// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/module_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct fargs_module_list {
	struct fargs_module_place *places;	/* sorted by address */
	size_t nr;
};

/* Splits the next word off *@line. Returns NULL if there are no more. */
static char *take_word(char **line)
{
	char *word;

	*line += strspn(*line, " \t");
	if (!**line)
		return NULL;
	word = *line;
	*line += strcspn(*line, " \t");
	if (**line)
		*(*line)++ = '\0';
	return word;
}

/*
 * Parses all of @word as a number, with an optional 0x if @base is 16. Returns false if it is
 * invalid.
 */
static bool take_number(const char *word, int base, uint64_t *value)
{
	char *end;

	if (!strchr("0123456789", *word))
		return false;
	errno = 0;
	*value = strtoull(word, &end, base);
	return !errno && !*end;
}

/* Parses a line of /proc/modules. Ignores everything after the address, such as taint letters. */
static int parse_line(char *line, struct fargs_module_place *place)
{
	char *words[6];
	size_t i;

	for (i = 0; i < 6; i++) {
		words[i] = take_word(&line);
		if (!words[i])
			return -EINVAL;
	}
	if (!take_number(words[1], 10, &place->bytes) || !take_number(words[5], 16, &place->addr) ||
	    place->bytes > UINT64_MAX - place->addr)
		return -EINVAL;
	place->name = words[0];
	return 0;
}

static int append(struct fargs_module_list *l, const struct fargs_module_place *from)
{
	struct fargs_module_place *places = fargs_grow(l->places, l->nr, sizeof(*places)), *to;

	if (!places)
		return -ENOMEM;
	l->places = places;
	to = &places[l->nr];
	*to = *from;
	to->name = strdup(from->name);
	if (!to->name)
		return -ENOMEM;
	if (asprintf(&to->label, "[%s]", from->name) < 0) {
		free(to->name);
		return -ENOMEM;
	}
	l->nr++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct fargs_module_place *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Parses @text, of @size bytes, and modifies it. */
static int parse(struct fargs_module_list *l, char *text, size_t size, struct fargs_error_text *err)
{
	struct fargs_module_place place;
	bool is_hidden = true;
	size_t number = 0;
	char *line, *end;
	int ret;

	for (line = text; line < text + size; line = end + 1) {
		number++;
		end = line + strcspn(line, "\n");
		/* A NUL inside a line is an error. */
		ret = !*end && end < text + size ? -EINVAL : 0;
		*end = '\0';
		/* A copied file may have CR LF line ends. */
		if (end > line && end[-1] == '\r')
			end[-1] = '\0';
		if (!ret && !*line)
			continue;
		if (ret || parse_line(line, &place))
			return fargs_fail(err, EINVAL, "line %zu is not in the format of "
					  "/proc/modules",
					  number);
		is_hidden &= !place.addr;
		if (append(l, &place))
			return fargs_fail(err, ENOMEM, "no memory for modules");
	}
	if (l->nr && is_hidden)
		return fargs_fail(err, EPERM, "all addresses of modules are 0, because "
				  "kernel.kptr_restrict hides them");
	if (l->nr)
		qsort(l->places, l->nr, sizeof(*l->places), compare);
	return 0;
}

struct fargs_module_list *fargs_module_list_parse(const char *text, size_t size,
						  struct fargs_error_text *err)
{
	struct fargs_module_list *l = calloc(1, sizeof(*l));
	char *copy = malloc(size + 1);
	int ret;

	if (l && copy) {
		memcpy(copy, text, size);
		copy[size] = '\0';
		ret = parse(l, copy, size, err);
	} else {
		ret = fargs_fail(err, ENOMEM, "no memory for modules");
	}
	free(copy);
	if (!ret)
		return l;
	fargs_module_list_destroy(l);
	errno = -ret;
	return NULL;
}

void fargs_module_list_destroy(struct fargs_module_list *l)
{
	if (!l)
		return;
	while (l->nr) {
		l->nr--;
		free(l->places[l->nr].name);
		free(l->places[l->nr].label);
	}
	free(l->places);
	free(l);
}

/* Returns the index of the first module that starts after @addr. */
static size_t find_after(const struct fargs_module_list *l, uint64_t addr)
{
	size_t low = 0, high = l->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (l->places[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct fargs_module_place *fargs_module_list_find(const struct fargs_module_list *l,
							uint64_t addr)
{
	/*
	 * The module before the first one that starts after @addr may contain @addr. If the ranges
	 * of two modules include @addr, the one with the higher address is returned.
	 */
	size_t after = find_after(l, addr);

	return after && addr - l->places[after - 1].addr < l->places[after - 1].bytes ?
	       &l->places[after - 1] : NULL;
}

void fargs_module_list_narrow(const struct fargs_module_list *l, uint64_t addr, uint64_t *begin,
			      uint64_t *end)
{
	size_t after = find_after(l, addr);
	uint64_t bound;

	if (after < l->nr && l->places[after].addr < *end)
		*end = l->places[after].addr;
	if (!after)
		return;
	bound = l->places[after - 1].addr + l->places[after - 1].bytes;
	if (bound > addr) {
		if (bound < *end)
			*end = bound;
		bound = l->places[after - 1].addr;
	}
	if (bound > *begin)
		*begin = bound;
}

size_t fargs_module_list_count(const struct fargs_module_list *l)
{
	return l->nr;
}

const struct fargs_module_place *fargs_module_list_at(const struct fargs_module_list *l, size_t i)
{
	return i < l->nr ? &l->places[i] : NULL;
}

char *fargs_module_list_text(const struct fargs_module_list *l, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	size_t i;
	int ret;

	if (!out)
		return NULL;
	for (i = 0; i < l->nr; i++)
		fprintf(out, "%s %" PRIu64 " 0 - Live 0x%016" PRIx64 "\n", l->places[i].name,
			l->places[i].bytes, l->places[i].addr);
	ret = ferror(out);
	if (!fclose(out) && !ret)
		return text;
	free(text);
	return NULL;
}

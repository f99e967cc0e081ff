// SPDX-License-Identifier: GPL-2.0-only
#include "model/origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

void fargs_origin_deinit(struct fargs_origin *o)
{
	size_t i;

	for (i = 0; i < o->nr_labels; i++)
		free(o->labels[i]);
	free(o->labels);
	o->labels = NULL;
	o->nr_labels = 0;
}

int fargs_origin_add_label(struct fargs_origin *o, const char *label, struct fargs_error_text *err)
{
	size_t key = strspn(label, KEY_BYTES), i;
	char **larger;

	if (!key || label[key] != '=' || !label[key + 1])
		return fargs_fail(err, EINVAL, "'%s' is not KEY=VALUE, with a key of letters, "
				  "digits, '_', '.' and '-'", label);
	if (strlen(label) > FARGS_ORIGIN_LABEL_MAX)
		return fargs_fail(err, EINVAL, "the label '%.*s' is longer than %d bytes", (int)key,
				  label, FARGS_ORIGIN_LABEL_MAX);
	for (i = 0; i < o->nr_labels; i++)
		if (!strncmp(o->labels[i], label, key + 1))
			return fargs_fail(err, EINVAL, "the label '%.*s' is given twice", (int)key,
					  label);
	if (o->nr_labels == FARGS_ORIGIN_LABELS_MAX)
		return fargs_fail(err, EINVAL, "there are more than %d labels",
				  FARGS_ORIGIN_LABELS_MAX);
	larger = realloc(o->labels, (o->nr_labels + 1) * sizeof(*larger));
	if (!larger)
		return fargs_fail(err, ENOMEM, "out of memory");
	o->labels = larger;
	larger[o->nr_labels] = strdup(label);
	if (!larger[o->nr_labels])
		return fargs_fail(err, ENOMEM, "out of memory");
	o->nr_labels++;
	return 0;
}

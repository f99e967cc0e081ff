/* SPDX-License-Identifier: GPL-2.0-only */
/* The AUX data and the code in a file of fargs record --pt (user/file/pt_file.h). */
#ifndef PTEMU_FARGSDATA_H
#define PTEMU_FARGSDATA_H

#include <stdbool.h>

#include "perfdata.h"

struct pt_image;

/* Is it one? */
bool fargsdata_is(const char *path);
/* Prints what is wrong and returns false, where it cannot be read. Adds the code to @image. */
bool fargsdata_read(struct perfdata *data, struct pt_image *image, const char *path);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the AUX data and the code in a file of fargs record --pt (user/file/pt_file.h). */
#ifndef PTEMU_FARGSDATA_H
#define PTEMU_FARGSDATA_H

#include <stdbool.h>

#include "perfdata.h"

struct pt_image;

/* Returns whether @path is a file of fargs record. */
bool fargsdata_is(const char *path);
/*
 * Reads the file, and adds its code to @image, unless that is NULL. Returns false after printing
 * the error if the file cannot be read.
 */
bool fargsdata_read(struct perfdata *data, struct pt_image *image, const char *path);

#endif

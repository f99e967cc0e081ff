/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats for kernel objects, from FARGS_FORMAT_PATH on. They accept the object or a pointer to it,
 * and find what they show through the members that the traced kernel's BTF describes: ":path",
 * ":cgroup" and ":bdev" record the object's name, the others the bytes that model/printed.h shows.
 */
#ifndef FARGS_SELECT_TYPING_PRINTER_H
#define FARGS_SELECT_TYPING_PRINTER_H

#include "select/typing/fetch.h"
#include "select/typing/typing.h"

/*
 * Moves @f->path, whose type is known, from the object that @f->format is for to what the format
 * records, and sets the kind of @f. Fails if the format does not apply to the object's type.
 */
int fargs_printer_init(struct fargs_fetch *f, const struct fargs_typing *typing);

#endif

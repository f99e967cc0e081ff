/* SPDX-License-Identifier: GPL-2.0-only */
/* What sessions have to know of modules that come and go. */
#ifndef FARGS_MODULES_H
#define FARGS_MODULES_H

int fargs_modules_init(void);
void fargs_modules_deinit(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/fargs */
#ifndef FARGS_DEV_H
#define FARGS_DEV_H

int fargs_dev_init(void);
void fargs_dev_deinit(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_TP_SITES_H
#define FARGS_TP_SITES_H

struct file;

void fargs_tp_fire_sites(struct file *file);

#endif

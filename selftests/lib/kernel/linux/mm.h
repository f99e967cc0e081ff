/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/mm_types.h>

// SPDX-License-Identifier: GPL-2.0-only
/* Functions that are never called: 20 in the module's core memory, 20 in its init memory. */
#include <linux/init.h>

#include "late.h"

#define FILL(nr)							\
	void __noipa fargs_late_fill##nr(int number);			\
	void __noipa fargs_late_fill##nr(int number)			\
	{								\
	}								\
	void __init __noipa fargs_late_init_fill##nr(int number);	\
	void __init __noipa fargs_late_init_fill##nr(int number)	\
	{								\
	}

FILL(0) FILL(1) FILL(2) FILL(3) FILL(4) FILL(5) FILL(6) FILL(7) FILL(8) FILL(9)
FILL(10) FILL(11) FILL(12) FILL(13) FILL(14) FILL(15) FILL(16) FILL(17) FILL(18) FILL(19)

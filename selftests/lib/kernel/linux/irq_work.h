/* SPDX-License-Identifier: GPL-2.0-only */
/* The test program defines how work is queued and run. */
#ifndef SELFTESTS_KERNEL_IRQ_WORK_H
#define SELFTESTS_KERNEL_IRQ_WORK_H

#include <stdbool.h>

struct irq_work {
	void (*func)(struct irq_work *work);
};

#define init_irq_work(work, function)	((void)((work)->func = (function)))

bool irq_work_queue(struct irq_work *work);
void irq_work_sync(struct irq_work *work);

#endif

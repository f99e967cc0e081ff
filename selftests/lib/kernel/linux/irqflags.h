/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_IRQFLAGS_H
#define SELFTESTS_KERNEL_IRQFLAGS_H

/* Whether interrupts are enabled. Defined by programs that use raw_local_irq_save(). */
extern unsigned long made_up_irqs;

#define raw_local_irq_save(flags)	((flags) = made_up_irqs, made_up_irqs = 0)
#define raw_local_irq_restore(flags)	((void)(made_up_irqs = (flags)))

#endif

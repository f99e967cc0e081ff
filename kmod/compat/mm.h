/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_COMPAT_MM_H
#define FARGS_KMOD_COMPAT_MM_H

#include <linux/mm.h>

#include "compat/features.h"

/* Since 6.3 (and backports), vm_flags may be changed only through helpers. */
static inline void fargs_compat_vm_flags(struct vm_area_struct *vma, vm_flags_t set,
					 vm_flags_t clear)
{
#ifdef FARGS_HAS_VM_FLAGS_MOD
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags |= set;
	vma->vm_flags &= ~clear;
#endif
}

#endif

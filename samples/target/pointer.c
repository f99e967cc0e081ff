// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pointers of all kinds. None of the addresses is valid: a tracer must not read them unless the
 * user requests it. No kernel has a symbol at these addresses.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

struct fargs_t_never_defined;
union fargs_t_neither_defined;
typedef int (*fargs_t_handler_t)(int event, void *data);

#define KERNEL(type)	((type)0xffff888012345678ul)
#define USER(type)	((type)0x00007ffc12345670ul)
#define POISON(type)	((type)0xdead000000000100ul)

void fargs_t_void_ptr(void *a);
void fargs_t_const_str(const char *a);
void fargs_t_user_ptr(char __user *a);
void fargs_t_struct_ptr(struct fargs_t_never_defined *a);
void fargs_t_union_ptr(const union fargs_t_neither_defined *a);
void fargs_t_ptr_ptr(void **a);
void fargs_t_int_array(int a[4]);
void fargs_t_function_ptr(int (*a)(int event, void *data));
void fargs_t_function_typedef(fargs_t_handler_t a);
void fargs_t_restrict_ptr(const volatile void *__restrict a);

fargs_t_target void fargs_t_void_ptr(void *a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_const_str(const char *a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_user_ptr(char __user *a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_struct_ptr(struct fargs_t_never_defined *a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_union_ptr(const union fargs_t_neither_defined *a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_ptr_ptr(void **a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_int_array(int a[4])
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_function_ptr(int (*a)(int event, void *data))
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_function_typedef(fargs_t_handler_t a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_restrict_ptr(const volatile void *__restrict a)
{
	fargs_t_use(a);
}

void target_walk_pointer(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_void_ptr(a=0x0)", fargs_t_void_ptr(NULL));
	TARGET_CALL(run, "fargs_t_void_ptr(a=0x1)", fargs_t_void_ptr((void *)1));
	TARGET_CALL(run, "fargs_t_void_ptr(a=0xffff888012345678)",
		    fargs_t_void_ptr(KERNEL(void *)));
	TARGET_CALL(run, "fargs_t_void_ptr(a=0x7ffc12345670)",
		    fargs_t_void_ptr(USER(void *)));
	TARGET_CALL(run, "fargs_t_void_ptr(a=0xffffffffffffffea)",
		    fargs_t_void_ptr((void *)-22l));
	TARGET_CALL(run, "fargs_t_const_str(a=0xffff888012345678)",
		    fargs_t_const_str(KERNEL(const char *)));
	TARGET_CALL(run, "fargs_t_const_str(a=0x0)", fargs_t_const_str(NULL));
	TARGET_CALL(run, "fargs_t_user_ptr(a=0x7ffc12345670)",
		    fargs_t_user_ptr(USER(char __user *)));
	TARGET_CALL(run, "fargs_t_struct_ptr(a=0xdead000000000100)",
		    fargs_t_struct_ptr(POISON(struct fargs_t_never_defined *)));
	TARGET_CALL(run, "fargs_t_union_ptr(a=0xffff888012345678)",
		    fargs_t_union_ptr(KERNEL(union fargs_t_neither_defined *)));
	TARGET_CALL(run, "fargs_t_ptr_ptr(a=0xffff888012345678)",
		    fargs_t_ptr_ptr(KERNEL(void **)));
	TARGET_CALL(run, "fargs_t_int_array(a=0xffff888012345678)",
		    fargs_t_int_array(KERNEL(int *)));
	TARGET_CALL(run, "fargs_t_function_ptr(a=0xdead000000000100)",
		    fargs_t_function_ptr(POISON(fargs_t_handler_t)));
	TARGET_CALL(run, "fargs_t_function_ptr(a=0x0)", fargs_t_function_ptr(NULL));
	TARGET_CALL(run, "fargs_t_function_typedef(a=0xdead000000000100)",
		    fargs_t_function_typedef(POISON(fargs_t_handler_t)));
	TARGET_CALL(run, "fargs_t_restrict_ptr(a=0xffff888012345678)",
		    fargs_t_restrict_ptr(KERNEL(void *)));
}

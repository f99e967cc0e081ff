// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/caps.h"

#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Uses capget(2), since /proc may be missing in a container. */
bool fargs_caps_has(unsigned int cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { };

	if (cap / 32 >= _LINUX_CAPABILITY_U32S_3 || syscall(SYS_capget, &head, data))
		return false;
	return data[cap / 32].effective >> cap % 32 & 1;
}

bool fargs_caps_may_trace(void)
{
	return fargs_caps_has(CAP_PERFMON) || fargs_caps_has(CAP_SYS_ADMIN);
}

bool fargs_caps_may_read(void)
{
	return fargs_caps_has(CAP_BPF) || fargs_caps_has(CAP_SYS_ADMIN);
}

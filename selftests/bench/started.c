// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library to be preloaded into fargs: prints on stderr how long FARGS_IOC_START and
 * FARGS_IOC_STOP took, as "start-ns N" and "stop-ns N".
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>

#include "uapi/fargs.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int fd, unsigned long request, void *arg);
	uint64_t begin, ns;
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (!next)
		next = dlsym(RTLD_NEXT, "ioctl");
	begin = now_ns();
	ret = next(fd, request, arg);
	ns = now_ns() - begin;
	if (request == FARGS_IOC_START || request == FARGS_IOC_STOP)
		fprintf(stderr, "%s-ns %llu\n", request == FARGS_IOC_START ? "start" : "stop",
			(unsigned long long)ns);
	return ret;
}

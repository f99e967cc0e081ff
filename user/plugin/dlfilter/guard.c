// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/guard.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>
#include <unistd.h>

#include "abi/machine.h"

/*
 * Size of the stack on which the signal handlers run, which is more than they need. They run on a
 * separate stack because the fault may be a stack overflow.
 */
#define STACK_BYTES	(64u << 10)

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };

static __thread struct {
	sigjmp_buf back;
	struct fargs_guard_fault fault;
	volatile bool is_running;
} guard;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;

	if (!guard.is_running) {
		/*
		 * The signal is not due to a fault of guarded code: restore the default action. If
		 * it is due to another fault, that fault recurs when this handler returns; if the
		 * signal was sent, raise it again.
		 */
		struct sigaction sa = { .sa_handler = SIG_DFL };

		sigaction(signal, &sa, NULL);
		if (info->si_code <= 0)
			raise(signal);
		return;
	}
	guard.fault = (struct fargs_guard_fault){ .signal = signal };
	guard.fault.is_null_call = signal == SIGSEGV && !fargs_machine_signal_ip(uc);
	siglongjmp(guard.back, 1);
}

int fargs_guard_init(void)
{
	static char stack[STACK_BYTES];
	/*
	 * SA_NODEFER: the handler runs with its signal unblocked, so siglongjmp() need not restore
	 * the signal mask with a system call.
	 */
	struct sigaction sa = {
		.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	size_t i;

	if (sigaltstack(&ss, NULL))
		return -errno;
	sigemptyset(&sa.sa_mask);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], &sa, NULL))
			return -errno;
	return 0;
}

bool fargs_guard_run(void (*fn)(void *arg), void *arg, struct fargs_guard_fault *fault)
{
	if (sigsetjmp(guard.back, 0)) {
		guard.is_running = false;
		*fault = guard.fault;
		return false;
	}
	guard.is_running = true;
	fn(arg);
	guard.is_running = false;
	return true;
}

bool fargs_guard_is_running(void)
{
	return guard.is_running;
}

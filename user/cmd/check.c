// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs check: reports what this machine supports, one line per feature.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/plural.h"
#include "base/size.h"
#include "cmd/screen/cmd.h"
#include "cmd/verbs.h"
#include "kernel/btf/funcs.h"
#include "kernel/caps.h"
#include "kernel/kernel.h"
#include "kernel/lockdown.h"
#include "kernel/tracefs.h"
#include "select/resolve/select.h"
#include "select/resolve/tpoints.h"
#include "session/session.h"
#include "source/perf_event/perf.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/terms.h"
#include "source/pt/decode/libipt/version.h"

/* Prints a line that starts with the verdict, such as "ok". */
static void __attribute__((format(printf, 2, 3))) say(const char *verdict, const char *fmt, ...)
{
	va_list ap;

	printf("%-5s", verdict);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static bool check_caps(void)
{
	if (!fargs_caps_may_trace()) {
		say("no", "capabilities: neither CAP_PERFMON nor CAP_SYS_ADMIN: run as root");
		return false;
	}
	if (fargs_caps_has(CAP_SYS_ADMIN))
		say("ok", "capabilities: %s", geteuid() ? "CAP_SYS_ADMIN" : "root");
	else
		say("ok", "capabilities: CAP_PERFMON%s",
		    fargs_caps_may_read() ? " and CAP_BPF" : "");
	if (fargs_caps_may_read())
		say("ok", "memory: strings, members and stacks can be recorded");
	else
		say("warn",
		    "memory: strings, members, stacks, and arguments after the 12th cannot be "
		    "recorded: they need CAP_BPF or CAP_SYS_ADMIN");
	return true;
}

static bool check_machine(void)
{
	struct utsname name;

	uname(&name);
	if (strcmp(name.machine, "x86_64")) {
		say("no", "kernel: %s on %s: only x86_64 is supported", name.release, name.machine);
		return false;
	}
	say("ok", "kernel: %s", name.release);
	return true;
}

/*
 * Allocates the buffers of a recording without '-m'. Only the module can determine how much of
 * RLIMIT_MEMLOCK is left, and how much memory the memory cgroup permits.
 */
static bool check_buffers(struct fargs_session *s)
{
	char size[32], wanted[32], limit_size[32];
	struct fargs_error_text err;
	struct rlimit limit;

	if (fargs_session_buffer(s, 0, FARGS_MODE_DROP, &err)) {
		say("no", "buffers: %s", err.text);
		return false;
	}
	fargs_size_exact(s->meta.ring_bytes, size, sizeof(size));
	if (fargs_caps_has(CAP_IPC_LOCK) || getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY) {
		say("ok", "buffers: %s for each CPU by default, not limited by RLIMIT_MEMLOCK",
		    size);
		return true;
	}
	fargs_size_exact(limit.rlim_cur, limit_size, sizeof(limit_size));
	if (!s->default_ring_bytes)
		say("ok", "buffers: %s for each CPU by default, within RLIMIT_MEMLOCK (%s)", size,
		    limit_size);
	else
		say("warn",
		    "buffers: %s instead of %s for each CPU, because of RLIMIT_MEMLOCK (%s): raise "
		    "it (ulimit -l), or get CAP_IPC_LOCK", size,
		    fargs_size_exact(s->default_ring_bytes, wanted, sizeof(wanted)), limit_size);
	return true;
}

static void check_sessions(void)
{
	char line[16];

	if (fargs_file_line("/sys/module/fargs/parameters/max_user_sessions", line, sizeof(line)))
		return;		/* /sys may not be mounted */
	say("ok", "sessions: %s at a time for each user%s", line,
	    fargs_caps_has(CAP_SYS_RESOURCE) ? ", any number with CAP_SYS_RESOURCE" : "");
}

static bool check_module(void)
{
	struct fargs_error_text err;
	struct fargs_session s = { };
	const struct fargs_info *info = &s.meta.info;
	bool is_good;

	if (fargs_session_init(&s, &err)) {
		say("no", "module: %s", err.text);
		return false;
	}
	say("ok", "module: loaded, version %s, ABI %u, %u CPU%s, up to %u functions", info->version,
	    info->abi, info->nr_cpus, fargs_plural(info->nr_cpus), info->layouts_max);
	if (info->returns_max)
		say("ok", "returns: of at most %u functions, which is this kernel's limit",
		    info->returns_max);
	else
		say("ok", "returns: of any number of functions");
	if (info->tsc_stable)
		say("ok", "clock: the TSC is stable (%u kHz)", info->tsc_khz);
	else
		say("warn",
		    "clock: the kernel does not trust the TSC: times are from CLOCK_MONOTONIC and "
		    "may differ from perf's by a tick");
	is_good = check_buffers(&s);
	check_sessions();
	fargs_session_deinit(&s);
	return is_good;
}

static bool check_ftrace(void)
{
	char line[16];

	if (!fargs_file_has_proc()) {
		say("no", "ftrace: procfs is not mounted: mount -t proc none /proc");
		return false;
	}
	if (fargs_file_line("/proc/sys/kernel/ftrace_enabled", line, sizeof(line))) {
		say("no", "ftrace: not in this kernel: boot one with CONFIG_DYNAMIC_FTRACE");
		return false;
	}
	if (strcmp(line, "1")) {
		say("no",
		    "ftrace: disabled, so no function can be traced: sysctl "
		    "kernel.ftrace_enabled=1");
		return false;
	}
	say("ok", "ftrace: enabled");
	return true;
}

static bool check_lockdown(void)
{
	switch (fargs_lockdown_get()) {
	case FARGS_LOCKDOWN_CONFIDENTIALITY:
		say("no", "lockdown: confidentiality, which forbids tracing: boot without it");
		return false;
	case FARGS_LOCKDOWN_INTEGRITY:
		say("ok", "lockdown: integrity");
		break;
	case FARGS_LOCKDOWN_NONE:
		say("ok", "lockdown: none");
		break;
	case FARGS_LOCKDOWN_UNKNOWN:
		say("ok", "lockdown: not supported by this kernel, or securityfs is not mounted");
		break;
	}
	return true;
}

/*
 * Kernels that have fprobe_return() implement fprobe on the function graph tracer. 7.2 has the bug
 * that the warning below describes (Documentation/kernels.md). It is not possible to detect whether
 * another such kernel has this bug.
 */
static void check_fprobe(const struct fargs_ksyms *ksyms)
{
	const struct fargs_ksym *const *first;

	if (ksyms && fargs_ksyms_find_name(ksyms, "fprobe_return", &first))
		say("warn",
		    "fprobe: this kernel may warn in fprobe_return() if function_graph runs "
		    "together with an fprobe event or BPF kprobe.multi, with or without fargs: do "
		    "not use both if kernel.panic_on_warn=1");
}

static void count_functions(struct fargs_kernel *kernel)
{
	static const char *const all[] = { "*" };
	const struct fargs_patterns patterns = { .wanted = all, .nr_wanted = 1 };
	size_t counts[FARGS_REFUSALS] = { };
	struct fargs_error_text err;
	struct fargs_select *sel;
	const char *complaint;
	size_t i;

	sel = fargs_select_survey(&patterns, kernel->ksyms, kernel->btfs, kernel->avail, &err);
	for (i = 0; (complaint = fargs_btfs_complaint(kernel->btfs, i)); i++)
		say("warn", "BTF: %s", complaint);
	if (!sel) {
		say("warn", "functions: %s", err.text);
		return;
	}
	for (i = 0; i < sel->nr_refused; i++)
		counts[sel->refused[i].why]++;
	say(sel->nr_matches ? "ok" : "no", "functions: %zu can be traced, %zu cannot%s",
	    sel->nr_matches, sel->nr_refused,
	    kernel->avail ? "" : " (which functions ftrace can trace is not known)");
	for (i = 0; i < FARGS_REFUSALS; i++)
		if (counts[i])
			printf("     %7zu %s: %s\n", counts[i], fargs_refusal_word(i),
			       fargs_refusal_text(i));
	fargs_select_destroy(sel);
}

static void count_tracepoints(struct fargs_kernel *kernel)
{
	static const char *const all[] = { "*" };
	const struct fargs_patterns patterns = {
		.wanted = all, .nr_wanted = 1, .is_tpoint = true,
	};
	struct fargs_rules rules __cleanup_with(fargs_rules_deinit);
	struct fargs_tpoints tpoints = { };
	struct fargs_error_text err;

	if (fargs_rules_init(&rules, &patterns, &err) ||
	    fargs_tpoints_init(&tpoints, &rules, kernel, true, &err))
		say("warn", "tracepoints: %s", err.text);
	else
		say("ok", "tracepoints: %zu can be traced, %zu cannot", tpoints.sel->nr_matches,
		    tpoints.sel->nr_refused);
	fargs_tpoints_deinit(&tpoints);
}

/* Formatted events need tracefs and perf, but not the module. They are optional. */
static void check_events(void)
{
	struct fargs_error_text err;

	if (fargs_tracefs_dir(&err) && !fargs_perf_test(&err))
		say("ok", "events: '-e' can record the kernel's formatted events");
	else
		say("warn", "events: %s", err.text);
}

static bool is_consistent(struct fargs_btfs *btfs)
{
	return fargs_btf_funcs_are_consistent(fargs_btfs_get(btfs, FARGS_BTF_VMLINUX, NULL));
}

/*
 * Checks kallsyms, BTF and tracefs. @may_trace: also count the traceable functions and tracepoints.
 */
static bool check_symbols(const struct fargs_list *btf, bool may_trace)
{
	static const char ambiguous[] = "; most functions that share a name are excluded";
	static const struct fargs_list none;
	struct fargs_kernel kernel = { };
	struct fargs_error_text err;
	bool is_good;

	kernel.ksyms = fargs_ksyms_load(&err);
	if (kernel.ksyms)
		say("ok", "symbols: %zu in kallsyms", fargs_ksyms_count(kernel.ksyms));
	else
		say("no", "symbols: %s", err.text);
	/* Symbols are needed to verify that a BTF file belongs to this kernel. */
	is_good = !fargs_kernel_load_btf(&kernel, kernel.ksyms ? btf : &none, &err);
	if (!is_good)
		say("no", "BTF: %s", err.text);
	else
		say("ok", "BTF: available%s", is_consistent(kernel.btfs) ? "" : ambiguous);
	kernel.avail = fargs_avail_load(&err);
	if (kernel.avail)
		say("ok", "tracefs: %zu functions", fargs_avail_count(kernel.avail));
	else
		say("warn", "tracefs: %s", err.text);
	check_fprobe(kernel.ksyms);
	is_good &= !!kernel.ksyms;
	if (is_good && may_trace) {
		count_functions(&kernel);
		count_tracepoints(&kernel);
	}
	fargs_kernel_deinit(&kernel);
	return is_good;
}

/* Intel PT is optional, so it does not affect the result. */
static void check_pt(void)
{
	struct fargs_pt_terms usual;
	struct fargs_error_text err;
	char libipt[FARGS_PT_LIBIPT_TEXT];
	struct fargs_pt_pmu pmu;
	int ret = fargs_pt_pmu_load(&pmu, FARGS_PT_PMU_DIR, &err);

	if (!ret)
		ret = fargs_pt_terms_parse(&usual, NULL, &pmu, false, &err);
	if (ret)
		say("warn", "Intel PT: %s", err.text);
	else
		say("ok", "Intel PT: '--pt' records %s", usual.text);
	say("ok", "libipt: %s", fargs_pt_libipt_text(libipt));
}

static int check(const struct fargs_list *btf)
{
	bool is_good = check_machine(), may_trace;

	is_good &= check_caps();
	may_trace = check_lockdown();
	is_good &= may_trace;
	is_good &= check_ftrace();
	is_good &= check_module();
	is_good &= check_symbols(btf, may_trace);
	check_events();
	check_pt();
	return is_good ? 0 : 1;
}

struct options {
	struct fargs_list btf;
};

static int run(int argc, char **argv)
{
	struct fargs_operands operands;
	struct options o = { };
	enum fargs_parsed parsed;
	int status;

	parsed = fargs_options_parse(&fargs_verb_check, &o, argc, argv, &operands);
	status = parsed == FARGS_PARSED_WRONG;
	if (parsed == FARGS_PARSED)
		status = operands.nr ? cmd_usage_fail("check", "unexpected argument "
						      "'%s'", operands.words[0]) :
				       check(&o.btf);
	fargs_list_deinit(&o.btf);
	return status;
}

static const struct fargs_option options[] = {
	{ 0, "btf", "FILE", "use this BTF for a kernel or module that has none; or a directory of "
	  "BTF files by kernel release",
	  .offer = FARGS_OFFER_FILES, FARGS_OPTION_ADDS(struct options, btf) },
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ }
};

const struct fargs_verb fargs_verb_check = {
	.name = "check",
	.what = "show what this machine supports",
	.usage = "[OPTION...]",
	.about = "Shows what this machine supports, one line per feature: ok, warn (works with\n"
		 "restrictions), or no (with what to do). Exits with 0 if tracing works, else\n"
		 "with 1.",
	.is_in_front = true,
	.groups = groups,
	.run = run,
};

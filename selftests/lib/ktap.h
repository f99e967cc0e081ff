/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KTAP for tests in C: one result line per behaviour, and a final one for the kernel log, which
 * must contain no warning since the test began.
 */
#ifndef FARGS_SELFTESTS_KTAP_H
#define FARGS_SELFTESTS_KTAP_H

#include <fcntl.h>
#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KTAP_SKIP	4

/* These patterns are the same as in lib/ktap.sh. */
#define KTAP_COMPLAINTS \
	"^[^;]*;(WARNING: |BUG: |kernel BUG at |Oops|general protection fault" \
	"|Kernel panic|UBSAN: |KCSAN: |watchdog: BUG|INFO: task .* blocked for more" \
	"|INFO: (trying to register non-static key|rcu_)|refcount_t: " \
	"|(list_add|list_del) corruption|Bad page state|------------\\[ cut here)"

static struct {
	unsigned int nr, failed;
	int log;
	const char *excused;	/* see ktap_is_excused() */
} ktap = { .log = -1 };

static inline void ktap_begin(const char *name)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("KTAP version 1");
	if (fd >= 0) {
		dprintf(fd, "fargs selftest: %s\n", name);
		close(fd);
	}
	ktap.log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (ktap.log >= 0)
		lseek(ktap.log, 0, SEEK_END);
}

__attribute__((format(printf, 1, 2), noreturn))
static inline void ktap_skip_all(const char *fmt, ...)
{
	va_list args;

	printf("1..0 # SKIP ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	exit(KTAP_SKIP);
}

__attribute__((format(printf, 2, 3)))
static inline bool ktap_ok(bool is_ok, const char *fmt, ...)
{
	va_list args;

	printf("%sok %u ", is_ok ? "" : "not ", ++ktap.nr);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	ktap.failed += !is_ok;
	return is_ok;
}

__attribute__((format(printf, 1, 2)))
static inline void ktap_note(const char *fmt, ...)
{
	va_list args;

	printf("# ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

/*
 * Returns whether to ignore a line of the kernel log: it contains ktap.excused, the text of a
 * warning that the test expects, or is the "cut here" line before a warning, which does not show
 * which warning follows.
 */
static inline bool ktap_is_excused(const char *line)
{
	return ktap.excused && (strstr(line, ktap.excused) || strstr(line, "[ cut here ]"));
}

static inline void ktap_check_log(void)
{
	bool is_clean = true;
	char line[8192];
	regex_t complaint;
	ssize_t n;

	if (ktap.log < 0) {
		ktap_ok(false, "the kernel log can be read");
		return;
	}
	if (regcomp(&complaint, KTAP_COMPLAINTS, REG_EXTENDED | REG_NOSUB))
		abort();
	while ((n = read(ktap.log, line, sizeof(line) - 1)) > 0) {
		line[n] = '\0';
		line[strcspn(line, "\n")] = '\0';
		if (!regexec(&complaint, line, 0, NULL, 0) && !ktap_is_excused(line)) {
			is_clean = false;
			ktap_note("%s", line);
		}
	}
	regfree(&complaint);
	ktap_ok(is_clean, "the kernel log has no complaint");
}

/* Returns the exit status of the test. */
static inline int ktap_end(void)
{
	ktap_check_log();
	printf("1..%u\n", ktap.nr);
	return ktap.failed ? 1 : 0;
}

#endif

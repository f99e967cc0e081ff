/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions shared by the tests of the ioctl interface. Depends on the uapi headers and on the
 * functions of samples/target, but neither on the module's sources nor on the fargs program.
 */
#ifndef FARGS_SELFTESTS_SESSION_H
#define FARGS_SELFTESTS_SESSION_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ktap.h"
#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"
#include "uapi/fargs_ring.h"

#define TARGET_PROC	"/proc/fargs_target"

/* The module's error message for the last ioctl made through call(). */
static struct fargs_error last_error;

/* Makes an ioctl; fills in the size and the address of the error message. Returns 0 or -errno. */
#define call(fd, cmd, arg) call_size(fd, cmd, &(arg)->head, sizeof(*(arg)))

static inline int call_size(int fd, unsigned long cmd, struct fargs_head *head, uint32_t size)
{
	memset(&last_error, 0, sizeof(last_error));
	head->size = size;
	head->error = (uintptr_t)&last_error;
	return ioctl(fd, cmd, head) ? -errno : 0;
}

static inline int device_open(void)
{
	return open(FARGS_DEVICE, O_RDWR | O_CLOEXEC);
}

/* If @ret is an error, prints it with the module's message, and ends the test. */
static inline void must(int ret, const char *what)
{
	if (ret >= 0)
		return;
	printf("Bail out! %s: %s (%s)\n", what, strerror(-ret), last_error.text);
	exit(1);
}

static inline int session_open(uint64_t bytes)
{
	struct fargs_buffer buffer = { .bytes = bytes };
	int fd = device_open();

	must(fd < 0 ? -errno : 0, "open " FARGS_DEVICE);
	must(call(fd, FARGS_IOC_BUFFER, &buffer), "BUFFER");
	return fd;
}

static inline int session_start(int fd)
{
	struct fargs_start start = { 0 };

	return call(fd, FARGS_IOC_START, &start);
}

static inline int session_stop(int fd)
{
	struct fargs_stop stop = { 0 };

	return call(fd, FARGS_IOC_STOP, &stop);
}

static inline uint32_t session_layouts(int fd)
{
	struct fargs_stats stats = { 0 };

	must(call(fd, FARGS_IOC_STATS, &stats), "STATS");
	return stats.nr_layouts;
}

/* Adds @nr layouts with a total size of @bytes. ADD writes their statuses to @layouts. */
static inline int session_add(int fd, void *layouts, uint32_t bytes, uint32_t nr, uint32_t flags,
			      uint32_t *nr_added)
{
	struct fargs_add add = {
		.layouts = (uintptr_t)layouts, .bytes = bytes, .nr = nr, .flags = flags,
	};
	int ret = call(fd, FARGS_IOC_ADD, &add);

	if (nr_added)
		*nr_added = add.nr_added;
	return ret;
}

/* A layout under construction: header, stores and body. */
struct piece {
	struct fargs_layout layout;
	struct fargs_store stores[FARGS_STORES_MAX + 2];
	uint8_t body[4096];
	uint32_t body_len;
};

/* Appends a value and returns the offset of its data. */
static inline uint16_t piece_value(struct piece *piece, const char *name, uint8_t type,
				   uint32_t data_len)
{
	uint32_t at = piece->body_len;

	memcpy(piece->body + at, name, strlen(name) + 1);
	at += strlen(name) + 1;
	piece->body[at++] = type;
	piece->body_len = at + data_len;
	return at;
}

static inline void piece_store(struct piece *piece, uint16_t offset, uint8_t source,
			       uint8_t index)
{
	piece->stores[piece->layout.nr_stores++] = (struct fargs_store){
		.offset = offset, .source = source, .index = index,
	};
}

/* Adds a value of 8 bytes that is read from register @reg. */
static inline void piece_reg(struct piece *piece, const char *name, uint8_t type, uint8_t reg)
{
	piece_store(piece, piece_value(piece, name, type, 8), FARGS_SOURCE_REG, reg);
}

static inline void piece_end(struct piece *piece)
{
	piece->body_len = (piece->body_len + 2 + 7) & ~7u;
	piece->layout.body_len = piece->body_len;
	piece->layout.size = sizeof(piece->layout) +
			     piece->layout.nr_stores * sizeof(struct fargs_store) +
			     piece->body_len;
}

/* Initializes a layout of fargs_t_4(void *obj, const char *name, unsigned long flags, int mode). */
static inline void piece_target_4(struct piece *piece, uint64_t addr)
{
	memset(piece, 0, sizeof(*piece));
	piece->layout.addr = addr;
	piece_reg(piece, "obj", FARGS_TYPE_PTR, 0);
	piece_reg(piece, "name", FARGS_TYPE_PTR, 1);
	piece_reg(piece, "flags", FARGS_TYPE_U64, 2);
	piece_reg(piece, "mode", FARGS_TYPE_S32, 3);
	piece_end(piece);
}

/* Initializes a layout of fargs_t_int(int a). */
static inline void piece_target_int(struct piece *piece, uint64_t addr)
{
	memset(piece, 0, sizeof(*piece));
	piece->layout.addr = addr;
	piece_reg(piece, "a", FARGS_TYPE_S32, 0);
	piece_end(piece);
}

/* Writes the layout to @to in the form that FARGS_IOC_ADD requires. Returns its size. */
static inline uint32_t piece_pack(const struct piece *piece, uint8_t *to)
{
	const uint32_t most = sizeof(piece->stores) / sizeof(piece->stores[0]);
	uint32_t nr = piece->layout.nr_stores < most ? piece->layout.nr_stores : most;
	uint32_t stores = nr * sizeof(struct fargs_store);

	memcpy(to, &piece->layout, sizeof(piece->layout));
	memcpy(to + sizeof(piece->layout), piece->stores, stores);
	memcpy(to + sizeof(piece->layout) + stores, piece->body, piece->body_len);
	return sizeof(piece->layout) + stores + piece->body_len;
}

/* Adds the layout to a session. ADD's out fields are copied to @piece. */
static inline int piece_add(int fd, struct piece *piece)
{
	static uint8_t packed[sizeof(struct piece)];
	int ret = session_add(fd, packed, piece_pack(piece, packed), 1, 0, NULL);

	memcpy(&piece->layout, packed, sizeof(piece->layout));
	return ret;
}

/* Text of /proc/kallsyms; NULL: not read yet. */
static char *symbols;

/*
 * Returns /proc/kallsyms as a string; "" if it cannot be read. The file is read only once, because
 * that takes seconds on an emulated kernel; so modules that are loaded later are not included.
 */
static inline const char *symbols_text(void)
{
	size_t bytes = 0;
	FILE *file;

	if (symbols)
		return symbols;
	file = fopen("/proc/kallsyms", "re");
	/* The file contains no NUL, so getdelim() reads it to its end. */
	if (file && getdelim(&symbols, &bytes, '\0', file) < 0) {
		free(symbols);
		symbols = NULL;
	}
	if (file)
		fclose(file);
	return symbols ? symbols : "";
}

/* Returns the address of a symbol; 0: there is no such symbol. */
static inline uint64_t symbol_address(const char *wanted)
{
	const char *text = symbols_text(), *at = text;
	const size_t len = strlen(wanted);

	/* Lines are "address type name"; for a symbol of a module, a tab and "[module]" follow. */
	for (; (at = strstr(at, wanted)); at += len) {
		if (at == text || at[-1] != ' ' || (at[len] != '\t' && at[len] != '\n'))
			continue;
		while (at > text && at[-1] != '\n')
			at--;
		return strtoull(at, NULL, 16);
	}
	return 0;
}

/*
 * Loads fargs_target again after it was unloaded. Its functions may have new addresses: on kernels
 * with KASAN, the memory of an unloaded module is not reused at once.
 */
static inline void target_load_again(void)
{
	must(system("modprobe fargs_target") ? -ENOENT : 0, "modprobe");
	free(symbols);
	symbols = NULL;
}

/* Writes a command to fargs_target, which then makes calls. Returns 0 or -errno. */
static inline int target_call(const char *command)
{
	int fd = open(TARGET_PROC, O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, command, strlen(command)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* Returns whether ftrace currently traces @function. */
static inline bool is_traced(const char *function)
{
	FILE *functions = fopen("/sys/kernel/tracing/enabled_functions", "re");
	bool found = false;
	char line[1024];
	char name[256];

	while (functions && !found && fgets(line, sizeof(line), functions))
		found = sscanf(line, "%255s", name) == 1 && !strcmp(name, function);
	if (functions)
		fclose(functions);
	return found;
}

/*
 * Returns how many functions ftrace currently traces, for any user. Functions of the module itself
 * are not counted, because kmod/compat/fprobe_anchor.c keeps one traced after its first use.
 */
static inline unsigned long nr_traced(void)
{
	FILE *functions = fopen("/sys/kernel/tracing/enabled_functions", "re");
	unsigned long nr = 0;
	char line[1024];

	must(functions ? 0 : -errno, "enabled_functions");
	while (fgets(line, sizeof(line), functions))
		nr += !strstr(line, " [fargs] ");
	fclose(functions);
	return nr;
}

static inline void need_session_test(void)
{
	if (geteuid())
		ktap_skip_all("must be run as root");
	if (access(FARGS_DEVICE, F_OK) && system("modprobe -q fargs") == -1)
		ktap_skip_all("modprobe cannot be run");
	if (access(FARGS_DEVICE, F_OK))
		ktap_skip_all("module fargs is not loaded");
	if (access(TARGET_PROC, F_OK) && system("modprobe -q fargs_target") == -1)
		ktap_skip_all("modprobe cannot be run");
	if (access(TARGET_PROC, F_OK))
		ktap_skip_all("module fargs_target is not loaded");
	if (!symbol_address("fargs_t_4"))
		ktap_skip_all("/proc/kallsyms has no addresses");
}

#endif

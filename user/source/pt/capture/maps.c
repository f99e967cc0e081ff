// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/maps.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "file/pt_file.h"
#include "source/perf_data/build_id.h"

/* PERF_RECORD_MMAP2 up to its path; then the sample id of FARGS_PT_SAMPLE_TYPE. */
struct mmap2 {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t addr, bytes, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		/* with PERF_RECORD_MISC_MMAP_BUILD_ID */
		struct {
			uint8_t id_bytes, reserved[3];
			uint8_t id[FARGS_BUILD_ID_MAX];
		};
	};
	uint32_t prot, flags;
};

_Static_assert(sizeof(struct mmap2) == 72, "as the kernel writes it");

struct sample_id {
	uint32_t pid, tid;
	uint64_t ns;
	uint32_t cpu, reserved;
};

/* Longest path in a record. */
#define PATH_BYTES	4096

static void put_mapping(struct fargs_buf *out, struct mmap2 *rec, uint16_t misc, const char *path)
{
	const struct sample_id id = { .pid = rec->pid, .tid = rec->tid };
	size_t bytes = strlen(path) + 1, padding = -bytes & 7;

	rec->head = (struct perf_event_header){
		.type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER | misc,
		.size = sizeof(*rec) + bytes + padding + sizeof(id),
	};
	fargs_buf_add(out, rec, sizeof(*rec));
	fargs_buf_add(out, path, bytes);
	fargs_buf_fill(out, 0, padding);
	fargs_buf_add(out, &id, sizeof(id));
}

/*
 * Replaces the number of the file by its build ID, if it has one. The link in map_files is the file
 * itself, even if another one is at its path by now; it needs privileges.
 */
static uint16_t set_build_id(struct mmap2 *rec, const char *path)
{
	struct fargs_build_id id = { .nr = 0 };
	char link[96];
	struct stat st;

	snprintf(link, sizeof(link), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, rec->pid, rec->addr,
		 rec->addr + rec->bytes);
	if (!fargs_build_id_of_file(&id, link) &&
	    (stat(path, &st) || st.st_ino != rec->inode || !fargs_build_id_of_file(&id, path)))
		return 0;
	if (!id.nr)
		return 0;
	rec->generation = 0;
	rec->id_bytes = id.nr;
	memset(rec->reserved, 0, sizeof(rec->reserved));
	memcpy(rec->id, id.bytes, sizeof(rec->id));
	return PERF_RECORD_MISC_MMAP_BUILD_ID;
}

/* Adds the mapping that @line of /proc/PID/maps describes, if it is executable and of a file. */
static void put_line(struct fargs_buf *out, uint32_t pid, char *line)
{
	struct mmap2 rec = { .pid = pid, .tid = pid };
	unsigned int major, minor;
	char modes[5];
	uint64_t end;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &rec.addr,
		   &end, modes, &rec.offset, &major, &minor, &rec.inode, &at) != 7 || !at ||
	    modes[2] != 'x' || (line[at] != '/' && strcmp(line + at, "[vdso]")) ||
	    strlen(line + at) >= PATH_BYTES)
		return;
	rec.bytes = end - rec.addr;
	rec.major = major;
	rec.minor = minor;
	rec.prot = PROT_READ | PROT_EXEC;
	rec.flags = modes[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	put_mapping(out, &rec, set_build_id(&rec, line + at), line + at);
}

static void put_process(struct fargs_buf *out, pid_t pid)
{
	char path[64], *line __cleanup_free = NULL;
	size_t room = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return;
	while (getline(&line, &room, maps) > 0)
		put_line(out, pid, line);
	fclose(maps);
}

/* Returns the process of the thread @tid; 0: it has exited. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[128];
	FILE *status;
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Tgid: %d", &pid) == 1)
			break;
	if (status)
		fclose(status);
	return pid;
}

static int write_records(struct fargs_buf *records, const struct fargs_pt_sink *sink,
			 struct fargs_error_text *err)
{
	struct fargs_file_pt_sideband head = { .ring = FARGS_PT_RING_SIDE };
	struct iovec iov[2] = { { &head, sizeof(head) }, { records->text, records->n } };

	if (records->is_short)
		return fargs_fail(err, ENOMEM, "no memory for Intel PT");
	if (!records->n)
		return 0;
	return sink->chunk(sink->arg, FARGS_CHUNK_PT_SIDEBAND, 0, iov, false, err);
}

static int write_process(pid_t pid, const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	struct fargs_buf records = { };
	int ret;

	put_process(&records, pid);
	ret = write_records(&records, sink, err);
	fargs_buf_deinit(&records);
	return ret;
}

static int write_all(const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int ret = 0;

	while (!ret && proc && (entry = readdir(proc)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			ret = write_process(atoi(entry->d_name), sink, err);
	if (proc)
		closedir(proc);
	return ret;
}

int fargs_pt_maps_write(const struct fargs_pt_tasks *tasks, const struct fargs_pt_sink *sink,
			struct fargs_error_text *err)
{
	pid_t pid, last = 0;
	size_t i;
	int ret = 0;

	if (!tasks->nr || tasks->is_cgroup)
		return write_all(sink, err);
	for (i = 0; !ret && i < tasks->nr; i++) {
		pid = process_of(tasks->ids[i]);
		/* The threads of a process follow each other in the list. */
		if (pid && pid != last)
			ret = write_process(pid, sink, err);
		last = pid;
	}
	return ret;
}

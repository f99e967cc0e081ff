// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_event/sample.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "model/event_record.h"

/* The fields that sample_id_all appends to all records except samples. */
struct sample_id {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
};

/* The beginning of a sample, after struct perf_event_header. */
struct sample {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t period;
	uint32_t bytes;		/* size of the raw data, which ends at a multiple of 8 bytes */
} __attribute__((packed));

struct lost {
	uint64_t id;
	uint64_t lost;
};

struct comm {
	uint32_t pid, tid;
	char comm[];
};

struct fork {
	uint32_t pid, ppid;
	uint32_t tid, ptid;
	uint64_t time;
};

/* Common fields at the beginning of the raw data of all events. */
struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;		/* pid in the initial pid namespace */
};

/* Pads the record @to, whose body ends at @end. Returns the length of the record. */
static int finish(struct fargs_record *to, uint8_t *end)
{
	size_t n = end - (uint8_t *)to, room = (n + FARGS_RECORD_ALIGN - 1) &
						~(size_t)(FARGS_RECORD_ALIGN - 1);

	memset(end, 0, room - n);
	to->len = room;
	return room;
}

static uint8_t *put_value(uint8_t *p, const char *name, uint8_t type, uint64_t value)
{
	size_t n = strlen(name) + 1;

	memcpy(p, name, n);
	p[n] = type;
	memcpy(p + n + 1, &value, sizeof(value));
	return p + n + 1 + sizeof(value);
}

static uint8_t *put_comm(uint8_t *p, const char *comm, size_t bytes)
{
	static const char name[] = "comm";
	uint16_t n = FARGS_COMM_LEN;

	memcpy(p, name, sizeof(name));
	p += sizeof(name);
	*p++ = FARGS_TYPE_BYTES;
	memcpy(p, &n, sizeof(n));
	p += sizeof(n);
	memset(p, 0, FARGS_COMM_LEN);
	memcpy(p, comm, strnlen(comm, bytes < FARGS_COMM_LEN ? bytes : FARGS_COMM_LEN));
	return p + FARGS_COMM_LEN;
}

/* Writes the end of a record's fields: an empty name and FARGS_TYPE_END. */
static uint8_t *put_end(uint8_t *p)
{
	*p++ = 0;
	*p++ = FARGS_TYPE_END;
	return p;
}

static int read_sample(const uint8_t *p, size_t bytes, struct fargs_record *to)
{
	struct fargs_event_body *body = (void *)(to + 1);
	struct common common;
	struct sample from;

	if (bytes < sizeof(from))
		return -EIO;
	memcpy(&from, p, sizeof(from));
	if (from.bytes > bytes - sizeof(from) || from.bytes < sizeof(common) ||
	    from.bytes > FARGS_EVENT_RAW_MAX)
		return -EIO;
	memcpy(&common, p + sizeof(from), sizeof(common));
	to->kind = FARGS_KIND_EVENT;
	to->tid = common.pid;
	to->tsc = from.time;
	*body = (struct fargs_event_body){ .bytes = from.bytes };
	memcpy(body + 1, p + sizeof(from), from.bytes);
	return finish(to, (uint8_t *)(body + 1) + from.bytes);
}

static int read_lost(const uint8_t *p, size_t bytes, struct fargs_record *to, uint64_t *lost)
{
	struct lost from;

	if (bytes < sizeof(from))
		return -EIO;
	memcpy(&from, p, sizeof(from));
	*lost += from.lost;
	to->kind = FARGS_KIND_LOST;
	return finish(to, put_end(put_value((uint8_t *)(to + 1), "lost", FARGS_TYPE_U64,
					    from.lost)));
}

/*
 * Converts a COMM record: a task has a new name, by exec(2) or otherwise. If exec(2) changed the
 * task's tid, the record has the new tid.
 */
static int read_comm(const uint8_t *p, size_t bytes, struct fargs_record *to)
{
	uint8_t *end = (uint8_t *)(to + 1);
	struct comm from;

	if (bytes <= sizeof(from))
		return -EIO;
	memcpy(&from, p, sizeof(from));
	to->kind = FARGS_KIND_TASK;
	to->tid = from.tid;
	end = put_value(end, "rename", FARGS_TYPE_S32, from.tid);
	end = put_value(end, "tgid", FARGS_TYPE_S32, from.pid);
	end = put_comm(end, (const char *)p + sizeof(from), bytes - sizeof(from));
	return finish(to, put_end(end));
}

static int read_fork(const uint8_t *p, size_t bytes, struct fargs_record *to)
{
	uint8_t *end = (uint8_t *)(to + 1);
	struct fork from;

	if (bytes < sizeof(from))
		return -EIO;
	memcpy(&from, p, sizeof(from));
	to->kind = FARGS_KIND_TASK;
	to->tid = from.ptid;
	end = put_value(end, "fork", FARGS_TYPE_S32, from.tid);
	end = put_value(end, "tgid", FARGS_TYPE_S32, from.pid);
	end = put_comm(end, "", 0);
	return finish(to, put_end(end));
}

int fargs_sample_read(const void *p, size_t bytes, struct fargs_record *to, uint64_t *lost)
{
	const uint8_t *body = (const uint8_t *)p + sizeof(struct perf_event_header);
	struct perf_event_header head;
	struct sample_id id;

	if (bytes < sizeof(head))
		return -EIO;
	memcpy(&head, p, sizeof(head));
	if (head.size != bytes)
		return -EIO;
	bytes -= sizeof(head);
	memset(to, 0, sizeof(*to));
	to->flags = FARGS_RECORD_NS;
	if (head.type == PERF_RECORD_SAMPLE)
		return read_sample(body, bytes, to);
	if (head.type != PERF_RECORD_LOST && head.type != PERF_RECORD_COMM &&
	    head.type != PERF_RECORD_FORK)
		return 0;
	if (bytes < sizeof(id))
		return -EIO;
	bytes -= sizeof(id);
	memcpy(&id, body + bytes, sizeof(id));
	to->tid = id.tid;
	to->tsc = id.time;
	return head.type == PERF_RECORD_LOST ? read_lost(body, bytes, to, lost) :
	       head.type == PERF_RECORD_COMM ? read_comm(body, bytes, to) :
					       read_fork(body, bytes, to);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Context: Any context, NMI included. Preemption is disabled. Not traced (Kbuild). */
#include "ring/record.h"

#include <linux/sched.h>
#include <linux/string.h>

/* Reserves room for a LOST or TASK record. These may use the headroom, so few of them are lost. */
static notrace void *reserve_headroom(struct fargs_ring *ring, u32 len,
				      struct fargs_arch_time *time, u64 *pos)
{
	void *record = NULL;
	u64 head;

	fargs_arch_inc(&ring->reserving);
	do {
		head = READ_ONCE(ring->head);
		if (!fargs_ring_renew(ring, head, len, FARGS_RING_HEADROOM))
			goto out;
	} while (!fargs_arch_time_cmpxchg(&ring->head, head, head + len, pos, time));
	record = fargs_ring_at(ring, *pos);
out:
	fargs_arch_dec(&ring->reserving);
	return record;
}

static notrace void fill_header(struct fargs_record *record, u32 len, enum fargs_kind kind,
				const struct fargs_ring *ring,
				const struct fargs_arch_time *time)
{
	memset(record, 0, sizeof(*record));
	record->len = len;
	record->kind = kind;
	record->tid = current->pid;
	fargs_arch_time_store(&record->tsc, time);
	record->seq = READ_ONCE(ring->seq);
	fargs_record_fill_context(record, current, 1);
}

/* Appends the name and the type of a value. Returns where the value's data must be written. */
static notrace u8 *put_name(u8 *at, const char *name, enum fargs_type type)
{
	size_t bytes = strlen(name) + 1;

	memcpy(at, name, bytes);
	at[bytes] = type;
	return at + bytes + 1;
}

static notrace u8 *put_u64(u8 *at, const char *name, enum fargs_type type, u64 value)
{
	at = put_name(at, name, type);
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static notrace void put_end(struct fargs_record *record, u8 *at)
{
	memset(at, 0, (u8 *)record + record->len - at);
}

#define LOST_BYTES \
	ALIGN(sizeof(struct fargs_record) + sizeof("lost") + 1 + 8 + 2, FARGS_RECORD_ALIGN)

static notrace void write_lost(struct fargs_ring *ring)
{
	long lost = local_xchg(&ring->lost_pending, 0);
	struct fargs_arch_time time;
	struct fargs_record *record;
	u64 pos;

	if (!lost)
		return;
	record = reserve_headroom(ring, LOST_BYTES, &time, &pos);
	if (!record) {
		local_add(lost, &ring->lost_pending);
		return;
	}
	fill_header(record, LOST_BYTES, FARGS_KIND_LOST, ring, &time);
	put_end(record, put_u64((u8 *)(record + 1), "lost", FARGS_TYPE_U64, lost));
	fargs_ring_publish(ring, pos);
}

static notrace bool make_room(struct fargs_ring *ring, u32 len)
{
	u32 more = local_read(&ring->lost_pending) ? LOST_BYTES : 0;

	if (!fargs_ring_renew(ring, READ_ONCE(ring->head), len + more, FARGS_RING_ORDINARY))
		return false;
	if (more)
		write_lost(ring);
	return true;
}

/* Does the work of fargs_record_reserve_slow(), except that it counts no loss. */
static notrace bool reserve_or_fail(struct fargs_ring *ring, u32 len,
				    struct fargs_arch_time *time, u64 *pos)
{
	bool is_reserved = false;

	fargs_arch_inc(&ring->reserving);
	/* Another writer may interrupt this one and use up the room: in that case, try again. */
	while (!is_reserved && make_room(ring, len))
		is_reserved = fargs_record_reserve(ring, &len, time, pos);
	fargs_arch_dec(&ring->reserving);
	return is_reserved;
}

bool notrace fargs_record_reserve_slow(struct fargs_ring *ring, u32 len,
				       struct fargs_arch_time *time, u64 *pos)
{
	if (reserve_or_fail(ring, len, time, pos))
		return true;
	local_inc(&ring->lost);
	local_inc(&ring->lost_pending);
	return false;
}

#define TASK_BYTES \
	ALIGN(sizeof(struct fargs_record) + sizeof("rename") + 1 + 8 + sizeof("tgid") + 1 + 8 + \
	      sizeof("comm") + 1 + 2 + FARGS_COMM_LEN + 2, FARGS_RECORD_ALIGN)

void notrace fargs_record_write_task(struct fargs_ring *ring, const struct fargs_record_task *task)
{
	struct fargs_record *record;
	const u16 comm_len = FARGS_COMM_LEN;
	struct fargs_arch_time time;
	u64 pos;
	u8 *at;

	record = reserve_headroom(ring, TASK_BYTES, &time, &pos);
	if (!record) {
		local_inc(&ring->lost_tasks);
		return;
	}
	fill_header(record, TASK_BYTES, FARGS_KIND_TASK, ring, &time);
	at = put_u64((u8 *)(record + 1), task->event, FARGS_TYPE_S32, task->event_tid);
	at = put_u64(at, "tgid", FARGS_TYPE_S32, task->tgid);
	at = put_name(at, "comm", FARGS_TYPE_BYTES);
	memcpy(at, &comm_len, sizeof(comm_len));
	at += sizeof(comm_len);
	memset(at, 0, FARGS_COMM_LEN);
	/* A new name may be too long: truncate it, as the kernel will do. */
	memcpy(at, task->comm, strnlen(task->comm, FARGS_COMM_LEN - 1));
	put_end(record, at + FARGS_COMM_LEN);
	fargs_ring_publish(ring, pos);
}

#define SWITCH_BYTES \
	ALIGN(sizeof(struct fargs_record) + sizeof("switch") + 1 + 8 + sizeof("tgid") + 1 + 8 + \
	      sizeof("state") + 1 + 8 + sizeof("nr") + 1 + 8 + 2, FARGS_RECORD_ALIGN)

/* Does not use the headroom: SWITCH records are so frequent that they would fill it. */
void notrace fargs_record_write_switch(struct fargs_ring *ring, const struct task_struct *next,
				       u32 state)
{
	u64 nr = READ_ONCE(ring->switches), pos;
	const u32 len = SWITCH_BYTES;
	struct fargs_arch_time time;
	struct fargs_record *record;
	u8 *at;

	fargs_arch_inc(&ring->switches);
	if (!fargs_record_reserve(ring, &len, &time, &pos) &&
	    !reserve_or_fail(ring, len, &time, &pos)) {
		local_inc(&ring->lost_switches);
		return;
	}
	record = fargs_ring_at(ring, pos);
	fill_header(record, SWITCH_BYTES, FARGS_KIND_SWITCH, ring, &time);
	at = put_u64((u8 *)(record + 1), "switch", FARGS_TYPE_S32, next->pid);
	at = put_u64(at, "tgid", FARGS_TYPE_S32, next->tgid);
	at = put_u64(at, "state", FARGS_TYPE_U32, state);
	put_end(record, put_u64(at, "nr", FARGS_TYPE_U64, nr));
	fargs_ring_publish(ring, pos);
}

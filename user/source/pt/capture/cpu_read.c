// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/cpu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/array.h"
#include "source/pt/capture/cpu_sample.h"

/* Maximum bytes of trace in one chunk. */
#define AUX_CHUNK_MAX	(1u << 20)
/* Upper limit of the size of a perf record: perf_event_header.size has 16 bits. */
#define RECORD_MAX	65536u

/* State of reading one ring. */
struct reading {
	struct fargs_pt_cpu *cpu;
	enum fargs_pt_ring ring;
	const struct fargs_pt_sink *sink;
	struct fargs_pt_code_events *code_events;
	struct fargs_error_text *err;
};

static int write_some(void *arg, const void *records, size_t bytes)
{
	struct reading *r = arg;
	struct fargs_file_pt_sideband head = { .ring = r->ring };
	struct iovec iov[2] = { { &head, sizeof(head) }, { (void *)records, bytes } };

	return r->sink->chunk(r->sink->arg, FARGS_CHUNK_PT_SIDEBAND, r->cpu->nr, iov, false,
			      r->err);
}

static int write_records(struct reading *r)
{
	size_t bytes = r->cpu->nr_records;

	r->cpu->nr_records = 0;
	return bytes ? write_some(r, r->cpu->records, bytes) : 0;
}

static int add_cut(struct fargs_pt_cpu *cpu, uint64_t at)
{
	uint64_t *to = fargs_array_push(cpu->cuts, cpu->nr_cuts, cpu->cuts_room);

	if (!to)
		return -ENOMEM;
	*to = at;
	return 0;
}

/* Flags that report lost packets. */
#define MISSING	(PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION)

/* Body of PERF_RECORD_AUX, after struct perf_event_header. */
struct aux {
	uint64_t offset, size, flags;
};

static int note_aux(struct fargs_pt_cpu *cpu, const void *body, size_t bytes)
{
	struct aux aux;

	if (bytes < sizeof(aux))
		return -EIO;
	memcpy(&aux, body, sizeof(aux));
	cpu->stats.nr_truncated += !!(aux.flags & PERF_AUX_FLAG_TRUNCATED);
	cpu->is_stopped |= aux.flags & PERF_AUX_FLAG_TRUNCATED;
	cpu->stats.nr_partial += !!(aux.flags & PERF_AUX_FLAG_PARTIAL);
	cpu->stats.nr_collisions += !!(aux.flags & PERF_AUX_FLAG_COLLISION);
	/*
	 * In overwrite mode, gaps are found by comparing copies (snapshot.h, and for samples
	 * source/pt/input/copies.h).
	 */
	if (!cpu->request->is_snapshot && !cpu->request->is_sampled && aux.flags & MISSING)
		return add_cut(cpu, aux.offset + aux.size);
	return 0;
}

static int take_record(void *arg, const void *record, size_t bytes)
{
	const struct perf_event_header *head = record;
	struct reading *r = arg;
	struct fargs_pt_cpu *cpu = r->cpu;
	struct fargs_pt_output_record output;
	int ret = 0;

	if (r->ring == FARGS_PT_RING_PT && head->type == PERF_RECORD_AUX)
		ret = note_aux(cpu, head + 1, bytes - sizeof(*head));
	else if (r->ring == FARGS_PT_RING_PT && head->type == PERF_RECORD_AUX_OUTPUT_HW_ID)
		ret = fargs_pt_cpu_take_output(cpu, &record, bytes, &output);
	else if (r->ring == FARGS_PT_RING_SIDE)
		ret = fargs_pt_code_events_parse(r->code_events, record, bytes);
	if (ret == -ENOMEM)
		return fargs_fail(r->err, ENOMEM, "no memory for Intel PT");
	if (!ret && head->type == PERF_RECORD_SAMPLE && r->ring == FARGS_PT_RING_PT)
		return fargs_pt_cpu_take_sample(cpu, record, bytes, r->sink, r->err);
	/* Samples of module tracepoints are not written, only the modules' code. */
	if (ret || head->type == PERF_RECORD_SAMPLE)
		return ret;
	if (cpu->request->is_snapshot)
		return fargs_pt_sideband_buffer_add(cpu->sideband_buffers[r->ring], record) ?
		       fargs_fail(r->err, ENOMEM, "no memory for Intel PT") : 0;
	if (cpu->nr_records + bytes > FARGS_PT_RECORDS_MAX)
		ret = write_records(r);
	if (ret)
		return ret;
	memcpy(cpu->records + cpu->nr_records, record, bytes);
	cpu->nr_records += bytes;
	return 0;
}

static int read_ring(struct fargs_pt_cpu *cpu, enum fargs_pt_ring ring,
		     const struct fargs_pt_sink *sink, struct fargs_pt_code_events *code_events,
		     struct fargs_error_text *err)
{
	struct reading r = { cpu, ring, sink, code_events, err };
	int ret;

	_Static_assert(FARGS_PT_RECORDS_MAX >= RECORD_MAX, "there is room for any record");
	err->text[0] = '\0';
	ret = fargs_perf_ring_read(&cpu->rings[ring], take_record, &r);
	if (!ret)
		ret = write_records(&r);
	if (!ret)
		ret = fargs_pt_cpu_write_samples(cpu, sink, err);
	if (ret && !err->text[0])
		fargs_fail(err, EIO, "the sideband buffer of CPU %u is corrupt",
			   cpu->nr);
	return ret;
}

/*
 * Writes @bytes of the AUX buffer, starting at @from and wrapping at the end of the buffer. There
 * must be no gap in these bytes.
 */
static int write_aux(struct fargs_pt_cpu *cpu, uint64_t from, uint64_t bytes, bool is_lagging,
		     const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	uint64_t n, size = cpu->request->aux_bytes;
	struct fargs_file_pt_aux head;
	int ret = 0;

	for (; !ret && bytes; bytes -= n, from += n) {
		from &= size - 1;
		n = bytes < size - from ? bytes : size - from;
		if (n > AUX_CHUNK_MAX)
			n = AUX_CHUNK_MAX;
		head = (struct fargs_file_pt_aux){
			.offset = cpu->aux_base + cpu->aux_at, .flags = cpu->next_flags,
		};
		struct iovec iov[2] = {
			{ &head, sizeof(head) }, { (char *)cpu->aux + from, n },
		};

		ret = sink->chunk(sink->arg, FARGS_CHUNK_PT_AUX, cpu->nr, iov, is_lagging, err);
		cpu->aux_at += n;
		cpu->stats.aux_bytes += n;
		cpu->next_flags = 0;
	}
	return ret;
}

/*
 * Writes the trace up to @head, split at the offsets where packets were lost (cpu->cuts), so that
 * no part contains a gap.
 */
static int write_parts(struct fargs_pt_cpu *cpu, uint64_t head, const struct fargs_pt_sink *sink,
		       struct fargs_error_text *err)
{
	bool is_lagging = head - cpu->aux_at > cpu->request->aux_bytes / 2;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < cpu->nr_cuts && cpu->cuts[i] <= head; i++) {
		if (cpu->cuts[i] > cpu->aux_at)
			ret = write_aux(cpu, cpu->aux_at, cpu->cuts[i] - cpu->aux_at, is_lagging,
					sink, err);
		cpu->next_flags = FARGS_PT_AUX_BEGINS | FARGS_PT_AUX_AFTER_LOSS;
	}
	/*
	 * Keep the elements of cpu->cuts after @head: AUX records may have been written after
	 * aux_head was read.
	 */
	memmove(cpu->cuts, cpu->cuts + i, (cpu->nr_cuts - i) * sizeof(*cpu->cuts));
	cpu->nr_cuts -= i;
	return ret ? ret : write_aux(cpu, cpu->aux_at, head - cpu->aux_at, is_lagging, sink, err);
}

/*
 * When the buffer is full, the kernel stops the trace at once and disables the event a moment
 * later; only a disabled event can be enabled. Linux 6.1 never disables the event on CPU 0: it sets
 * event->pending_disable to the CPU's number, and 0 means that nothing is pending. Disabling the
 * event here works in any case, and cancels a pending disable.
 */
static int restart_trace(struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	int ret = fargs_pt_cpu_switch(cpu, false, err);

	cpu->is_stopped = false;
	return ret ? ret : fargs_pt_cpu_switch(cpu, true, err);
}

static int read_aux(struct fargs_pt_cpu *cpu, const struct fargs_pt_sink *sink,
		    struct fargs_pt_code_events *code_events, struct fargs_error_text *err)
{
	const struct fargs_perf_ring *ring = &cpu->rings[FARGS_PT_RING_PT];
	struct perf_event_mmap_page *page = ring->map;
	/*
	 * Pairs with the kernel's barrier before it stores aux_head: the kernel writes the trace,
	 * then the AUX record, then aux_head.
	 */
	uint64_t head = __atomic_load_n(&page->aux_head, __ATOMIC_ACQUIRE);
	int ret;

	if (head - cpu->aux_at > cpu->request->aux_bytes)
		return fargs_fail(err, EIO, "the AUX area of CPU %u is corrupt",
				  cpu->nr);
	/* Read AUX records after aux_head, so that all gaps up to this offset are known. */
	ret = read_ring(cpu, FARGS_PT_RING_PT, sink, code_events, err);
	if (!ret)
		ret = write_parts(cpu, head, sink, err);
	/*
	 * CPU A (here) reads the trace, then stores aux_tail; CPU B (the kernel) loads aux_tail,
	 * then overwrites the trace: the release pairs with the kernel's control dependency on
	 * aux_tail.
	 *
	 * Only whole pages are released. If aux_tail were inside a page, and less than a page were
	 * free, the kernel would compute the end of the free space as if it lay before aux_head,
	 * wrap around, and overwrite unread data (Documentation/kernels.md).
	 */
	__atomic_store_n(&page->aux_tail, cpu->aux_at & ~(uint64_t)(ring->page - 1),
			 __ATOMIC_RELEASE);
	if (ret || !cpu->is_stopped || !cpu->is_on)
		return ret;
	/*
	 * Do not restart the trace while a cut (offset of lost packets) is left: it lies after
	 * @head, so the trace has not been read to its end.
	 */
	return cpu->nr_cuts ? 0 : restart_trace(cpu, err);
}

int fargs_pt_cpu_read(struct fargs_pt_cpu *cpu, const struct fargs_pt_sink *sink,
		      struct fargs_pt_code_events *code_events, struct fargs_error_text *err)
{
	int ret;

	if (!cpu->aux)
		return 0;
	ret = read_ring(cpu, FARGS_PT_RING_SIDE, sink, code_events, err);
	if (ret)
		return ret;
	return cpu->request->is_snapshot || cpu->request->is_sampled ?
	       read_ring(cpu, FARGS_PT_RING_PT, sink, code_events, err) :
	       read_aux(cpu, sink, code_events, err);
}

int fargs_pt_cpu_keep(struct fargs_pt_cpu *cpu, bool is_first, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *err)
{
	struct perf_event_mmap_page *page = cpu->rings[FARGS_PT_RING_PT].map;
	struct reading r = { .cpu = cpu, .sink = sink, .err = err };
	size_t from, bytes;
	bool is_next;
	int ret = 0;

	if (!cpu->aux)
		return 0;
	for (r.ring = 0; !ret && r.ring < FARGS_PT_RINGS; r.ring++)
		ret = fargs_pt_sideband_buffer_take(cpu->sideband_buffers[r.ring],
						    FARGS_PT_RECORDS_MAX, write_some, &r);
	is_next = fargs_pt_snapshot_take(&cpu->snapshot, cpu->aux,
					 __atomic_load_n(&page->aux_head, __ATOMIC_ACQUIRE), &from,
					 &bytes);
	if (is_first || !is_next)
		cpu->next_flags = FARGS_PT_AUX_BEGINS;
	return ret ? ret : write_aux(cpu, from, bytes, false, sink, err);
}

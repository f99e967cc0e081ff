// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/vm_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/buf.h"
#include "base/plural.h"
#include "base/put.h"
#include "base/row.h"
#include "cmd/screen/cmd.h"
#include "source/pt/events/log_packets.h"
#include "source/pt/trace/packet_text.h"

/* A line of the log has the PADs after a packet, up to that many bytes together, as perf's. */
#define LINE_PADDED	8
#define PLACE_BYTES	64

static const char *where(const struct fargs_vm_report *r, const uint8_t *at,
			 char place[PLACE_BYTES])
{
	uint64_t offset = r->offset + (at - r->bytes);

	if (r->cpu != UINT32_MAX)
		snprintf(place, PLACE_BYTES, "CPU %" PRIu32 ", byte 0x%" PRIx64, r->cpu, offset);
	else
		snprintf(place, PLACE_BYTES, "thread %" PRIu32 ", byte 0x%" PRIx64, r->tid, offset);
	return place;
}

static void write_log(struct fargs_vm_report *r, struct fargs_buf *line)
{
	errno = 0;
	if (line->is_short)
		r->log_error = -ENOMEM;
	else if (fwrite(line->text, 1, line->n, r->log) != line->n)
		r->log_error = errno ? -errno : -EIO;
}

static void log_packet(struct fargs_vm_report *r, const struct fargs_pt_guest_tsc_event *ev)
{
	const uint8_t *to = ev->at + ev->packet->size;
	struct fargs_buf line = { };

	if (ev->at < r->logged)
		return;
	while (to < r->end && to - ev->at < LINE_PADDED && !*to)
		to++;
	r->logged = to;
	fargs_pt_log_put_bytes(&line, 2, r->offset + (ev->at - r->bytes), ev->at, to - ev->at);
	fargs_pt_packet_put_text(&line, ev->packet);
	fargs_put_char(&line, '\n');
	write_log(r, &line);
	fargs_buf_deinit(&line);
}

/* In the words of perf. */
static void log_change(struct fargs_vm_report *r, const struct fargs_pt_guest_tsc_event *ev)
{
	uint64_t none = UINT64_C(0xffffffffff);

	if (fprintf(r->log, "Translated VM TSC 0x%" PRIx64 " -> 0x%" PRIx64 "    VMCS 0x%" PRIx64
		    "    TSC Offset 0x%" PRIx64 "\n", ev->old, ev->now,
		    ev->vmcs && ev->vmcs->is_known ? ev->vmcs->page : none,
		    ev->vmcs && ev->vmcs->is_known ? ev->vmcs->offset : ev->old - ev->now) < 0)
		r->log_error = -errno;
}

/* Prints an error, unless it was printed before and is counted. */
static void put_error(struct fargs_vm_report *r, const struct fargs_pt_guest_tsc_event *ev)
{
	uint64_t page = ev->vmcs ? ev->vmcs->page : 0;
	bool is_first = r->nr[ev->kind] == 1;
	char place[PLACE_BYTES];

	where(r, ev->at, place);
	switch (ev->kind) {
	case FARGS_PT_GUEST_TSC_UNKNOWN:
		if (ev->vmcs->nr_unknown == 1)
			cmd_fail("ERROR: the TSC offset of VMCS 0x%" PRIx64 " is unknown (%s): the "
				 "time is that of the crystal clock", page, place);
		break;
	case FARGS_PT_GUEST_TSC_FIRST:
		if (is_first)
			cmd_fail("ERROR: the TSC offset of VMCS 0x%" PRIx64 " is unknown (%s), and "
				 "nothing precedes it: its TSC remains", page, place);
		break;
	case FARGS_PT_GUEST_TSC_NO_VMCS:
		if (is_first)
			cmd_fail("ERROR: a TSC of a guest without a VMCS (%s)", place);
		break;
	case FARGS_PT_GUEST_TSC_NO_TMA:
		if (is_first)
			cmd_fail("ERROR: a TSC without a TMA (%s), which remains", place);
		break;
	case FARGS_PT_GUEST_TSC_BAD:
		if (is_first)
			cmd_fail("ERROR: no packet, or an incomplete PSB+ (%s)", place);
		break;
	case FARGS_PT_GUEST_TSC_CHANGED:
		cmd_fail("ERROR: VMCS 0x%" PRIx64 ": the TSC offset is 0x%" PRIx64 ", not 0x%"
			 PRIx64 " (%s)", page, ev->now, ev->old, place);
		break;
	case FARGS_PT_GUEST_TSC_EARLY:
	case FARGS_PT_GUEST_TSC_LATE:
		if (is_first)
			cmd_fail("ERROR: VMCS 0x%" PRIx64 ": the TSC offset is wrong: the TSC of "
				 "the host is 0x%" PRIx64 ", but cannot be %s than 0x%" PRIx64
				 " (%s)",
				 page, ev->now, ev->kind == FARGS_PT_GUEST_TSC_EARLY ? "earlier" :
				 "later", ev->old, place);
		break;
	default:
		break;
	}
}

int fargs_vm_report_put(struct fargs_vm_report *r, const struct fargs_pt_guest_tsc_event *ev)
{
	r->nr[ev->kind]++;
	switch (ev->kind) {
	case FARGS_PT_GUEST_TSC_PACKET:
		log_packet(r, ev);
		break;
	case FARGS_PT_GUEST_TSC_SET:
		if (r->log)
			log_change(r, ev);
		break;
	case FARGS_PT_GUEST_TSC_FOUND:
		break;
	default:
		put_error(r, ev);
		break;
	}
	return r->log_error;
}

static void put_vmcs(const struct fargs_pt_vmcs *vmcs)
{
	uint64_t error = vmcs->max_error + FARGS_PT_GUEST_TSC_ERROR;

	if (error < vmcs->bound)
		error = vmcs->bound;
	if (!vmcs->nr)
		return;
	printf("VMCS: 0x%" PRIx64 "  TSC Offset ", vmcs->page);
	if (vmcs->is_known)
		printf("0x%" PRIx64, vmcs->offset);
	else
		printf("unknown");
	if (vmcs->ratio)
		printf("  TSC Ratio %.9Lg",
		       ldexpl((long double)vmcs->ratio, -FARGS_PT_TSC_RATIO_BITS));
	printf("  %" PRIu64 " TSC%s", vmcs->nr, fargs_plural(vmcs->nr));
	if (vmcs->nr_derived)
		printf(", %" PRIu64 " of which show%s it within %" PRIu64 " tick%s",
		       vmcs->nr_derived, vmcs->nr_derived == 1 ? "s" : "", error,
		       fargs_plural(error));
	else if (vmcs->is_known)
		printf(", none of which shows it%s", vmcs->is_certain ? "" : " with certainty");
	putchar('\n');
}

void fargs_vm_report_end(const struct fargs_vm_report *r, const struct fargs_pt_vmcs_list *list)
{
	static const struct {
		enum fargs_pt_guest_tsc_kind kind;
		const char *what;
	} kinds[] = {
		{ FARGS_PT_GUEST_TSC_UNKNOWN, "TSCs of guests whose offset was unknown" },
		{ FARGS_PT_GUEST_TSC_FIRST, "TSCs of guests that remain" },
		{ FARGS_PT_GUEST_TSC_NO_VMCS, "TSCs of guests without a VMCS" },
		{ FARGS_PT_GUEST_TSC_NO_TMA, "TSCs without a TMA" },
		{ FARGS_PT_GUEST_TSC_BAD, "places without a packet" },
		{ FARGS_PT_GUEST_TSC_EARLY, "TSCs that are too early" },
		{ FARGS_PT_GUEST_TSC_LATE, "TSCs that are too late" },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (r->nr[kinds[i].kind] > 1)
			cmd_fail("ERROR: %" PRIu64 " %s", r->nr[kinds[i].kind], kinds[i].what);
	for (i = 0; i < list->nr && fargs_row(E7); i++)
		put_vmcs(&list->all[i]);
}

bool fargs_vm_report_is_wrong(const struct fargs_vm_report *r)
{
	int kind;

	for (kind = 0; kind < FARGS_PT_GUEST_TSC_KINDS; kind++)
		if (r->nr[kind] && fargs_pt_guest_tsc_is_wrong(kind))
			return true;
	return false;
}

bool fargs_vm_report_has_errors(const struct fargs_vm_report *r)
{
	int kind;

	for (kind = FARGS_PT_GUEST_TSC_UNKNOWN; kind < FARGS_PT_GUEST_TSC_KINDS; kind++)
		if (r->nr[kind])
			return true;
	return false;
}

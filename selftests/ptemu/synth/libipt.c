// SPDX-License-Identifier: GPL-2.0-only
#include "libipt.h"

#include <intel-pt.h>
#include <stdlib.h>
#include <string.h>

bool libipt_is_2_1(void)
{
	struct pt_version version = pt_library_version();

	return version.major > 2 || (version.major == 2 && version.minor >= 1);
}

/*
 * Events that libipt has since 2.1, whether it was there or not when this was built: the enum's
 * values, and the members of the event's union.
 */
enum new_event_type {
	EVENT_IFLAGS = 22,
	EVENT_INTERRUPT,
	EVENT_IRET,
	EVENT_SMI,
	EVENT_RSM,
	EVENT_SIPI,
	EVENT_INIT,
	EVENT_VMENTRY,
	EVENT_VMEXIT,
	EVENT_UINTR = 32,
	EVENT_UIRET,
};

#if LIBIPT_VERSION >= 0x201
_Static_assert((int)ptev_iflags == EVENT_IFLAGS && (int)ptev_uiret == EVENT_UIRET, "enum");
#endif

union new_event {
	struct pt_event event;
	struct {
		uint8_t before[offsetof(struct pt_event, variant)];
		union {
			struct { uint32_t iflag : 1; uint64_t ip; } iflags;
			struct {
				uint32_t has_cr2 : 1;
				uint8_t vector;
				uint64_t cr2, ip;
			} interrupt;
			struct { uint64_t ip; } plain;
			struct { uint8_t vector; } sipi;
			struct { uint8_t vector; uint64_t ip; } uintr;
			struct {
				uint32_t has_vector : 1, has_vmxr : 1, has_vmxq : 1;
				uint8_t vector;
				uint64_t vmxr, vmxq, ip;
			} vmexit;
		};
	} more;
};

struct decode {
	const struct machine *m;
	struct pt_insn_decoder *decoder;
	struct records *records;
	uint64_t cr3;
	bool is_guest;
};

static int read_code(uint8_t *buffer, size_t size, const struct pt_asid *asid, uint64_t ip,
		     void *context)
{
	const struct code *code = context;
	const struct code_insn *insn;
	size_t nr = 0;

	/* A read begins with an instruction, and goes on with those after it. */
	for (; nr < size && (insn = code_find(code, ip + nr)); nr += insn->size)
		memcpy(buffer + nr, insn->bytes, insn->size < size - nr ? insn->size : size - nr);
	if (!nr)
		return -pte_nomap;
	return (int)(nr < size ? nr : size);
}

static void add(struct decode *d, const struct pt_event *event, enum record_kind kind, bool has_ip,
		uint64_t ip, uint64_t a, uint64_t b)
{
	const struct record record = {
		.kind = kind, .has_ip = has_ip, .ip = has_ip ? ip : 0, .a = a, .b = b,
		.tsc = event->has_tsc ? event->tsc : 0,
	};

	records_add(d->records, &record);
}

static void add_cfe(struct decode *d, const struct pt_event *event, enum packet_cfe type,
		    uint64_t ip, uint64_t vector)
{
	add(d, event, RECORD_CFE, !event->ip_suppressed, ip, type, vector);
}

static void add_vmexit(struct decode *d, const union new_event *event)
{
	bool has_vector = event->more.vmexit.has_vector;

	if (event->more.vmexit.has_vmxq)
		add(d, &event->event, RECORD_EVD, false, 0, PACKET_EVD_VMXQ,
		    event->more.vmexit.vmxq);
	if (event->more.vmexit.has_vmxr)
		add(d, &event->event, RECORD_EVD, false, 0, PACKET_EVD_VMXR,
		    event->more.vmexit.vmxr);
	add_cfe(d, &event->event, has_vector ? PACKET_CFE_VMEXIT_INTR : PACKET_CFE_VMEXIT,
		event->more.vmexit.ip, has_vector ? event->more.vmexit.vector : 0);
}

static void add_new_event(struct decode *d, const union new_event *event)
{
	const struct pt_event *e = &event->event;

	switch ((int)e->type) {
	case EVENT_IFLAGS:
		add(d, e, RECORD_IF, !e->ip_suppressed, event->more.iflags.ip,
		    event->more.iflags.iflag, 0);
		break;
	case EVENT_INTERRUPT:
		if (event->more.interrupt.has_cr2)
			add(d, e, RECORD_EVD, false, 0, PACKET_EVD_PFA, event->more.interrupt.cr2);
		add_cfe(d, e, PACKET_CFE_INTR, event->more.interrupt.ip,
			event->more.interrupt.vector);
		break;
	case EVENT_IRET:
		add_cfe(d, e, PACKET_CFE_IRET, event->more.plain.ip, 0);
		break;
	case EVENT_SMI:
		add_cfe(d, e, PACKET_CFE_SMI, event->more.plain.ip, 0);
		break;
	case EVENT_RSM:
		add_cfe(d, e, PACKET_CFE_RSM, event->more.plain.ip, 0);
		break;
	case EVENT_SIPI:
		add(d, e, RECORD_CFE, false, 0, PACKET_CFE_SIPI, event->more.sipi.vector);
		break;
	case EVENT_INIT:
		add_cfe(d, e, PACKET_CFE_INIT, event->more.plain.ip, 0);
		break;
	case EVENT_VMENTRY:
		add_cfe(d, e, PACKET_CFE_VMENTRY, event->more.plain.ip, 0);
		break;
	case EVENT_VMEXIT:
		add_vmexit(d, event);
		break;
	case EVENT_UINTR:
		add_cfe(d, e, PACKET_CFE_UINTR, event->more.uintr.ip, event->more.uintr.vector);
		break;
	case EVENT_UIRET:
		add_cfe(d, e, PACKET_CFE_UIRET, event->more.plain.ip, 0);
		break;
	}
}

static void add_power_event(struct decode *d, const struct pt_event *e)
{
	bool has_ip = !e->ip_suppressed;

	switch (e->type) {
	case ptev_exstop:
		add(d, e, RECORD_EXSTOP, has_ip, e->variant.exstop.ip, 0, 0);
		break;
	case ptev_mwait:
		add(d, e, RECORD_MWAIT, has_ip, e->variant.mwait.ip, e->variant.mwait.hints,
		    e->variant.mwait.ext);
		break;
	case ptev_pwre:
		add(d, e, RECORD_PWRE, false, 0,
		    e->variant.pwre.state | e->variant.pwre.sub_state << 8, e->variant.pwre.hw);
		break;
	case ptev_pwrx:
		add(d, e, RECORD_PWRX, false, 0,
		    e->variant.pwrx.last | e->variant.pwrx.deepest << 8,
		    (e->variant.pwrx.interrupt ? PACKET_WAKE_INTERRUPT : 0) |
		    (e->variant.pwrx.store ? PACKET_WAKE_STORE : 0) |
		    (e->variant.pwrx.autonomous ? PACKET_WAKE_HARDWARE : 0));
		break;
	default:
		break;
	}
}

static void add_paging(struct decode *d, const struct pt_event *e, uint64_t cr3, bool is_guest)
{
	d->cr3 = cr3;
	d->is_guest = is_guest;
	if (!e->status_update)
		add(d, e, RECORD_PAGING, false, 0, cr3, is_guest);
}

/* Events that show where the trace begins and ends. */
static bool add_flow_event(struct decode *d, const struct pt_event *e)
{
	bool has_ip = !e->ip_suppressed;

	switch (e->type) {
	case ptev_enabled:
		add(d, e, RECORD_ENABLED, has_ip, e->variant.enabled.ip, 0, 0);
		return true;
	case ptev_disabled:
		add(d, e, RECORD_DISABLED, has_ip, e->variant.disabled.ip, 0, 0);
		return true;
	case ptev_async_disabled:
		add(d, e, RECORD_ASYNC_DISABLED, has_ip, e->variant.async_disabled.ip,
		    e->variant.async_disabled.at, 0);
		return true;
	case ptev_async_branch:
		add(d, e, RECORD_ASYNC, true, e->variant.async_branch.from,
		    e->variant.async_branch.to, 0);
		return true;
	case ptev_overflow:
		add(d, e, RECORD_OVERFLOW, has_ip, e->variant.overflow.ip, 0, 0);
		return true;
	case ptev_stop:
		add(d, e, RECORD_STOP, false, 0, 0, 0);
		return true;
	default:
		return false;
	}
}

static void add_event(struct decode *d, const union new_event *event)
{
	const struct pt_event *e = &event->event;

	if (e->type == ptev_paging)
		add_paging(d, e, e->variant.paging.cr3, e->variant.paging.non_root);
	if (e->type == ptev_async_paging)
		add_paging(d, e, e->variant.async_paging.cr3, e->variant.async_paging.non_root);
	if (e->status_update || add_flow_event(d, e))
		return;
	switch (e->type) {
	case ptev_vmcs:
		add(d, e, RECORD_VMCS, false, 0, e->variant.vmcs.base, 0);
		break;
	case ptev_async_vmcs:
		add(d, e, RECORD_VMCS, false, 0, e->variant.async_vmcs.base, 0);
		break;
	case ptev_tsx:
		add(d, e, RECORD_TX, !e->ip_suppressed, e->variant.tsx.ip,
		    e->variant.tsx.speculative, e->variant.tsx.aborted);
		break;
	case ptev_ptwrite:
		add(d, e, RECORD_PTWRITE, !e->ip_suppressed, e->variant.ptwrite.ip,
		    e->variant.ptwrite.payload, e->variant.ptwrite.size);
		break;
	case ptev_cbr:
		add(d, e, RECORD_CBR, false, 0, e->variant.cbr.ratio, 0);
		break;
	case ptev_mnt:
		add(d, e, RECORD_MNT, false, 0, e->variant.mnt.payload, 0);
		break;
	default:
		add_power_event(d, e);
		add_new_event(d, event);
	}
}

static unsigned int bits_of(enum pt_exec_mode mode)
{
	return mode == ptem_64bit ? 64 : mode == ptem_32bit ? 32 : 16;
}

static void add_insn(struct decode *d, const struct pt_insn *insn)
{
	struct record record = {
		.kind = RECORD_INSN, .has_ip = true, .ip = insn->ip,
		.a = d->cr3 | d->is_guest, .b = bits_of(insn->mode), .is_tx = insn->speculative,
	};
	uint32_t lost_mtc, lost_cyc;

	if (pt_insn_time(d->decoder, &record.tsc, &lost_mtc, &lost_cyc) < 0)
		record.tsc = 0;
	records_add(d->records, &record);
}

static int follow(struct decode *d, int status)
{
	union new_event event;
	struct pt_insn insn;

	for (;;) {
		while (status & pts_event_pending) {
			memset(&event, 0, sizeof(event));
			status = pt_insn_event(d->decoder, &event.event, sizeof(event));
			if (status < 0)
				return status;
			add_event(d, &event);
		}
		if (status & pts_eos)
			return 0;
		status = pt_insn_next(d->decoder, &insn, sizeof(insn));
		if (status < 0)
			return status == -pte_eos ? 0 : status;
		add_insn(d, &insn);
	}
}

static void configure(struct pt_config *config, const struct machine *m, const uint8_t *bytes,
		      size_t size)
{
	const struct machine_config *machine = &m->config;
	unsigned int i, kind;

	pt_config_init(config);
	config->begin = (uint8_t *)bytes;
	config->end = config->begin + size;
	if (machine->family) {
		config->cpu = (struct pt_cpu){ .vendor = pcv_intel, .family = machine->family,
					       .model = machine->model };
		pt_cpu_errata(&config->errata, &config->cpu);
	}
	config->cpuid_0x15_eax = machine->timing.ctc_eax;
	config->cpuid_0x15_ebx = machine->timing.ctc_ebx;
	config->mtc_freq = machine->timing.mtc_period;
	config->nom_freq = machine->timing.nominal;
	/* enable_iflags_events of struct pt_conf_flags, which headers of 2.0 do not have. */
	if (machine->order.has_event && libipt_is_2_1())
		config->flags.variant.reserved[0] |= 1 << 2;
	for (i = 0; i < machine->nr_ranges; i++) {
		uint64_t *bounds[][2] = {
			{ &config->addr_filter.addr0_a, &config->addr_filter.addr0_b },
			{ &config->addr_filter.addr1_a, &config->addr_filter.addr1_b },
			{ &config->addr_filter.addr2_a, &config->addr_filter.addr2_b },
			{ &config->addr_filter.addr3_a, &config->addr_filter.addr3_b },
		};

		kind = machine->ranges[i].is_stop ? 2 : 1;
		config->addr_filter.config.addr_cfg |= kind << i * 4;
		*bounds[i][0] = machine->ranges[i].first;
		*bounds[i][1] = machine->ranges[i].last;
	}
}

int libipt_decode(const struct machine *m, const uint8_t *bytes, size_t size,
		  struct records *records)
{
	struct decode d = { .m = m, .records = records };
	struct pt_image *image = pt_image_alloc(NULL);
	struct pt_config config;
	int status;

	configure(&config, m, bytes, size);
	d.decoder = pt_insn_alloc_decoder(&config);
	if (!image || !d.decoder)
		return -pte_nomem;
	pt_image_set_callback(image, read_code, (void *)&m->code);
	pt_insn_set_image(d.decoder, image);
	status = pt_insn_sync_forward(d.decoder);
	if (status >= 0)
		status = follow(&d, status);
	pt_insn_free_decoder(d.decoder);
	pt_image_free(image);
	return status;
}

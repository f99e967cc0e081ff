// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes a trace with libipt alone, and prints instructions and events in the format of libipt's
 * ptxed, with the address of each event that has one.
 *
 *	reference insn|block FILE.pt FILE.bin ADDRESS [iflags]
 *
 * ADDRESS: of the code in FILE.bin. "block" decodes with the block decoder, and prints events only.
 * iflags: also prints changes of the interrupt flag.
 * Compiled with the header of libipt 2.1, it runs with 2.0, too.
 */
#include <intel-pt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_file(const char *path, size_t *size)
{
	static uint8_t bytes[1 << 16];
	FILE *file = fopen(path, "rb");
	uint8_t *copy;

	*size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	if (file)
		fclose(file);
	copy = malloc(*size + 1);
	if (copy)
		memcpy(copy, bytes, *size);
	return copy;
}

static void print_ip(const char *name, uint64_t ip)
{
	printf(", %s: %016" PRIx64, name, ip);
}

/* Prints the event. Returns its address, or NULL if its kind has no address. */
static const uint64_t *print_kind(const struct pt_event *ev)
{
	switch (ev->type) {
	case ptev_enabled:
		printf("%s", ev->variant.enabled.resumed ? "resumed" : "enabled");
		return &ev->variant.enabled.ip;
	case ptev_disabled:
		printf("disabled");
		return &ev->variant.disabled.ip;
	case ptev_async_disabled:
		printf("disabled");
		print_ip("at", ev->variant.async_disabled.at);
		return &ev->variant.async_disabled.ip;
	case ptev_async_branch:
		printf("interrupt");
		print_ip("from", ev->variant.async_branch.from);
		if (!ev->ip_suppressed)
			print_ip("to", ev->variant.async_branch.to);
		return NULL;
	case ptev_paging:
		printf("paging, cr3: %016" PRIx64 "%s", ev->variant.paging.cr3,
		       ev->variant.paging.non_root ? ", nr" : "");
		return NULL;
	case ptev_async_paging:
		printf("paging, cr3: %016" PRIx64 "%s", ev->variant.async_paging.cr3,
		       ev->variant.async_paging.non_root ? ", nr" : "");
		return &ev->variant.async_paging.ip;
	case ptev_overflow:
		printf("overflow");
		return &ev->variant.overflow.ip;
	case ptev_tsx:
		printf("%s", ev->variant.tsx.aborted ? "aborted" :
		       ev->variant.tsx.speculative ? "begin transaction" : "committed");
		return &ev->variant.tsx.ip;
	case ptev_stop:
		printf("stopped");
		return NULL;
	case ptev_vmcs:
		printf("vmcs, base: %016" PRIx64, ev->variant.vmcs.base);
		return NULL;
	case ptev_async_vmcs:
		printf("vmcs, base: %016" PRIx64, ev->variant.async_vmcs.base);
		return &ev->variant.async_vmcs.ip;
	case ptev_exstop:
		printf("exstop");
		return &ev->variant.exstop.ip;
	case ptev_mwait:
		printf("mwait %" PRIx32 " %" PRIx32, ev->variant.mwait.hints,
		       ev->variant.mwait.ext);
		return &ev->variant.mwait.ip;
	case ptev_pwre:
		printf("pwre c%u.%u%s", (ev->variant.pwre.state + 1) & 15,
		       (ev->variant.pwre.sub_state + 1) & 15, ev->variant.pwre.hw ? " hw" : "");
		return NULL;
	case ptev_pwrx:
		printf("pwrx %s%s%sc%u (c%u)", ev->variant.pwrx.interrupt ? "int: " : "",
		       ev->variant.pwrx.store ? "st: " : "",
		       ev->variant.pwrx.autonomous ? "hw: " : "",
		       (ev->variant.pwrx.last + 1) & 15, (ev->variant.pwrx.deepest + 1) & 15);
		return NULL;
	case ptev_ptwrite:
		printf("ptwrite: %" PRIx64, ev->variant.ptwrite.payload);
		return &ev->variant.ptwrite.ip;
	case ptev_mnt:
		printf("mnt: %" PRIx64, ev->variant.mnt.payload);
		return NULL;
	case ptev_iflags:
		printf("interrupts %s", ev->variant.iflags.iflag ? "enabled" : "disabled");
		return &ev->variant.iflags.ip;
	case ptev_interrupt:
		printf("interrupt %u", ev->variant.interrupt.vector);
		if (ev->variant.interrupt.has_cr2)
			print_ip("cr2", ev->variant.interrupt.cr2);
		return &ev->variant.interrupt.ip;
	case ptev_iret:
		printf("iret");
		return &ev->variant.iret.ip;
	case ptev_smi:
		printf("smi");
		return &ev->variant.smi.ip;
	case ptev_rsm:
		printf("rsm");
		return &ev->variant.rsm.ip;
	case ptev_sipi:
		printf("sipi: %x", ev->variant.sipi.vector);
		return NULL;
	case ptev_init:
		printf("init");
		return &ev->variant.init.ip;
	case ptev_vmentry:
		printf("vmentry");
		return &ev->variant.vmentry.ip;
	case ptev_vmexit:
		printf("vmexit");
		if (ev->variant.vmexit.has_vector)
			printf(", intr: %u", ev->variant.vmexit.vector);
		if (ev->variant.vmexit.has_vmxr)
			print_ip("vmxr", ev->variant.vmexit.vmxr);
		if (ev->variant.vmexit.has_vmxq)
			print_ip("vmxq", ev->variant.vmexit.vmxq);
		return &ev->variant.vmexit.ip;
	case ptev_shutdown:
		printf("shutdown");
		return &ev->variant.shutdown.ip;
	case ptev_uintr:
		printf("uintr %u", ev->variant.uintr.vector);
		return &ev->variant.uintr.ip;
	case ptev_uiret:
		printf("uiret");
		return &ev->variant.uiret.ip;
	default:
		printf("event %d", ev->type);
		return NULL;
	}
}

static void print_event(const struct pt_event *ev)
{
	const uint64_t *ip;

	/* Status updates in a PSB+ are not events, and modes, ratios and times are not tested. */
	if (ev->status_update || ev->type == ptev_exec_mode || ev->type == ptev_cbr ||
	    ev->type == ptev_tick)
		return;
	printf("[");
	ip = print_kind(ev);
	if (ip && !ev->ip_suppressed)
		print_ip("ip", *ip);
	printf("]\n");
}

static void print_error(int status)
{
	printf("[error: %s]\n", pt_errstr(pt_errcode(status)));
}

/* Both decoders have the same functions. */
#define DECODE(kind, TYPE, step)							\
static int decode_##kind(struct pt_config *config, const char *path, uint64_t base)	\
{											\
	struct TYPE *d = pt_##kind##_alloc_decoder(config);				\
	struct pt_image *image = d ? pt_##kind##_get_image(d) : NULL;			\
	struct pt_event ev;								\
	int status;									\
											\
	if (!d || pt_image_add_file(image, path, 0, UINT64_MAX, NULL, base) < 0)	\
		return 1;								\
	for (status = pt_##kind##_sync_forward(d); status != -pte_eos;			\
	     status = pt_##kind##_sync_forward(d)) {					\
		while (status >= 0) {							\
			while (status >= 0 && status & pts_event_pending) {		\
				status = pt_##kind##_event(d, &ev, sizeof(ev));		\
				if (status >= 0)					\
					print_event(&ev);				\
			}								\
			if (status >= 0 && !(status & pts_eos))				\
				status = step(d);					\
			else if (status >= 0)						\
				status = -pte_eos;					\
		}									\
		if (status == -pte_eos)							\
			break;								\
		print_error(status);							\
	}										\
	pt_##kind##_free_decoder(d);							\
	return 0;									\
}

static int step_insn(struct pt_insn_decoder *d)
{
	struct pt_insn insn = { };
	int status = pt_insn_next(d, &insn, sizeof(insn));

	if (insn.iclass != ptic_error)
		printf("%016" PRIx64 "\n", insn.ip);
	return status;
}

static int step_block(struct pt_block_decoder *d)
{
	struct pt_block block = { };

	return pt_blk_next(d, &block, sizeof(block));
}

DECODE(insn, pt_insn_decoder, step_insn)
DECODE(blk, pt_block_decoder, step_block)

int main(int argc, char **argv)
{
	struct pt_config config;
	size_t size;

	if (argc < 5)
		return 2;
	pt_config_init(&config);
	config.begin = read_file(argv[2], &size);
	config.end = config.begin + size;
	if (argc > 5 && strcmp(argv[1], "block"))
		config.flags.variant.insn.enable_iflags_events = 1;
	else if (argc > 5)
		config.flags.variant.block.enable_iflags_events = 1;
	return (strcmp(argv[1], "block") ? decode_insn : decode_blk)(&config, argv[3],
								     strtoull(argv[4], NULL, 0));
}

// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/reported.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "model/event.h"
#include "source/pt/packet/packet.h"

const char *const fargs_pt_reported_names[] = {
	"payload", "exact", "cbr", "mhz", "percent", "hints", "extensions", "hw", "cstate",
	"sub_cstate", "deepest_cstate", "last_cstate", "wake_reason", "offset", "transaction",
	"cfe", "vector", "iflag", "via_branch", NULL
};

uint8_t fargs_pt_reported_kind(enum fargs_pt_item_kind kind)
{
	switch (kind) {
	case FARGS_PT_PTWRITE:
		return FARGS_EVENT_PTWRITE;
	case FARGS_PT_CBR:
	case FARGS_PT_MWAIT:
	case FARGS_PT_PWRE:
	case FARGS_PT_EXSTOP:
	case FARGS_PT_PWRX:
		return FARGS_EVENT_POWER;
	case FARGS_PT_PSB:
		return FARGS_EVENT_PSB;
	case FARGS_PT_TSX:
		return FARGS_EVENT_TRANSACTION;
	case FARGS_PT_CFE:
		return FARGS_EVENT_CFE;
	case FARGS_PT_IFLAG:
		return FARGS_EVENT_IFLAG;
	case FARGS_PT_PEBS:
		return FARGS_EVENT_SAMPLE;
	default:
		return 0;
	}
}

static __attribute__((format(printf, 2, 3))) void put(struct fargs_pt_reported *r,
						      const char *format, ...)
{
	size_t n = strlen(r->text);
	va_list args;

	va_start(args, format);
	vsnprintf(r->text + n, sizeof(r->text) - n, format, args);
	va_end(args);
}

static void add(struct fargs_pt_reported *r, const char *name, uint64_t number)
{
	r->values[r->nr_values++] = (struct fargs_pt_reported_value){
		.name = name, .number = number,
	};
}

/* Adds a value, and its text: @format is for a number of 32 bits. */
#define PUT(r, name, number, format) do {			\
	unsigned int number_ = (number);			\
								\
	add(r, name, number_);					\
	put(r, format, number_);				\
} while (0)

static void add_text(struct fargs_pt_reported *r, const char *name, const char *text)
{
	r->values[r->nr_values++] = (struct fargs_pt_reported_value){
		.name = name, .text = text,
	};
}

uint64_t fargs_pt_reported_khz(const struct fargs_pt_config *config, unsigned int *max)
{
	uint64_t tsc_hz;

	*max = config->nom_freq;
	/* The clock of the TSC is known even if times are not shown. */
	if (!config->time_mult || config->time_shift >= 64)
		return 0;
	tsc_hz = ((__uint128_t)1000000000 << config->time_shift) / config->time_mult;
	/* The bus clock is 100 MHz. */
	if (!*max)
		*max = (tsc_hz + 50000000) / 100000000;
	return *max ? tsc_hz / *max / 1000 : 0;
}

static void set_cbr(struct fargs_pt_reported *r, const struct fargs_pt_config *config,
		    unsigned int cbr)
{
	unsigned int max;
	uint64_t mhz = (cbr * fargs_pt_reported_khz(config, &max) + 500) / 1000;

	r->event = "cbr";
	PUT(r, "cbr", cbr, "cbr: %2u");
	PUT(r, "mhz", mhz, " freq: %4u MHz");
	if (max)
		PUT(r, "percent", (5 + 1000 * cbr / max) / 10, " (%3u%%)");
}

static void set_pwre(struct fargs_pt_reported *r, uint64_t payload)
{
	r->event = "pwre";
	PUT(r, "hw", payload >> 7 & 1, "hw: %u");
	PUT(r, "cstate", payload >> 12 & 15, " cstate: %u");
	PUT(r, "sub_cstate", payload >> 8 & 15, " sub-cstate: %u");
}

static void set_pwrx(struct fargs_pt_reported *r, uint64_t payload)
{
	r->event = "pwrx";
	PUT(r, "deepest_cstate", payload & 15, "deepest cstate: %u");
	PUT(r, "last_cstate", payload >> 4 & 15, " last cstate: %u");
	PUT(r, "wake_reason", payload >> 8 & 15, " wake reason: %#x");
}

static void set_tsx(struct fargs_pt_reported *r, uint64_t what)
{
	r->event = "transactions";
	add_text(r, "transaction", what & FARGS_PT_TSX_ABORT ? "abort" :
				   what & FARGS_PT_TSX_IN ? "begin" : "commit");
}

static void set_cfe(struct fargs_pt_reported *r, const struct fargs_pt_item *item,
		    const struct fargs_pt_evd *evds, unsigned int nr)
{
	/* SDM 3, "Control Flow Event (CFE) Packet" and "Event Data (EVD) Packet". */
	static const char *const cfes[32] = {
		[1] = "INTR", "IRET", "SMI", "RSM", "SIPI", "INIT", "VMENTRY", "VMEXIT",
		"VMEXIT_INTR", "SHUTDOWN", [12] = "UINTR", "UIRET",
	};
	static const char *const kinds[64] = { "PFA", "VMXQ", "VMXR" };
	const char *name = cfes[item->insn % 32];
	unsigned int i;

	r->event = "evt";
	if (name) {
		add_text(r, "cfe", name);
		put(r, "cfe: %s", name);
	} else {
		PUT(r, "cfe", item->insn, "cfe: %u");
	}
	PUT(r, "exact", item->flags & FARGS_PT_EXACT, " IP: %u");
	PUT(r, "vector", item->to, " vector: %u");
	for (i = 0; i < nr; i++) {
		name = kinds[evds[i].type % 64];
		if (name)
			put(r, " %s: %#" PRIx64, name, evds[i].payload);
		else
			put(r, " EVD_%u: %#" PRIx64, evds[i].type, evds[i].payload);
	}
}

static void set_iflag(struct fargs_pt_reported *r, const struct fargs_pt_item *item)
{
	bool is_branch = item->flags & FARGS_PT_BY_BRANCH;

	r->event = "iflag";
	add(r, "iflag", item->to);
	add(r, "via_branch", is_branch);
	put(r, "IFLAG: %d->%d %s branch", !item->to, !!item->to, is_branch ? "via" : "non");
}

static bool has_row(uint8_t kind)
{
	switch (kind) {
	case FARGS_PT_PTWRITE:
		return fargs_row(F4);
	case FARGS_PT_CBR:
		return fargs_row(F5);
	case FARGS_PT_MWAIT:
	case FARGS_PT_EXSTOP:
		return fargs_row(F6);
	case FARGS_PT_PWRE:
	case FARGS_PT_PWRX:
		return fargs_row(F7);
	case FARGS_PT_PSB:
		return fargs_row(F8);
	}
	return true;
}

void fargs_pt_reported_set(struct fargs_pt_reported *r, const struct fargs_pt_config *config,
			   const struct fargs_pt_item *item, const struct fargs_pt_evd *evds,
			   unsigned int nr)
{
	r->event = "";
	r->text[0] = '\0';
	r->nr_values = 0;
	switch (item->kind) {
	case FARGS_PT_PTWRITE:
		r->event = "ptwrite";
		PUT(r, "exact", item->flags & FARGS_PT_EXACT, "IP: %u");
		add(r, "payload", item->to);
		put(r, " payload: %#" PRIx64, item->to);
		break;
	case FARGS_PT_CBR:
		set_cbr(r, config, item->to);
		break;
	case FARGS_PT_MWAIT:
		r->event = "mwait";
		PUT(r, "hints", item->to & 0xff, "hints: %#x");
		PUT(r, "extensions", item->to >> 32 & 3, " extensions: %#x");
		break;
	case FARGS_PT_PWRE:
		set_pwre(r, item->to);
		break;
	case FARGS_PT_EXSTOP:
		r->event = "exstop";
		PUT(r, "exact", item->flags & FARGS_PT_EXACT, "IP: %u");
		break;
	case FARGS_PT_PWRX:
		set_pwrx(r, item->to);
		break;
	case FARGS_PT_PSB:
		r->event = "psb";
		add(r, "offset", item->offset);
		put(r, "psb offs: %#" PRIx64, item->offset);
		break;
	case FARGS_PT_TSX:
		set_tsx(r, item->to);
		break;
	case FARGS_PT_CFE:
		set_cfe(r, item, evds, nr);
		break;
	case FARGS_PT_IFLAG:
		set_iflag(r, item);
		break;
	}
	if (!has_row(item->kind))
		strcpy(r->text, "?");
}

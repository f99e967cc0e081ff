// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/named.h"

#include <stdio.h>

#include "kernel/sym/ksyms.h"
#include "model/event_kind.h"
#include "model/event_record.h"
#include "model/formats.h"

static const char *name_event(struct fargs_decoder *d, const struct fargs_event *ev,
			      char buf[FARGS_NAMED_MAX])
{
	struct fargs_format_head head;

	fargs_formats_head(fargs_decoder_formats(d), &ev->formatted, &head);
	if (head.name)
		snprintf(buf, FARGS_NAMED_MAX, "%s:%s", head.system, head.name);
	else
		snprintf(buf, FARGS_NAMED_MAX, "event %u", head.id);
	return buf;
}

const char *fargs_named(struct fargs_decoder *d, const struct fargs_event *ev,
			char buf[FARGS_NAMED_MAX])
{
	const struct fargs_ksym *sym;

	switch (ev->kind) {
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
	case FARGS_KIND_TPOINT:
		if (ev->func)
			return ev->func->name;
		sym = fargs_decoder_symbol(d, ev->ip);
		if (sym)
			return sym->name;
		snprintf(buf, FARGS_NAMED_MAX, "0x%llx", (unsigned long long)ev->ip);
		return buf;
	case FARGS_KIND_EVENT:
		return name_event(d, ev, buf);
	case FARGS_EVENT_SAMPLE:
	case FARGS_EVENT_BRANCH:
	case FARGS_EVENT_INSN:
	case FARGS_EVENT_PTWRITE:
	case FARGS_EVENT_POWER:
	case FARGS_EVENT_PSB:
	case FARGS_EVENT_TRANSACTION:
	case FARGS_EVENT_CFE:
	case FARGS_EVENT_IFLAG:
		return ev->sample->event;
	case FARGS_EVENT_ERROR:
		return "error";
	case FARGS_KIND_LOST:
		return "lost";
	case FARGS_KIND_SWITCH:
		return "switch";
	default:
		return NULL;
	}
}

const char *fargs_named_kind(const struct fargs_event *ev)
{
	const char *name = fargs_event_kind_name(ev->kind);

	return name ? name : "lost";
}

bool fargs_named_is_graph(const struct fargs_event *ev)
{
	return ev->is_pair;
}

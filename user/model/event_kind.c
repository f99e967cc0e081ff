// SPDX-License-Identifier: GPL-2.0-only
#include "model/event_kind.h"

#include <stddef.h>

#include "model/event.h"
#include "model/event_record.h"

const char *fargs_event_kind_name(uint8_t kind)
{
	switch (kind) {
	case FARGS_KIND_ENTRY:
		return "call";
	case FARGS_KIND_RETURN:
		return "return";
	case FARGS_KIND_TPOINT:
		return "tracepoint";
	case FARGS_KIND_EVENT:
		return "event";
	case FARGS_KIND_SWITCH:
		return "switch";
	case FARGS_KIND_LOST:
		return "lost";
	case FARGS_EVENT_SAMPLE:
		return "sample";
	case FARGS_EVENT_BRANCH:
		return "branch";
	case FARGS_EVENT_INSN:
		return "instruction";
	case FARGS_EVENT_ERROR:
		return "error";
	case FARGS_EVENT_PTWRITE:
		return "ptwrite";
	case FARGS_EVENT_POWER:
		return "power";
	case FARGS_EVENT_PSB:
		return "psb";
	case FARGS_EVENT_TRANSACTION:
		return "transaction";
	case FARGS_EVENT_CFE:
		return "cfe";
	case FARGS_EVENT_IFLAG:
		return "iflag";
	default:
		return NULL;
	}
}

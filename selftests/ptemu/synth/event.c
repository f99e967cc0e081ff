// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts, VM exits and other events that happen before an instruction. */
#include "machine.h"
#include "transfer.h"

static void add_evd(struct transfer *t, enum packet_evd type, uint64_t payload)
{
	t->evd[t->nr_evd].type = type;
	t->evd[t->nr_evd++].payload = payload;
}

/* The order of EVDs is that of libipt's ptet-vmexit-vmentry.ptt. */
static void set_vmexit(struct transfer *t, const struct machine_target *target)
{
	if (target->has_qualification)
		add_evd(t, PACKET_EVD_VMXQ, target->qualification);
	if (target->has_reason)
		add_evd(t, PACKET_EVD_VMXR, target->reason);
	t->cfe = target->vector < 0 ? PACKET_CFE_VMEXIT : PACKET_CFE_VMEXIT_INTR;
}

static void set_event(struct machine *m, struct transfer *t, enum machine_event event,
		      const struct machine_target *target)
{
	t->has_cfe = event != MACHINE_ABORT;
	t->vector = target->vector < 0 ? 0 : (uint8_t)target->vector;
	switch (event) {
	case MACHINE_INTERRUPT:
		if (target->has_pfa)
			add_evd(t, PACKET_EVD_PFA, target->pfa);
		t->cfe = PACKET_CFE_INTR;
		m->cpl = 0;
		break;
	case MACHINE_VMEXIT:
		set_vmexit(t, target);
		m->cpu.is_guest = false;
		m->cpu.cr3 = m->host_cr3;
		t->has_pip = true;
		m->cpl = 0;
		break;
	case MACHINE_SMI:
		t->cfe = PACKET_CFE_SMI;
		m->is_trace_en = false;
		break;
	case MACHINE_ABORT:
		t->is_abort = true;
		m->cpu.is_in_tx = false;
		m->nr_nested = 0;
		break;
	case MACHINE_UINTR:
		t->cfe = PACKET_CFE_UINTR;
		break;
	case MACHINE_INIT:
		t->cfe = PACKET_CFE_INIT;
		t->to = m->ip;
		m->is_waiting = true;
		break;
	case MACHINE_SIPI:
		/* It has no source: the TIP.PGE shows where the CPU starts (libipt's
		 * ptet-init-sipi.ptt).
		 */
		t->kind = TRANSFER_FAR;
		t->cfe = PACKET_CFE_SIPI;
		m->is_waiting = false;
		m->cpl = 0;
		break;
	}
}

const char *machine_event(struct machine *m, enum machine_event event,
			  const struct machine_target *target)
{
	struct transfer t = { .kind = TRANSFER_ASYNC, .from = m->ip, .to = target->ip };

	if (!m->is_started)
		return "the CPU was not started";
	if (m->is_waiting ? event != MACHINE_SIPI : event == MACHINE_SIPI)
		return "a SIPI follows an INIT, and nothing else does";
	if (event == MACHINE_ABORT && !m->abort_ip)
		return "there is no transaction";
	if (event == MACHINE_VMEXIT && !m->cpu.is_guest)
		return "there is no guest";
	if (event == MACHINE_ABORT)
		t.to = m->abort_ip;
	machine_advance(m);
	t.before = machine_state(m);
	set_event(m, &t, event, target);
	transfer_apply(m, target, &t);
	return transfer_run(m, &t);
}

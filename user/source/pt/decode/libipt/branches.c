// SPDX-License-Identifier: GPL-2.0-only
/*
 * Determines the kind of each branch, which libipt does not report exactly, and its target, which
 * is the address of the next instruction.
 */
#include "source/pt/decode/libipt/state.h"

#include "source/pt/code/insn.h"

const struct fargs_pt_known_branch *fargs_pt_look_up_branch(struct fargs_pt_libipt *d)
{
	size_t i = (d->last_ip ^ d->last_ip >> 16) % FARGS_PT_KNOWN_BRANCHES;
	struct fargs_pt_known_branch *b = &d->known[i];
	uint32_t epoch = fargs_pt_is_user(d->last_ip) ? d->user_epoch : d->epoch;
	struct fargs_pt_decoded insn = { .class = FARGS_PT_CLASS_OTHER };
	uint8_t code[FARGS_PT_INSN_MAX] = { 0 };

	if (b->ip == d->last_ip && b->epoch == epoch)
		return b;
	/* An instruction may span two sections: zeros follow, and the opcode decides the class. */
	if (fargs_pt_image_read(d->image, d->last_isid, d->last_ip, code, sizeof(code)))
		fargs_pt_insn_decode(code, sizeof(code), FARGS_PT_EXEC_64, &insn);
	b->ip = d->last_ip;
	b->epoch = epoch;
	b->insn = fargs_pt_class_insn(insn.class);
	b->size = insn.size;
	b->is_indirect = insn.class == FARGS_PT_CLASS_CALL_INDIRECT ||
			 insn.class == FARGS_PT_CLASS_JUMP_INDIRECT;
	return b;
}

/*
 * Returns the kind of the last instruction according to libipt, which can classify even
 * instructions that span two sections; FAR means that the exact kind must be looked up. For
 * indirect jumps and far branches in its cache, the block decoder reports ptic_error up to 2.0, and
 * since 2.1 ptic_indirect, which older headers lack. The library may be newer than the header, so
 * all classes after the last known class are FAR.
 */
static inline enum fargs_pt_insn insn_by_class(const struct fargs_pt_libipt *d)
{
	static const uint8_t insns[] = {
		[ptic_error] = FARGS_PT_INSN_FAR,
		[ptic_other] = FARGS_PT_INSN_OTHER,
		[ptic_call] = FARGS_PT_INSN_CALL,
		[ptic_return] = FARGS_PT_INSN_RETURN,
		[ptic_jump] = FARGS_PT_INSN_JUMP,
		[ptic_cond_jump] = FARGS_PT_INSN_COND,
		[ptic_far_call] = FARGS_PT_INSN_FAR,
		[ptic_far_return] = FARGS_PT_INSN_FAR,
		[ptic_far_jump] = FARGS_PT_INSN_FAR,
		[ptic_ptwrite] = FARGS_PT_INSN_OTHER,
	};

	return d->iclass < sizeof(insns) ? insns[d->iclass] : FARGS_PT_INSN_FAR;
}

enum fargs_pt_insn fargs_pt_last_insn(struct fargs_pt_libipt *d)
{
	enum fargs_pt_insn insn = insn_by_class(d);

	return insn == FARGS_PT_INSN_FAR ? fargs_pt_look_up_branch(d)->insn : insn;
}

/*
 * Returns whether a function begins at @ip, and stores the result and the upper bits of @ip in the
 * cache entry @known.
 */
bool fargs_pt_look_up_target(struct fargs_pt_libipt *d, uint64_t ip, uint64_t *known)
{
	bool is_begin = fargs_pt_names_begins(d->begins, ip);

	*known = ip >> FARGS_PT_TARGET_BITS << 1 | is_begin;
	return is_begin;
}

static __attribute__((noinline)) void add_any_branch(struct fargs_pt_libipt *d, uint64_t ip)
{
	enum fargs_pt_insn insn = fargs_pt_last_insn(d);

	if (insn == FARGS_PT_INSN_OTHER ||
	    (insn == FARGS_PT_INSN_COND && ip - d->last_ip <= FARGS_PT_INSN_MAX &&
	     ip - d->last_ip == fargs_pt_look_up_branch(d)->size))
		return;
	/*
	 * The caller filters jumps by libipt's class. libipt does not report the class of some
	 * jumps: filter these here.
	 */
	if (insn == FARGS_PT_INSN_JUMP && d->skipped && !fargs_pt_may_begin(d, ip))
		return;
	fargs_pt_add_item(d, FARGS_PT_BRANCH, d->last_ip, ip)->insn = insn;
}

/* Calls, returns and jumps take the short path; add_any_branch() handles the rest. */
void fargs_pt_add_branch(struct fargs_pt_libipt *d, uint64_t ip)
{
	enum fargs_pt_insn insn = insn_by_class(d);

	if (insn > FARGS_PT_INSN_JUMP || d->flow->nr == d->flow->room)
		add_any_branch(d, ip);
	else if (insn != FARGS_PT_INSN_OTHER)
		fargs_pt_put_item(d, FARGS_PT_BRANCH, d->last_ip, ip)->insn = insn;
}

/*
 * Returns whether a packet reports the last branch, and sets *@lead to the kind of the packet.
 * Direct calls and jumps have no packet.
 */
static bool has_lead(struct fargs_pt_libipt *d, enum fargs_pt_led *lead)
{
	switch (fargs_pt_last_insn(d)) {
	case FARGS_PT_INSN_OTHER:
		return false;
	case FARGS_PT_INSN_COND:
		*lead = FARGS_PT_LED_BY_BIT;
		return true;
	case FARGS_PT_INSN_RETURN:
		*lead = FARGS_PT_LED_BY_RETURN;
		return true;
	case FARGS_PT_INSN_CALL:
	case FARGS_PT_INSN_JUMP:
		*lead = FARGS_PT_LED_BY_TIP;
		return fargs_pt_look_up_branch(d)->is_indirect;
	default:
		*lead = FARGS_PT_LED_BY_TIP;
		return true;
	}
}

/* Same as fargs_pt_arrive(), but adds a cycle mark if the trace reports cycles for the branch. */
void fargs_pt_arrive_counting(struct fargs_pt_libipt *d, uint64_t ip)
{
	size_t nr_items = d->flow->nr;
	enum fargs_pt_led lead;
	uint64_t nr;
	bool has_cycles;

	has_cycles = has_lead(d, &lead) && fargs_pt_cycles_take(d->cycles, lead, &nr);
	if (!(d->skipped >> d->iclass & 1) || fargs_pt_may_begin(d, ip))
		fargs_pt_add_branch(d, ip);
	if (has_cycles && d->flow->nr > nr_items)
		fargs_pt_add_cycle_mark(d, nr);
}

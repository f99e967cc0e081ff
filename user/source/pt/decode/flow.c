// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/pt/decode/cycles.h"
#include "source/pt/decode/images.h"
#include "source/pt/decode/insn.h"
#include "source/pt/decode/names.h"
#include "source/pt/decode/packets.h"
#include "source/pt/decode/stepper.h"
#include "source/pt/decode/tail.h"
#include "base/grow.h"

/*
 * What executes so many instructions without using up any trace does so for ever: code that is
 * not what it was can send libipt round in a circle of direct jumps.
 */
#define STUCK_INSNS	(4u << 20)
/* Items that there is room for at first. */
#define ITEMS_MIN	256
/* After a site so many times are told that it is. */
#define TICKS		8
/* Periods of MTC by which times may be wrong. */
#define ERROR_PERIODS	4
/* Branches whose kind and length are kept, by address. */
#define KNOWN_BRANCHES	65536
/* Where jumps have led to and whether a function begins there is kept of so many, by address. */
#define TARGET_BITS	13
#define KNOWN_TARGETS	(1u << TARGET_BITS)

struct known_branch {
	uint64_t ip;
	uint32_t epoch;			/* of the code: of the kernel's, or of the program's */
	uint8_t insn;
	uint8_t size;
	bool is_indirect;
};

struct fargs_pt_decoder {
	const struct fargs_pt_input *in;
	struct fargs_pt_images *images;
	struct fargs_pt_image *image;	/* that is in use */
	uint64_t switch_addr;
	uint64_t first_site, last_site;	/* first above last: there are none */
	uint64_t tick;			/* of the TSC, from one time that counts to the next */
	struct fargs_pt_window window;
	struct known_branch *known;
	const struct fargs_pt_names *begins;	/* jumps are items only to these; NULL: all are */
	uint64_t *targets;		/* by lower bits: upper ones, and in bit 0 what it is */
	uint64_t skipped;		/* classes of branches that are none elsewhere: bits */
	uint32_t epoch;			/* of the code: those known before may be others now */
	uint32_t user_epoch;		/* and of the program's */
	bool is_by_insn;		/* each is an item */
	bool has_cycles;		/* are wanted, and were recorded */
	bool has_programs;		/* several: which one is to be asked when one is entered */

	/* Of the segment: */
	const struct fargs_pt_segment *seg;
	struct fargs_pt_flow *flow;
	struct fargs_pt_stepper stepper;
	struct fargs_pt_cycles *cycles;	/* NULL: they are not counted */
	uint64_t tsc;
	uint64_t told[3];		/* the last times, the latest first, a tick or more apart */
	unsigned int nr_ticks;		/* to be told of */
	uint64_t poke_tsc;		/* code is changed then */
	uint64_t offset;		/* in the segment */
	uint64_t sync_offset;		/* of the PSB that was last synchronized with */
	uint64_t overflow;		/* after the last one */
	uint64_t passed;		/* what PSBs before this offset say was executed */
	const uint8_t *bytes;		/* of the segment */
	uint64_t nr_bytes;
	uint64_t nr_insns;		/* executed */
	uint64_t nr_told;		/* of these, up to the last item */
	uint64_t stuck_at;		/* so many without that the offset moves */
	size_t nr_sure;			/* items until then */
	uint64_t nr_sure_insns;
	uint64_t next_ip;		/* where libipt began to look for the next block */
	uint64_t last_ip;		/* of the instruction before */
	int last_isid;
	/* Of that, if it is a branch, and where it led to is still to come; else ptic_other. */
	enum pt_insn_class iclass;
	uint64_t aborted;		/* a transaction, at the instruction after so many */
	bool is_new;			/* nothing was executed since the PSB */
	bool is_lost;			/* what comes next does not continue what was before */
	bool is_short;			/* no memory */
	struct fargs_pt_item nowhere;
};

void fargs_pt_flow_deinit(struct fargs_pt_flow *flow)
{
	free(flow->items);
	free(flow->cycles);
	*flow = (struct fargs_pt_flow){ };
}

uint64_t fargs_pt_flow_tick(const struct fargs_pt_config *config)
{
	if (!config->has_mtc || !config->cpuid_0x15_eax || !config->cpuid_0x15_ebx)
		return 0;
	return ((uint64_t)config->cpuid_0x15_ebx << config->mtc_freq) / config->cpuid_0x15_eax + 1;
}

uint64_t fargs_pt_flow_error(const struct fargs_pt_config *config)
{
	uint64_t ticks = fargs_pt_flow_tick(config);

	if (!config->has_tsc || (!ticks && (config->has_cyc || config->has_mtc)))
		return UINT64_MAX;
	return ERROR_PERIODS * ticks;
}

static void find_sites(struct fargs_pt_decoder *d)
{
	size_t i;

	d->first_site = UINT64_MAX;
	for (i = 0; i < FARGS_PT_SITES; i++) {
		uint64_t site = d->in->sites[i];

		if (site && site < d->first_site)
			d->first_site = site;
		if (site > d->last_site)
			d->last_site = site;
	}
}

struct fargs_pt_decoder *fargs_pt_decoder_create(const struct fargs_pt_input *in,
						 struct fargs_pt_text *text,
						 uint64_t switch_addr)
{
	struct fargs_pt_decoder *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->in = in;
	d->switch_addr = switch_addr;
	d->tick = fargs_pt_flow_tick(&in->config);
	find_sites(d);
	d->images = fargs_pt_images_create(in, text, fargs_pt_flow_error(&in->config), d->tick,
					   switch_addr && in->config.has_kernel);
	d->has_programs = d->images && fargs_pt_images_are_several(d->images);
	d->known = calloc(KNOWN_BRANCHES, sizeof(*d->known));
	d->targets = calloc(KNOWN_TARGETS, sizeof(*d->targets));
	if (!d->images || !d->known || !d->targets) {
		fargs_pt_decoder_destroy(d);
		return NULL;
	}
	return d;
}

void fargs_pt_decoder_step_by_insn(struct fargs_pt_decoder *d)
{
	d->is_by_insn = true;
}

void fargs_pt_decoder_count_cycles(struct fargs_pt_decoder *d)
{
	d->has_cycles = d->in->config.has_cyc;
}

void fargs_pt_decoder_skip_jumps(struct fargs_pt_decoder *d, const struct fargs_pt_names *names)
{
	d->begins = names;
	d->skipped = UINT64_C(1) << ptic_jump | UINT64_C(1) << ptic_cond_jump;
}

void fargs_pt_decoder_destroy(struct fargs_pt_decoder *d)
{
	if (!d)
		return;
	fargs_pt_images_destroy(d->images);
	free(d->window.bytes);
	free(d->known);
	free(d->targets);
	free(d);
}

void fargs_pt_decoder_configure(struct pt_config *config, const struct fargs_pt_config *from,
				const uint8_t *bytes, uint64_t size)
{
	pt_config_init(config);
	config->begin = (uint8_t *)bytes;	/* libipt does not write to it */
	config->end = (uint8_t *)bytes + size;
	config->cpuid_0x15_eax = from->cpuid_0x15_eax;
	config->cpuid_0x15_ebx = from->cpuid_0x15_ebx;
	config->mtc_freq = from->mtc_freq;
	config->nom_freq = from->nom_freq;
	if (!from->is_intel)
		return;
	config->cpu = (struct pt_cpu){ .vendor = pcv_intel, .family = from->family,
				       .model = from->model, .stepping = from->stepping };
	/* A CPU that libipt does not know yet is decoded without errata. */
	if (pt_cpu_errata(&config->errata, &config->cpu) < 0)
		memset(&config->errata, 0, sizeof(config->errata));
}

static bool grow(struct fargs_pt_flow *flow)
{
	size_t room = flow->room ? 2 * flow->room : ITEMS_MIN;
	struct fargs_pt_item *larger = realloc(flow->items, room * sizeof(*larger));

	if (!larger)
		return false;
	flow->items = larger;
	flow->room = room;
	return true;
}

/* There is room. Most of what decoding costs beside libipt, which is why it is inline. */
static inline struct fargs_pt_item *put(struct fargs_pt_decoder *d,
					enum fargs_pt_item_kind kind, uint64_t from, uint64_t to)
{
	struct fargs_pt_item *item = &d->flow->items[d->flow->nr++];

	*item = (struct fargs_pt_item){
		.tsc = d->tsc, .from = from, .to = to, .kind = kind,
		.offset = d->seg->begin + d->offset,
		.nr_insns = d->nr_insns - d->nr_told,
	};
	d->nr_told = d->nr_insns;
	return item;
}

static struct fargs_pt_item *add(struct fargs_pt_decoder *d, enum fargs_pt_item_kind kind,
				 uint64_t from, uint64_t to)
{
	struct fargs_pt_flow *flow = d->flow;

	if (flow->nr == flow->room && !grow(flow)) {
		/* The last one is overwritten: nobody will see them. */
		d->is_short = true;
		if (!flow->nr)
			return &d->nowhere;
		flow->nr--;
	}
	return put(d, kind, from, to);
}

static bool is_user(uint64_t ip)
{
	return !(ip >> 63);
}

/* The branch instruction at d->last_ip. */
static const struct known_branch *look_up(struct fargs_pt_decoder *d)
{
	struct known_branch *b = &d->known[(d->last_ip ^ d->last_ip >> 16) % KNOWN_BRANCHES];
	uint32_t epoch = is_user(d->last_ip) ? d->user_epoch : d->epoch;
	uint8_t code[FARGS_PT_INSN_MAX];
	unsigned int size;
	size_t bytes;

	if (b->ip == d->last_ip && b->epoch == epoch)
		return b;
	bytes = fargs_pt_image_read(d->image, d->last_isid, d->last_ip, code, sizeof(code));
	b->ip = d->last_ip;
	b->epoch = epoch;
	b->insn = fargs_pt_insn_classify(code, bytes, &size);
	b->size = size;
	b->is_indirect = fargs_pt_insn_is_indirect(code, bytes);
	return b;
}

/*
 * What libipt knows of it goes first: it has seen instructions that span two sections. FAR: which
 * it is must be looked up. The block decoder has no class for indirect jumps and far branches that
 * are in its cache: up to 2.0 it says ptic_error, from 2.1 on one that its header then has
 * (ptic_indirect). The library may be newer than the header, so classes beyond the last are that.
 */
static inline enum fargs_pt_insn insn_by_class(const struct fargs_pt_decoder *d)
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

static enum fargs_pt_insn insn_of(struct fargs_pt_decoder *d)
{
	enum fargs_pt_insn insn = insn_by_class(d);

	return insn == FARGS_PT_INSN_FAR ? look_up(d)->insn : insn;
}

/* The upper bits of @ip tell it from all that have the same place among the known. */
static __attribute__((noinline)) bool look_up_target(struct fargs_pt_decoder *d, uint64_t ip,
						     uint64_t *known)
{
	bool is_begin = fargs_pt_names_begins(d->begins, ip);

	*known = ip >> TARGET_BITS << 1 | is_begin;
	return is_begin;
}

/* Does a function begin at @ip, for all that is known? */
static inline bool may_begin(struct fargs_pt_decoder *d, uint64_t ip)
{
	uint64_t *known;

	/* Most are told by that, out of what is in the cache. */
	if (!fargs_pt_names_may_begin(d->begins, ip))
		return false;
	known = &d->targets[(ip ^ ip >> TARGET_BITS) % KNOWN_TARGETS];
	return *known >> 1 == ip >> TARGET_BITS ? *known & 1 : look_up_target(d, ip, known);
}

static __attribute__((noinline)) void add_any_branch(struct fargs_pt_decoder *d, uint64_t ip)
{
	enum fargs_pt_insn insn = insn_of(d);

	if (insn == FARGS_PT_INSN_OTHER ||
	    (insn == FARGS_PT_INSN_COND && ip - d->last_ip <= FARGS_PT_INSN_MAX &&
	     ip - d->last_ip == look_up(d)->size))
		return;
	/* Whether libipt says of a jump that it is one depends on what is in its cache. */
	if (insn == FARGS_PT_INSN_JUMP && d->skipped && !may_begin(d, ip))
		return;
	add(d, FARGS_PT_BRANCH, d->last_ip, ip)->insn = insn;
}

/* Calls and returns are all the same: what they do not need is elsewhere. */
static __attribute__((noinline)) void add_branch(struct fargs_pt_decoder *d, uint64_t ip)
{
	enum fargs_pt_insn insn = insn_by_class(d);

	if (insn > FARGS_PT_INSN_JUMP || d->flow->nr == d->flow->room)
		add_any_branch(d, ip);
	else if (insn != FARGS_PT_INSN_OTHER)
		put(d, FARGS_PT_BRANCH, d->last_ip, ip)->insn = insn;
}

static void add_cycle_mark(struct fargs_pt_decoder *d, uint64_t nr)
{
	struct fargs_pt_flow *flow = d->flow;
	struct fargs_pt_cycle_mark *larger = fargs_grow(flow->cycles, flow->nr_cycle_marks,
							sizeof(*larger));

	if (!larger) {
		d->is_short = true;
		return;
	}
	flow->cycles = larger;
	larger[flow->nr_cycle_marks++] =
		(struct fargs_pt_cycle_mark){ .item = flow->nr - 1, .nr = nr };
}

/* The item that was just added was led by @lead. */
static void led_by(struct fargs_pt_decoder *d, enum fargs_pt_lead lead)
{
	uint64_t nr;

	if (d->cycles && fargs_pt_cycles_take(d->cycles, lead, &nr))
		add_cycle_mark(d, nr);
}

/* Do packets tell of the branch before? Direct ones need none. */
static bool has_lead(struct fargs_pt_decoder *d, enum fargs_pt_lead *lead)
{
	switch (insn_of(d)) {
	case FARGS_PT_INSN_OTHER:
		return false;
	case FARGS_PT_INSN_COND:
		*lead = FARGS_PT_LEAD_BIT;
		return true;
	case FARGS_PT_INSN_RETURN:
		*lead = FARGS_PT_LEAD_RETURN;
		return true;
	case FARGS_PT_INSN_CALL:
	case FARGS_PT_INSN_JUMP:
		*lead = FARGS_PT_LEAD_TIP;
		return look_up(d)->is_indirect;
	default:
		*lead = FARGS_PT_LEAD_TIP;
		return true;
	}
}

/* The same for whoever counts cycles. */
static __attribute__((noinline)) void arrive_counting(struct fargs_pt_decoder *d, uint64_t ip)
{
	size_t nr_items = d->flow->nr;
	enum fargs_pt_lead lead;
	uint64_t nr;
	bool is_told;

	is_told = has_lead(d, &lead) && fargs_pt_cycles_take(d->cycles, lead, &nr);
	if (!(d->skipped >> d->iclass & 1) || may_begin(d, ip))
		add_branch(d, ip);
	if (is_told && d->flow->nr > nr_items)
		add_cycle_mark(d, nr);
}

/* The instruction at @ip comes next: that tells whether and where the branch before it went. */
static inline void arrive(struct fargs_pt_decoder *d, uint64_t ip)
{
	if (__builtin_expect(!!d->cycles, 0))
		arrive_counting(d, ip);
	else if (!(d->skipped >> d->iclass & 1) || may_begin(d, ip))
		add_branch(d, ip);
	d->iclass = ptic_other;
}

/* What came before is not continued. */
static void forget(struct fargs_pt_decoder *d)
{
	d->iclass = ptic_other;
	d->last_ip = 0;
}

/* It is to be known when that surely was over. */
static void want_ticks(struct fargs_pt_decoder *d)
{
	if (d->first_site <= d->last_site)
		d->nr_ticks = TICKS;
}

/* The trace goes on at @ip; @was_on: and so did the CPU, it is only that decoding begins. */
static void begin(struct fargs_pt_decoder *d, uint64_t ip, bool was_on)
{
	struct fargs_pt_item *item = add(d, FARGS_PT_BEGIN, 0, ip);

	if (!was_on)
		led_by(d, FARGS_PT_LEAD_PGE);
	want_ticks(d);
	if (was_on)
		item->flags = FARGS_PT_WAS_ON | (d->is_lost ? 0 : FARGS_PT_CONTINUES);
	forget(d);
	d->is_new = false;
	d->is_lost = false;
}

static void on_disabled(struct fargs_pt_decoder *d, const struct pt_event *ev)
{
	uint64_t to = ev->ip_suppressed ? 0 : ev->variant.disabled.ip;
	struct fargs_pt_item *item;

	/* Without a branch: libipt has bound it to another instruction than the last one. */
	item = add(d, FARGS_PT_BRANCH, d->last_ip, to);
	item->insn = insn_of(d);
	item->flags = FARGS_PT_ENDS;
	led_by(d, FARGS_PT_LEAD_PGD);
	forget(d);
}

/* What the instruction that comes next does not get to do: is that for an abort? */
static uint8_t abort_flag(const struct fargs_pt_decoder *d)
{
	return d->aborted == d->nr_insns ? FARGS_PT_ABORTS : 0;
}

static void on_async_disabled(struct fargs_pt_decoder *d, const struct pt_event *ev)
{
	arrive(d, ev->variant.async_disabled.at);
	add(d, FARGS_PT_END, ev->variant.async_disabled.at,
	    ev->ip_suppressed ? 0 : ev->variant.async_disabled.ip)->flags = abort_flag(d);
	led_by(d, FARGS_PT_LEAD_PGD);
	forget(d);
}

static void on_async_branch(struct fargs_pt_decoder *d, const struct pt_event *ev)
{
	arrive(d, ev->variant.async_branch.from);
	add(d, FARGS_PT_INTERRUPT, ev->variant.async_branch.from,
	    ev->ip_suppressed ? 0 : ev->variant.async_branch.to)->flags = abort_flag(d);
	led_by(d, FARGS_PT_LEAD_TIP);
	forget(d);
}

/*
 * The packet that reports the overflow, of which there are as many as of libipt's events: libipt
 * has read on, to where the trace does.
 */
static uint64_t find_overflow(struct fargs_pt_decoder *d)
{
	struct pt_packet_decoder *packets;
	struct pt_packet packet = { .type = ppt_invalid };
	struct pt_config config;
	uint64_t offset = d->offset;

	fargs_pt_decoder_configure(&config, &d->in->config, d->bytes, d->nr_bytes);
	fargs_pt_packets_extend(&config);
	packets = pt_pkt_alloc_decoder(&config);
	if (!packets)
		return offset;
	if (pt_pkt_sync_set(packets, d->overflow > d->sync_offset ? d->overflow :
								    d->sync_offset) >= 0)
		while (pt_pkt_next(packets, &packet, sizeof(packet)) >= 0 &&
		       packet.type != ppt_ovf)
			;
	if (packet.type == ppt_ovf && pt_pkt_get_offset(packets, &d->overflow) >= 0)
		offset = d->overflow - packet.size;
	pt_pkt_free_decoder(packets);
	return offset;
}

static void on_overflow(struct fargs_pt_decoder *d, const struct pt_event *ev)
{
	struct fargs_pt_item *item;

	item = add(d, FARGS_PT_OVERFLOW, d->last_ip,
		   ev->ip_suppressed ? 0 : ev->variant.overflow.ip);
	item->offset = d->seg->begin + find_overflow(d);
	led_by(d, FARGS_PT_LEAD_OVF);
	forget(d);
	d->is_new = false;
	d->is_lost = false;
	want_ticks(d);
}

static void set_time(struct fargs_pt_decoder *d, uint64_t tsc)
{
	d->tsc = tsc;
	if (tsc <= d->told[0] || tsc - d->told[0] < d->tick)
		return;
	d->told[2] = d->told[1];
	d->told[1] = d->told[0];
	d->told[0] = tsc;
	if (!d->nr_ticks)
		return;
	d->nr_ticks--;
	add(d, FARGS_PT_TICK, 0, tsc);
}

/* Finds out when the code in use changes next. */
static void set_poke_tsc(struct fargs_pt_decoder *d)
{
	uint64_t until = fargs_pt_image_until(d->image);

	d->poke_tsc = UINT64_MAX;
	/* Without times nobody knows when. */
	if (until != UINT64_MAX && d->in->config.has_time)
		d->poke_tsc = fargs_pt_input_tsc(&d->in->config, until);
}

/* From now on the code is @now. The kernel's is the same in all, but for its changes. */
static void use_code(struct fargs_pt_decoder *d, const struct fargs_pt_code_now *now)
{
	d->image = now->image;
	d->user_epoch = now->stamp;
	set_poke_tsc(d);
}

/* Applies what was changed of the code up to @tsc. */
static __attribute__((noinline)) int advance_code(struct fargs_pt_decoder *d, uint64_t tsc)
{
	uint64_t ns = fargs_pt_input_ns(&d->in->config, tsc);
	int nr = fargs_pt_images_advance(d->images, ns, &d->user_epoch);

	if (nr < 0)
		return -ENOMEM;
	d->epoch++;
	set_poke_tsc(d);
	/* Code that a program mapped is no change of code that it was executing. */
	if (nr)
		add(d, FARGS_PT_POKED, 0, (uint64_t)nr);
	return 0;
}

/* User space is entered at @ip, or 0: somewhere. */
static __attribute__((noinline)) void enter_program(struct fargs_pt_decoder *d, uint64_t ip)
{
	struct fargs_pt_code_now now;
	int ret = fargs_pt_images_enter(d->images, ip, d->tsc, &now);

	if (ret > 0 && fargs_pt_stepper_set_image(&d->stepper, now.libipt) >= 0)
		use_code(d, &now);
	else if (ret)
		d->is_short = true;
}

/* The trace continues at @ip after a hole. */
static void enter_after_hole(struct fargs_pt_decoder *d, uint64_t ip)
{
	/* Without the kernel: code that was mapped before the next time is there already. */
	uint64_t late = d->in->config.has_kernel ? 0 : d->tick;

	if (d->has_programs) {
		fargs_pt_images_hole(d->images);
		if (is_user(ip))
			enter_program(d, ip);
	}
	if (d->poke_tsc != UINT64_MAX && d->tsc + late >= d->poke_tsc &&
	    advance_code(d, d->tsc + late))
		d->is_short = true;
}

static void on_event(struct fargs_pt_decoder *d, const struct pt_event *ev)
{
	if (ev->has_tsc)
		set_time(d, ev->tsc);
	/*
	 * From 2.1 on libipt reports at each PSB+ whether the trace is on. Nothing begins or ends
	 * there, but decoding, and that has the first block.
	 */
	if (ev->status_update && (ev->type == ptev_enabled || ev->type == ptev_disabled))
		return;
	switch (ev->type) {
	case ptev_enabled:
		begin(d, ev->variant.enabled.ip, false);
		enter_after_hole(d, ev->variant.enabled.ip);
		break;
	case ptev_disabled:
		on_disabled(d, ev);
		break;
	case ptev_async_disabled:
		on_async_disabled(d, ev);
		break;
	case ptev_async_branch:
		on_async_branch(d, ev);
		break;
	case ptev_overflow:
		on_overflow(d, ev);
		if (!ev->ip_suppressed)
			enter_after_hole(d, ev->variant.overflow.ip);
		break;
	case ptev_exec_mode:
		/* Of the PSB+ with which the next segment begins this tells where it goes on. */
		if (!ev->ip_suppressed)
			arrive(d, ev->variant.exec_mode.ip);
		break;
	case ptev_tsx:
		if (ev->variant.tsx.aborted && !ev->status_update)
			d->aborted = d->nr_insns;
		break;
	case ptev_ptwrite:
		add(d, FARGS_PT_PTWRITE, ev->ip_suppressed ? d->last_ip : ev->variant.ptwrite.ip,
		    ev->variant.ptwrite.payload);
		break;
	default:
		break;
	}
}

/* The decoder is a packet or two ahead: the time before the last two is sure to be over. */
static __attribute__((noinline)) void add_sites(struct fargs_pt_decoder *d,
						const struct pt_block *b)
{
	size_t i;

	for (i = 0; i < FARGS_PT_SITES; i++) {
		uint64_t site = d->in->sites[i];

		if (!site || site - b->ip > b->end_ip - b->ip)
			continue;
		want_ticks(d);
		add(d, FARGS_PT_SITE, d->told[2], i);
	}
}

/* It was executed, all of it. */
static inline void take_block(struct fargs_pt_decoder *d, const struct pt_block *b)
{
	d->nr_insns += b->ninsn;
	d->last_ip = b->end_ip;
	d->last_isid = b->isid;
	d->iclass = b->iclass;
}

static __attribute__((noinline)) void add_switch(struct fargs_pt_decoder *d)
{
	add(d, FARGS_PT_SWITCH, 0, d->switch_addr);
	fargs_pt_images_switch(d->images);
}

/* May the kernel have returned to a program with that? libipt does not always know far branches. */
static inline bool may_enter(const struct pt_block *b)
{
	return (b->iclass == ptic_error || b->iclass > ptic_cond_jump) && !is_user(b->end_ip);
}

/* The last block may have been that. */
static __attribute__((noinline)) void enter_if_returned(struct fargs_pt_decoder *d)
{
	enum fargs_pt_insn insn = look_up(d)->insn;

	if (insn == FARGS_PT_INSN_IRET || insn == FARGS_PT_INSN_SYSRET)
		enter_program(d, 0);
}

/* Calls and jumps end blocks: in between they are contiguous. */
static inline void look_into(struct fargs_pt_decoder *d, const struct pt_block *b)
{
	if (d->switch_addr - b->ip <= b->end_ip - b->ip)
		add_switch(d);
	if (b->ip <= d->last_site && b->end_ip >= d->first_site)
		add_sites(d, b);
}

static void on_block(struct fargs_pt_decoder *d, const struct pt_block *b)
{
	if (d->is_new)
		begin(d, b->ip, true);
	arrive(d, b->ip);
	take_block(d, b);
	if (d->is_by_insn)
		add(d, FARGS_PT_EXECUTED, b->ip, 0)->insn = insn_of(d);
	look_into(d, b);
	if (d->has_programs && may_enter(b))
		enter_if_returned(d);
}

/* What code was changed until now. 0 or -ENOMEM. */
static int change_code(struct fargs_pt_decoder *d)
{
	return d->tsc < d->poke_tsc ? 0 : advance_code(d, d->tsc);
}

/* When the decoder is there, and with what code. */
static __attribute__((noinline)) int note_new_position(struct fargs_pt_decoder *d, uint64_t offset)
{
	uint64_t tsc;

	d->offset = offset;
	d->stuck_at = d->nr_insns + STUCK_INSNS;
	d->nr_sure = d->flow->nr;
	d->nr_sure_insns = d->nr_insns;
	if (fargs_pt_stepper_time(&d->stepper, &tsc) >= 0)
		set_time(d, tsc);
	return change_code(d);
}

/* Where the decoder is, if that is no longer where it was. */
static int note_position(struct fargs_pt_decoder *d)
{
	uint64_t offset;

	if (fargs_pt_stepper_get_offset(&d->stepper, &offset) < 0 || offset == d->offset)
		return 0;
	return note_new_position(d, offset);
}

/*
 * The trace ends with a branch, and nothing tells what was executed then: but where it went,
 * which is where the next block would have begun.
 */
static void add_last_branch(struct fargs_pt_decoder *d)
{
	if (d->next_ip)
		arrive(d, d->next_ip);
}

/*
 * Blocks one behind the other, in which nothing is to be seen but branches, up to one that is
 * something else: an event, the end, an error. What libipt says of the next one then; b->ninsn is
 * 0 if that is done. It is follow_blocks() without all that it asks of each block but hardly any
 * is: of what decoding costs beside libipt, half was that.
 */
static inline __attribute__((always_inline)) int
follow_plainly(struct fargs_pt_decoder *d, struct pt_block *b, const bool has_programs)
{
	struct pt_block_decoder *blocks = d->stepper.blocks;
	uint64_t offset;
	int status;

	do {
		b->ip = 0;
		b->ninsn = 0;
		status = pt_blk_next(blocks, b, sizeof(*b));
		if (status < 0 || !b->ninsn)
			return status;
		if (!(d->skipped >> d->iclass & 1) || may_begin(d, b->ip))
			add_branch(d, b->ip);
		take_block(d, b);
		look_into(d, b);
		if (has_programs && may_enter(b))
			enter_if_returned(d);
		if (pt_blk_get_offset(blocks, &offset) >= 0 && offset != d->offset &&
		    note_new_position(d, offset))
			return -pte_nomem;
	} while (!(status & (pts_event_pending | pts_eos)) && d->nr_insns <= d->stuck_at);
	b->ninsn = 0;
	return status;
}

static __attribute__((noinline)) int follow_plain(struct fargs_pt_decoder *d, struct pt_block *b)
{
	return follow_plainly(d, b, false);
}

static __attribute__((noinline)) int follow_programs(struct fargs_pt_decoder *d,
						     struct pt_block *b)
{
	return follow_plainly(d, b, true);
}

/*
 * All that comes before it in the trace was executed. Not so for what binds to no place in
 * the code: libipt, which is a packet or more ahead, has that at once.
 */
static bool is_reached(const struct pt_event *ev)
{
	switch (ev->type) {
	case ptev_enabled:
	case ptev_disabled:
		return !ev->status_update;
	case ptev_async_disabled:
	case ptev_async_branch:
	case ptev_overflow:
	case ptev_exec_mode:
		return true;
	default:
		return false;
	}
}

/* What libipt says then; -pte_nomem. */
static int take_event(struct fargs_pt_decoder *d)
{
	struct pt_event ev;
	uint64_t offset;
	bool has_offset = fargs_pt_stepper_get_offset(&d->stepper, &offset) >= 0;
	int status = fargs_pt_stepper_event(&d->stepper, &ev);

	if (status < 0)
		return status;
	if (has_offset && is_reached(&ev))
		d->passed = offset;
	on_event(d, &ev);
	/* Its time may be that of other code: from 2.1 on libipt has none before its event. */
	return change_code(d) ? -pte_nomem : status;
}

/*
 * From where libipt has found a PSB to an error or the end: what it says then; 0: stuck. @b is
 * the last block then.
 */
static int follow_blocks(struct fargs_pt_decoder *d, int status, struct pt_block *b)
{
	bool is_plain = d->stepper.blocks && !d->cycles;

	for (;;) {
		while (status & pts_event_pending) {
			status = take_event(d);
			/* Where the last branch went is what it would have told. */
			if (status == -pte_eos)
				b->ip = 0;
			if (status < 0)
				return status;
		}
		if (status & pts_eos) {
			/* For where it would begin. */
			fargs_pt_stepper_next(&d->stepper, b);
			return -pte_eos;
		}
		if (is_plain && !d->is_new)
			status = d->has_programs ? follow_programs(d, b) : follow_plain(d, b);
		else
			status = fargs_pt_stepper_next(&d->stepper, b);
		/* At the end these would have been executed had the CPU gone on. */
		if (status < 0) {
			if (b->ninsn && status != -pte_eos)
				on_block(d, b);
			return status;
		}
		if (b->ninsn)
			on_block(d, b);
		if (note_position(d))
			return -pte_nomem;
		if (d->nr_insns > d->stuck_at)
			return 0;
	}
}

static int follow(struct fargs_pt_decoder *d, int status)
{
	struct pt_block b = { };

	status = follow_blocks(d, status, &b);
	d->next_ip = b.ip;
	return status;
}

/*
 * To the first PSB, or after an error to the next one; -pte_eos: it is the next segment's. It is
 * the first that the flow has not come to. libipt goes on from where it has read to, after PSBs
 * that it was to tell of next.
 */
static int synchronize(struct fargs_pt_decoder *d, bool is_first)
{
	uint64_t from, offset = 0;

	d->is_new = true;
	if (!is_first) {
		from = d->passed > d->sync_offset ? d->passed : d->sync_offset + 1;
		offset = fargs_pt_psb_find(d->bytes, d->nr_bytes, from);
		if (offset == d->nr_bytes || offset >= d->seg->next - d->seg->begin)
			return -pte_eos;
		d->offset = offset;
		d->sync_offset = offset;
		if (d->cycles)
			fargs_pt_cycles_sync(d->cycles, offset);
	}
	return fargs_pt_stepper_sync_set(&d->stepper, offset);
}

static void fail(struct fargs_pt_decoder *d, int status)
{
	struct fargs_pt_flow *flow = d->flow;
	uint64_t offset;

	if (!status) {
		/* What was executed since the last packet may be wrong, all of it. */
		flow->nr = d->nr_sure;
		d->nr_insns = d->nr_sure_insns;
		while (flow->nr_cycle_marks &&
		       flow->cycles[flow->nr_cycle_marks - 1].item >= flow->nr)
			flow->nr_cycle_marks--;
		d->nr_told = d->nr_insns;
	}
	/* It was to go on where no code is: until there all is well. */
	if (status == -pte_nomap && d->next_ip)
		arrive(d, d->next_ip);
	if (fargs_pt_stepper_get_offset(&d->stepper, &offset) >= 0)
		d->offset = offset;
	add(d, FARGS_PT_ERROR, status ? d->next_ip : d->last_ip, 0)->error = -status;
	forget(d);
	d->is_lost = true;
}

static int decode(struct fargs_pt_decoder *d)
{
	int status = synchronize(d, true);

	for (;;) {
		d->next_ip = 0;
		d->stuck_at = d->nr_insns + STUCK_INSNS;
		if (status >= 0) {
			d->flow->is_broken = false;
			status = follow(d, status);
		}
		if (status == -pte_eos) {
			if (d->seg->is_last)
				add_last_branch(d);
			return 0;
		}
		if (status == -pte_nomem || d->is_short)
			return -ENOMEM;
		fail(d, status);
		d->flow->is_broken = true;
		status = synchronize(d, false);
	}
}

/* What is there in front of it that no PSB begins. */
static void add_skipped(struct fargs_pt_decoder *d)
{
	const struct fargs_pt_segment *seg = d->seg;
	struct fargs_pt_item *item;

	if (!seg->is_after_loss && seg->skipped == seg->begin)
		return;
	item = add(d, seg->is_after_loss ? FARGS_PT_LOST : FARGS_PT_SKIPPED, 0,
		   seg->begin - seg->skipped);
	item->offset = seg->skipped;
}

/* 1: there is nothing to decode. */
static int start(struct fargs_pt_decoder *d)
{
	const struct fargs_pt_segment *seg = d->seg;
	struct fargs_pt_code_now now;
	struct pt_config config;
	const uint8_t *bytes;
	uint64_t got;
	int64_t whole;

	bytes = fargs_pt_window_get(&d->window, seg->stream, seg->piece, seg->begin,
				    seg->end - seg->begin, &got);
	if (!bytes)
		return -ENOMEM;
	fargs_pt_decoder_configure(&config, &d->in->config, bytes, got);
	whole = seg->is_last ? fargs_pt_tail_find(&config) : (int64_t)got;
	if (whole <= 0)
		return whole ? -ENOMEM : 1;
	config.end = config.begin + whole;
	d->bytes = bytes;
	d->nr_bytes = whole;
	if (fargs_pt_images_begin(d->images, seg, &now) ||
	    !fargs_pt_stepper_init(&d->stepper, &config, d->is_by_insn) ||
	    fargs_pt_stepper_set_image(&d->stepper, now.libipt) < 0)
		return -ENOMEM;
	use_code(d, &now);
	if (d->in->nr_pokes)
		d->epoch++;
	if (d->has_cycles) {
		d->cycles = fargs_pt_cycles_create(&config, seg->next - seg->begin,
						   d->in->config.has_cyc_thresh);
		if (!d->cycles)
			return -ENOMEM;
	}
	return 0;
}

int fargs_pt_decoder_run(struct fargs_pt_decoder *d, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow)
{
	size_t i;
	int ret;

	d->seg = seg;
	d->flow = flow;
	d->tsc = seg->tsc;
	for (i = 0; i < sizeof(d->told) / sizeof(d->told[0]); i++)
		d->told[i] = seg->tsc;
	d->nr_ticks = 0;
	d->offset = 0;
	d->sync_offset = 0;
	d->overflow = 0;
	d->passed = 0;
	d->aborted = UINT64_MAX;
	d->nr_insns = 0;
	d->nr_told = 0;
	d->is_short = false;
	d->is_lost = seg->is_first;
	forget(d);
	flow->nr = 0;
	flow->nr_insns = 0;
	flow->nr_behind = 0;
	flow->nr_cycle_marks = 0;
	flow->nr_cycles = 0;
	flow->is_broken = false;
	add_skipped(d);
	/* After a loss there may be no PSB any more. */
	if (seg->begin == seg->end)
		return d->is_short ? -ENOMEM : 0;
	ret = start(d);
	if (!ret)
		ret = decode(d);
	flow->nr_insns = d->nr_insns;
	flow->nr_behind = d->nr_insns - d->nr_told;
	if (d->cycles)
		flow->nr_cycles = fargs_pt_cycles_finish(d->cycles);
	fargs_pt_cycles_destroy(d->cycles);
	d->cycles = NULL;
	fargs_pt_stepper_deinit(&d->stepper);
	return ret < 0 || d->is_short ? -ENOMEM : 0;
}

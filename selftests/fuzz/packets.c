// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads random bytes as Intel PT packets, and takes their times, also those of guests. Nothing may
 * be read beyond the bytes, no packet may be longer than it can be, the time must be within its own
 * bounds, and what is changed must be a TSC.
 *
 *	packets [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <stdio.h>
#include <string.h>

#include "fuzz/options.h"
#include "fuzz/random.h"
#include "source/pt/input/input.h"
#include "source/pt/packet/clock.h"
#include "source/pt/packet/guest_tsc.h"
#include "source/pt/packet/packet.h"

#define BYTES_MAX	4096

static struct fuzz_random rng;
static unsigned long nr_packets, nr_timing, nr_changes;

static uint32_t any_number(void)
{
	switch (fuzz_below(&rng, 4)) {
	case 0:
		return fuzz_below(&rng, 3);
	case 1:
		return UINT32_MAX - fuzz_below(&rng, 3);
	case 2:
		return 1u << fuzz_below(&rng, 32);
	default:
		return fuzz_below(&rng, 1000);
	}
}

/* Half of the packets are those of time and of guests. */
static size_t make(uint8_t *bytes)
{
	static const struct {
		const char *begin;
		uint8_t size;
	} timing[] = {
		{ "\x19", 8 }, { "\x02\x73", 7 }, { "\x59", 2 }, { "\x59", 2 }, { "\x03", 1 },
		{ "\x07", 4 }, { "\x02\x03", 4 }, { "\x02\xf3", 2 }, { "\x01", 1 }, { "\x11", 1 },
		{ "\x02\x63", 3 }, { "\x02\x43", 8 }, { "\x02\xc8", 7 }, { "\x02\x23", 2 },
		{ "\x0d", 1 }, { "\x14", 9 },
	};
	size_t n = 0, size, max = 1 + fuzz_below(&rng, BYTES_MAX - 32), i;
	unsigned int kind;

	while (n < max) {
		kind = fuzz_below(&rng, 2 * sizeof(timing) / sizeof(timing[0]));
		if (kind < sizeof(timing) / sizeof(timing[0])) {
			size = timing[kind].size;
			for (i = 0; i < size; i++)
				bytes[n + i] = fuzz_random(&rng);
			memcpy(bytes + n, timing[kind].begin, strlen(timing[kind].begin));
			/* Reserved bits of TMA. */
			if (size == 7) {
				bytes[n + 4] = 0;
				bytes[n + 6] &= 1;
			}
			n += size;
		} else if (fuzz_once_in(&rng, 10)) {
			for (i = 0; i < 16; i++)
				bytes[n++] = i & 1 ? 0x82 : 0x02;
		} else {
			bytes[n++] = fuzz_random(&rng);
		}
	}
	return max;
}

static bool is_wrong(const struct fargs_pt_reader *r, const uint8_t *before,
		     const struct fargs_pt_packet *p, const struct fargs_pt_clock *c)
{
	bool is_packet = p->kind > FARGS_PT_PACKET_CUT, is_sized = p->size;

	if (r->at != before + p->size || r->at > r->end || p->size > FARGS_PT_PACKET_MAX ||
	    p->kind >= FARGS_PT_PACKET_KINDS || is_packet != is_sized)
		printf("packet of kind %u, %u bytes\n", p->kind, p->size);
	else if (c->min > c->tsc || c->tsc > c->max)
		printf("time %#lx, bounds %#lx to %#lx\n", c->tsc, c->min, c->max);
	else
		return false;
	return true;
}

struct guests {
	const uint8_t *bytes, *end;
	bool is_wrong;
};

static int take_guest(void *arg, const struct fargs_pt_guest_tsc_event *ev)
{
	struct guests *guests = arg;
	bool is_tsc = ev->bytes == 7 && ev->to == ev->at + 1 && *ev->at == 0x19;
	bool is_pebs = ev->bytes == 8 && ev->to == ev->at + 1 && *ev->at == 0x14;

	if (ev->at < guests->bytes || ev->at >= guests->end ||
	    ev->kind >= FARGS_PT_GUEST_TSC_KINDS)
		guests->is_wrong = true;
	if (ev->kind != FARGS_PT_GUEST_TSC_SET)
		return 0;
	nr_changes++;
	guests->is_wrong |= (!is_tsc && !is_pebs) || ev->bytes > guests->end - ev->to;
	return 0;
}

/* Reads the bytes in two parts, as of a host with guests. Returns false if anything is wrong. */
static bool take_guests(const uint8_t *bytes, size_t n, const struct fargs_pt_config *config)
{
	struct fargs_pt_vmcs_list list = {
		.has_default = fuzz_once_in(&rng, 2), .offset = fuzz_random(&rng),
	};
	size_t first = fuzz_below(&rng, n + 1);
	struct guests guests = { bytes, bytes + first, false };
	struct fargs_pt_guest_tsc g;

	fargs_pt_guest_tsc_init(&g, config, &list, take_guest, &guests);
	fargs_pt_guest_tsc_restart(&g);
	fargs_pt_guest_tsc_read(&g, bytes, first, fuzz_random(&rng));
	guests.bytes = guests.end;
	guests.end = bytes + n;
	fargs_pt_guest_tsc_read(&g, guests.bytes, n - first, any_number());
	fargs_pt_vmcs_list_deinit(&list);
	if (guests.is_wrong)
		printf("what is changed is no TSC\n");
	return !guests.is_wrong;
}

/* Returns false if anything is wrong. */
static bool try_one(void)
{
	uint8_t made[BYTES_MAX + 32], *bytes;
	size_t size = make(made);
	struct fargs_pt_config config = {
		.cpuid_0x15_eax = any_number(), .cpuid_0x15_ebx = any_number(),
		.mtc_freq = fuzz_below(&rng, 20), .nom_freq = fuzz_below(&rng, 256),
	};
	struct fargs_pt_packet p;
	struct fargs_pt_reader r;
	struct fargs_pt_clock c;
	const uint8_t *before;
	bool is_good = true;

	if (fuzz_once_in(&rng, 2)) {
		config.cpuid_0x15_eax = 2;
		config.cpuid_0x15_ebx = 250;
	}
	/* Of the exact size, so that a sanitizer detects accesses beyond it. */
	bytes = malloc(size);
	if (!bytes)
		return false;
	memcpy(bytes, made, size);
	r = (struct fargs_pt_reader){ .at = bytes, .end = bytes + size,
				      .errata = fuzz_random(&rng) };
	fargs_pt_clock_init(&c, &config, fuzz_random(&rng));
	while (is_good && r.at < r.end) {
		before = r.at;
		fargs_pt_packet_read(&r, &p);
		fargs_pt_clock_take(&c, &p);
		is_good = !is_wrong(&r, before, &p, &c);
		nr_packets++;
		nr_timing += p.kind >= FARGS_PT_PACKET_TSC && p.kind <= FARGS_PT_PACKET_CYC;
		if (p.size)
			continue;
		r.at++;
		r.bip_bytes = 0;
		fargs_pt_clock_lose(&c);
	}
	is_good &= take_guests(bytes, size, &config);
	free(bytes);
	return is_good;
}

int main(int argc, char **argv)
{
	struct fuzz_options o = { .nr = 1000, .seed = 1 };
	bool is_good = true;
	unsigned long i;

	if (!fuzz_options_read(&o, argc, argv) || optind < argc) {
		fprintf(stderr, "usage: packets [-n TIMES] [-t SECONDS] [-s SEED]\n");
		return 1;
	}
	rng.state = o.seed;
	for (i = 0; is_good && fuzz_goes_on(&o, i); i++)
		is_good = try_one();
	printf("%lu traces, %lu packets, %lu of them of time, %lu of guests\n", i, nr_packets,
	       nr_timing, nr_changes);
	return !is_good;
}

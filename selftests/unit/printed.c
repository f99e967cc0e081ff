// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the text of values that were fetched as :mac, :uuid, :inet or :skb (model/printed.h). The
 * bytes are those of libc's own structs and functions, or of packets written by hand after RFC 791
 * and RFC 8200.
 */
#include "model/printed.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <bpf/btf.h>

#include "select/syntax/node.h"
#include "unit/ktap.h"

static char text[FARGS_PRINTED_MAX];

/* Returns the text of @bytes; "(bytes)": they were not replaced. */
static const char *shown_as(enum fargs_format format, const struct btf *btf, uint32_t id,
			    const void *data, uint32_t bytes)
{
	struct fargs_arg arg = {
		.format = format, .btf = btf, .btf_id = id, .base_id = id,
		.val = { .name = "x", .type = FARGS_TYPE_BYTES, .data = data, .bytes = bytes },
	};

	fargs_printed_replace(&arg, text);
	if (arg.val.type != FARGS_TYPE_STR)
		return "(bytes)";
	text[arg.val.bytes] = '\0';
	return text;
}

static const char *shown(enum fargs_format format, const void *data, uint32_t bytes)
{
	return shown_as(format, NULL, 0, data, bytes);
}

static void shows_bytes(void)
{
	static const uint8_t bytes[16] = {
		0x52, 0x54, 0x00, 0xab, 0xcd, 0xef, 0x41, 0x23, 0x9a, 0xbc, 1, 2, 3, 4, 5, 6,
	};
	struct btf *btf = btf__new_empty();
	int of = btf__add_struct(btf, NULL, 16), guid = btf__add_typedef(btf, "guid_t", of);
	int uuid = btf__add_typedef(btf, "uuid_t", of);
	int efi = btf__add_typedef(btf, "efi_guid_t", guid);

	CHECK_STR(shown(FARGS_FORMAT_MAC, bytes, 6), "52:54:00:ab:cd:ef");
	CHECK_STR(shown(FARGS_FORMAT_MAC, bytes, 5), "(bytes)");
	CHECK_STR(shown(FARGS_FORMAT_UUID, bytes, 16), "525400ab-cdef-4123-9abc-010203040506");
	CHECK_STR(shown(FARGS_FORMAT_UUID, bytes, 15), "(bytes)");
	/* RFC 9562 calls a guid_t's order "little-endian". */
	CHECK_STR(shown_as(FARGS_FORMAT_UUID, btf, guid, bytes, 16),
		  "ab005452-efcd-2341-9abc-010203040506");
	CHECK_STR(shown_as(FARGS_FORMAT_UUID, btf, btf__add_const(btf, efi), bytes, 16),
		  "ab005452-efcd-2341-9abc-010203040506");
	CHECK_STR(shown_as(FARGS_FORMAT_UUID, btf, uuid, bytes, 16),
		  "525400ab-cdef-4123-9abc-010203040506");
	btf__free(btf);
}

static void shows_addresses(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(443) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(65535) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/a b" };
	struct sockaddr_un longest = { .sun_family = AF_UNIX };
	struct btf *btf = btf__new_empty();
	int addr = btf__add_struct(btf, "in_addr", 4), addr6 = btf__add_struct(btf, "in6_addr", 16);
	int addr_un = btf__add_struct(btf, "sockaddr_un", sizeof(un));
	struct fargs_arg number = {
		.format = FARGS_FORMAT_INET,
		.val = { .type = FARGS_TYPE_U32, .data = &in.sin_addr, .bytes = 8 },
	};

	inet_pton(AF_INET, "192.0.2.77", &in.sin_addr);
	inet_pton(AF_INET6, "2001:db8::1:2", &in6.sin6_addr);
	CHECK_STR(shown(FARGS_FORMAT_INET, &in, sizeof(in)), "192.0.2.77:443");
	CHECK_STR(shown(FARGS_FORMAT_INET, &in6, sizeof(in6)), "[2001:db8::1:2]:65535");
	/* Too short for its family */
	CHECK_STR(shown(FARGS_FORMAT_INET, &in6, 16), "family 10");
	CHECK_STR(shown_as(FARGS_FORMAT_INET, btf, addr_un, &un, sizeof(un)), "unix:/run/a b");
	memset(longest.sun_path, 'x', sizeof(longest.sun_path));
	CHECK_INT(strlen(shown_as(FARGS_FORMAT_INET, btf, addr_un, &longest, sizeof(longest))),
		  5 + 108);
	/* What follows a path in another type may be anything. */
	CHECK_STR(shown(FARGS_FORMAT_INET, &un, sizeof(un)), "AF_UNIX");
	un.sun_path[0] = '\0';
	CHECK_STR(shown_as(FARGS_FORMAT_INET, btf, addr_un, &un, sizeof(un)), "AF_UNIX");
	in.sin_family = AF_NETLINK;
	CHECK_STR(shown(FARGS_FORMAT_INET, &in, sizeof(in)), "AF_NETLINK");
	in.sin_family = 4711;
	CHECK_STR(shown(FARGS_FORMAT_INET, &in, sizeof(in)), "family 4711");
	CHECK_STR(shown(FARGS_FORMAT_INET, &in, 1), "(bytes)");
	CHECK_STR(shown_as(FARGS_FORMAT_INET, btf, addr, &in.sin_addr, 4), "192.0.2.77");
	CHECK_STR(shown_as(FARGS_FORMAT_INET, btf, addr6, &in6.sin6_addr, 16), "2001:db8::1:2");
	fargs_printed_replace(&number, text);
	CHECK_STR(text, "192.0.2.77");
	btf__free(btf);
}

static void shows_packets(void)
{
	uint8_t v4[24] = {
		0x45, 0, 0x05, 0xdc, 0, 1, 0x40, 0, 64, 6, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
		0x01, 0xbb, 0xff, 0xff,
	};
	uint8_t v6[44] = {
		0x60, 0, 0, 0, 0, 100, 17, 64, [8] = 0x20, 0x01, 0x0d, 0xb8, [23] = 1,
		[24] = 0x20, 0x01, 0x0d, 0xb8, [39] = 2, [40] = 0, 53, 0x30, 0x39,
	};
	uint8_t options[28] = { 0 };

	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 24), "TCP 192.0.2.1:443->192.0.2.2:65535 1500 bytes");
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 22), "TCP 192.0.2.1->192.0.2.2 1500 bytes");
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 19), "no IP header");
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 0), "no IP header");
	CHECK_STR(shown(FARGS_FORMAT_SKB, v6, 44),
		  "UDP [2001:db8::1]:53->[2001:db8::2]:12345 140 bytes");
	CHECK_STR(shown(FARGS_FORMAT_SKB, v6, 39), "no IP header");
	/* With an option of 4 bytes, the ports are at byte 24. */
	memcpy(options, v4, 20);
	memcpy(options + 24, v4 + 20, 4);
	options[0] = 0x46;
	CHECK_STR(shown(FARGS_FORMAT_SKB, options, 28),
		  "TCP 192.0.2.1:443->192.0.2.2:65535 1500 bytes");
	/* Only the first fragment has the ports. */
	v4[7] = 1;
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 24), "TCP 192.0.2.1->192.0.2.2 1500 bytes");
	v4[7] = 0;
	v4[9] = 1;
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 24), "ICMP 192.0.2.1->192.0.2.2 1500 bytes");
	v4[9] = 200;
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 24), "protocol 200 192.0.2.1->192.0.2.2 1500 bytes");
	/* Packets of more than 64 KiB have no length in their header. */
	v4[2] = 0;
	v4[3] = 0;
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 24), "protocol 200 192.0.2.1->192.0.2.2");
	v4[0] = 0x35;
	CHECK_STR(shown(FARGS_FORMAT_SKB, v4, 24), "no IP header");
}

static void leaves_others_alone(void)
{
	struct fargs_arg arg = {
		.format = FARGS_FORMAT_MAC,
		.val = { .type = FARGS_TYPE_BYTES, .is_fault = true, .data = text, .bytes = 8 },
	};

	fargs_printed_replace(&arg, text);
	CHECK_INT(arg.val.type, FARGS_TYPE_BYTES);
	CHECK_STR(shown(FARGS_FORMAT_HEX, "abcdef", 6), "(bytes)");
	CHECK_STR(shown(FARGS_FORMAT_NONE, "abcdef", 6), "(bytes)");
}

static const struct ktap_test tests[] = {
	{ "shows MAC addresses and UUIDs", shows_bytes },
	{ "shows socket addresses", shows_addresses },
	{ "shows packets", shows_packets },
	{ "leaves faults and other formats alone", leaves_others_alone },
};

int main(void)
{
	return KTAP_RUN(tests);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "model/printed.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "select/syntax/node.h"
#include "select/typing/member.h"

/* An address and a port: "[ADDRESS]:65535" */
#define ENDPOINT_MAX	(INET6_ADDRSTRLEN + 8)

/* Bounds chains of types, since BTF from a file is not trusted. */
#define TYPEDEFS_MAX	32

#define IPV6_HEADER	40
#define FRAGMENT_MASK	0x1fff

struct bytes {
	const uint8_t *data;
	uint32_t n;
};

static uint16_t get_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* @port: in host byte order; -1: none */
static const char *endpoint(char buf[ENDPOINT_MAX], int family, const void *addr, int port)
{
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(family, addr, text, sizeof(text));
	if (port < 0)
		snprintf(buf, ENDPOINT_MAX, "%s", text);
	else
		snprintf(buf, ENDPOINT_MAX, family == AF_INET6 ? "[%s]:%d" : "%s:%d", text, port);
	return buf;
}

static bool put_mac(char *buf, struct bytes b)
{
	const uint8_t *p = b.data;

	if (b.n < 6)
		return false;
	snprintf(buf, FARGS_PRINTED_MAX, "%02x:%02x:%02x:%02x:%02x:%02x", p[0], p[1], p[2], p[3],
		 p[4], p[5]);
	return true;
}

/* A guid_t stores its first three numbers in little-endian order, a uuid_t all in big-endian. */
static bool put_uuid(char *buf, struct bytes b, bool is_guid)
{
	static const uint8_t big[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const uint8_t little[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	const uint8_t *order = is_guid ? little : big;
	unsigned int i, n = 0;

	if (b.n < 16)
		return false;
	for (i = 0; i < 16; i++)
		n += sprintf(buf + n, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
			     b.data[order[i]]);
	return true;
}

static void put_family(char *buf, unsigned int family)
{
	snprintf(buf, FARGS_PRINTED_MAX, family == AF_UNSPEC ? "AF_UNSPEC" :
		 family == AF_UNIX ? "AF_UNIX" : family == AF_NETLINK ? "AF_NETLINK" :
		 family == AF_PACKET ? "AF_PACKET" : "family %u", family);
}

/*
 * @is_unix: the address is a struct sockaddr_un. The kernel terminates their paths with a NUL, but
 * not those in other types, whose length is not part of the address.
 */
static bool put_sockaddr(char *buf, struct bytes b, bool is_unix)
{
	const size_t path_at = offsetof(struct sockaddr_un, sun_path);
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	char text[ENDPOINT_MAX];
	sa_family_t family;

	if (b.n < sizeof(family))
		return false;
	memcpy(&family, b.data, sizeof(family));
	if (family == AF_INET && b.n >= sizeof(in)) {
		memcpy(&in, b.data, sizeof(in));
		strcpy(buf, endpoint(text, AF_INET, &in.sin_addr, ntohs(in.sin_port)));
	} else if (family == AF_INET6 && b.n >= sizeof(in6)) {
		memcpy(&in6, b.data, sizeof(in6));
		strcpy(buf, endpoint(text, AF_INET6, &in6.sin6_addr, ntohs(in6.sin6_port)));
	} else if (is_unix && family == AF_UNIX && b.n > path_at && b.data[path_at]) {
		snprintf(buf, FARGS_PRINTED_MAX, "unix:%.*s", (int)(b.n - path_at),
			 (const char *)b.data + path_at);
	} else {
		/* Nor is the length of an abstract address. */
		put_family(buf, family);
	}
	return true;
}

/* Returns the bytes of a member of the struct sock_common in @b, or NULL. */
static const uint8_t *member(const struct fargs_arg *arg, struct bytes b, const char *name,
			     size_t bytes)
{
	struct fargs_member m;

	if (!fargs_member_find(&m, arg->btf, arg->base_id, name, strlen(name)) ||
	    m.bit_offset / 8 + bytes > b.n)
		return NULL;
	return b.data + m.bit_offset / 8;
}

static bool put_sock(char *buf, const struct fargs_arg *arg, struct bytes b)
{
	const uint8_t *family = member(arg, b, "skc_family", 2), *num, *dport, *from, *to;
	char local[ENDPOINT_MAX], remote[ENDPOINT_MAX];
	uint16_t of, port;
	bool is_inet6;

	if (!family)
		return false;
	memcpy(&of, family, sizeof(of));
	is_inet6 = of == AF_INET6;
	if (of != AF_INET && !is_inet6) {
		put_family(buf, of);
		return true;
	}
	num = member(arg, b, "skc_num", 2);
	dport = member(arg, b, "skc_dport", 2);
	from = member(arg, b, is_inet6 ? "skc_v6_rcv_saddr" : "skc_rcv_saddr", is_inet6 ? 16 : 4);
	to = member(arg, b, is_inet6 ? "skc_v6_daddr" : "skc_daddr", is_inet6 ? 16 : 4);
	if (!num || !dport || !from || !to)
		return false;
	memcpy(&port, num, sizeof(port));
	snprintf(buf, FARGS_PRINTED_MAX, "%s->%s", endpoint(local, of, from, port),
		 endpoint(remote, of, to, get_be16(dport)));
	return true;
}

static bool put_inet(char *buf, const struct fargs_arg *arg, struct bytes b)
{
	const struct btf_type *t = arg->btf ? btf__type_by_id(arg->btf, arg->base_id) : NULL;
	const char *name = t && btf_is_struct(t) ? btf__name_by_offset(arg->btf, t->name_off) : "";
	char text[ENDPOINT_MAX];

	if (!strcmp(name, "sock_common"))
		return put_sock(buf, arg, b);
	if (strcmp(name, "in_addr") && strcmp(name, "in6_addr"))
		return put_sockaddr(buf, b, !strcmp(name, "sockaddr_un"));
	if (b.n != 4 && b.n != 16)
		return false;
	strcpy(buf, endpoint(text, b.n == 4 ? AF_INET : AF_INET6, b.data, -1));
	return true;
}

static const char *protocol_name(char buf[16], unsigned int nr)
{
	switch (nr) {
	case IPPROTO_ICMP:
		return "ICMP";
	case IPPROTO_TCP:
		return "TCP";
	case IPPROTO_UDP:
		return "UDP";
	case IPPROTO_ICMPV6:
		return "ICMPv6";
	case IPPROTO_SCTP:
		return "SCTP";
	}
	snprintf(buf, 16, "protocol %u", nr);
	return buf;
}

struct packet {
	int family;
	unsigned int protocol;
	unsigned int bytes;	/* length of the packet according to its header; 0: unknown */
	const uint8_t *from, *to;
	uint32_t payload;	/* where the payload begins; 0: it does not begin in this packet */
};

static bool read_packet(struct packet *p, struct bytes b)
{
	if (b.n >= 20 && b.data[0] >> 4 == 4) {
		*p = (struct packet){
			.family = AF_INET, .protocol = b.data[9], .bytes = get_be16(b.data + 2),
			.from = b.data + 12, .to = b.data + 16,
			.payload = get_be16(b.data + 6) & FRAGMENT_MASK ? 0 : 4 * (b.data[0] & 15),
		};
		return true;
	}
	if (b.n < IPV6_HEADER || b.data[0] >> 4 != 6)
		return false;
	*p = (struct packet){
		.family = AF_INET6, .protocol = b.data[6], .bytes = get_be16(b.data + 4),
		.from = b.data + 8, .to = b.data + 24, .payload = IPV6_HEADER,
	};
	if (p->bytes)
		p->bytes += IPV6_HEADER;
	return true;
}

static bool put_packet(char *buf, struct bytes b)
{
	char from[ENDPOINT_MAX], to[ENDPOINT_MAX], name[16];
	struct packet p;
	bool has_ports;
	int n;

	if (!read_packet(&p, b)) {
		snprintf(buf, FARGS_PRINTED_MAX, "no IP header");
		return true;
	}
	has_ports = (p.protocol == IPPROTO_TCP || p.protocol == IPPROTO_UDP ||
		     p.protocol == IPPROTO_SCTP) && p.payload && p.payload + 4 <= b.n;
	n = snprintf(buf, FARGS_PRINTED_MAX, "%s %s->%s", protocol_name(name, p.protocol),
		     endpoint(from, p.family, p.from,
			      has_ports ? get_be16(b.data + p.payload) : -1),
		     endpoint(to, p.family, p.to,
			      has_ports ? get_be16(b.data + p.payload + 2) : -1));
	if (p.bytes)
		snprintf(buf + n, FARGS_PRINTED_MAX - n, " %u bytes", p.bytes);
	return true;
}

/* Is guid_t one of the typedefs of the value's type? */
static bool is_guid(const struct fargs_arg *arg)
{
	const struct btf_type *t = arg->btf ? btf__type_by_id(arg->btf, arg->btf_id) : NULL;
	unsigned int i;

	for (i = 0; t && (btf_is_mod(t) || btf_is_typedef(t)) && i < TYPEDEFS_MAX; i++) {
		if (btf_is_typedef(t) &&
		    !strcmp(btf__name_by_offset(arg->btf, t->name_off), "guid_t"))
			return true;
		t = btf__type_by_id(arg->btf, t->type);
	}
	return false;
}

static bool put(char *buf, const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;
	struct bytes b = { val->data, val->bytes };
	char text[ENDPOINT_MAX];

	if (arg->format == FARGS_FORMAT_INET && fargs_type_width(val->type) == 4) {
		strcpy(buf, endpoint(text, AF_INET, val->data, -1));
		return true;
	}
	if (val->type != FARGS_TYPE_BYTES)
		return false;
	switch (arg->format) {
	case FARGS_FORMAT_MAC:
		return put_mac(buf, b);
	case FARGS_FORMAT_UUID:
		return put_uuid(buf, b, is_guid(arg));
	case FARGS_FORMAT_INET:
		return put_inet(buf, arg, b);
	case FARGS_FORMAT_SKB:
		return put_packet(buf, b);
	default:
		return false;
	}
}

void fargs_printed_replace(struct fargs_arg *arg, char buf[FARGS_PRINTED_MAX])
{
	if (arg->format < FARGS_FORMAT_MAC || arg->val.is_fault || !put(buf, arg))
		return;
	arg->val.type = FARGS_TYPE_STR;
	arg->val.data = (const uint8_t *)buf;
	arg->val.bytes = strlen(buf);
	arg->val.is_cut = false;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that FARGS_IOC_ADD refuses layouts that break a rule of include/uapi/fargs_layout.h. Each
 * rule is broken by itself, in the second of two layouts, so that the error must name the layout.
 */
#include <stddef.h>

#include "lib/session.h"

#define LAYOUT(field)	offsetof(struct fargs_layout, field)
#define STORE(nr, field) \
	(sizeof(struct fargs_layout) + (nr) * sizeof(struct fargs_store) + \
	 offsetof(struct fargs_store, field))
#define ANYWHERE	0xfffffffeu

static uint64_t addr_4, addr_int;
static int session;	/* a new session for each refusal, so that failures are independent */
static uint8_t packed[3 * sizeof(struct piece)];

/* Tries to add a valid layout and @bad. Neither may be added. */
static void refuse(const struct piece *bad, uint32_t field, const char *what)
{
	struct piece good;
	uint32_t bytes;
	int ret;

	session = device_open();
	piece_target_int(&good, addr_int);
	bytes = piece_pack(&good, packed);
	bytes += piece_pack(bad, packed + bytes);
	ret = session_add(session, packed, bytes, 2, 0, NULL);
	if (!ktap_ok(ret == -EINVAL && last_error.layout == 1 && last_error.text[0] &&
		     (field == ANYWHERE || last_error.field == field) &&
		     !session_layouts(session), "%s is refused", what))
		ktap_note("%d, layout %d, field %d not %d: %s", ret, last_error.layout,
			  last_error.field, field, last_error.text);
	close(session);
}

static void test_header(void)
{
	const struct {
		size_t at;
		uint8_t value;
		uint32_t field;
		const char *what;
	} bytes[] = {
		{ LAYOUT(flags) + 1, 0x01, LAYOUT(flags), "an unknown flag" },
		{ LAYOUT(flags) + 3, 0x80, LAYOUT(flags), "another unknown flag" },
		{ LAYOUT(reserved), 1, LAYOUT(reserved), "the first reserved byte that is set" },
		{ LAYOUT(reserved) + sizeof(((struct fargs_layout *)0)->reserved) - 1, 1,
		  LAYOUT(reserved), "the last reserved byte that is set" },
	};
	struct piece piece;
	size_t i;

	for (i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		piece_target_4(&piece, addr_4);
		((uint8_t *)&piece.layout)[bytes[i].at] = bytes[i].value;
		refuse(&piece, bytes[i].field, bytes[i].what);
	}
	piece_target_4(&piece, addr_4);
	piece.layout.size -= 8;
	refuse(&piece, LAYOUT(size), "a size smaller than its parts");
	piece_target_4(&piece, addr_4);
	piece.layout.size += 8;
	refuse(&piece, LAYOUT(size), "a size larger than its parts");
	piece_target_4(&piece, addr_4);
	piece.layout.size = 0;
	refuse(&piece, LAYOUT(size), "size 0");
	piece_target_4(&piece, addr_4);
	piece.layout.size = 0xffffffff;
	refuse(&piece, LAYOUT(size), "a huge size");
	piece_target_4(&piece, addr_4);
	piece.layout.body_len += 4;
	piece.layout.size += 4;
	piece.body_len += 4;
	refuse(&piece, LAYOUT(body_len), "a body_len that is not a multiple of 8");
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = addr_4;
	piece.layout.size = sizeof(struct fargs_layout);
	refuse(&piece, LAYOUT(body_len), "a layout without body");
	piece_target_4(&piece, addr_4);
	piece.layout.nr_stores = 0xffff;
	refuse(&piece, LAYOUT(nr_stores), "a huge number of stores");
}

/* Makes a body of @bytes. Its values fill all but the last 8 bytes. */
static void piece_fill(struct piece *piece, uint32_t bytes)
{
	char name[] = "abcdefghijklmnopqrstuvwxyzabcdef";

	memset(piece, 0, sizeof(*piece));
	piece->layout.addr = addr_4;
	while (bytes - 8 - piece->body_len > 40)
		piece_value(piece, "fillin", FARGS_TYPE_U64, 8);
	/* The last value has a long name, so that it fills the remaining bytes. */
	name[bytes - 8 - piece->body_len - 10] = '\0';
	piece_value(piece, name, FARGS_TYPE_U64, 8);
	piece_end(piece);
}

static void test_lengths(void)
{
	const uint32_t most = FARGS_RECORD_MAX - sizeof(struct fargs_record);
	struct piece piece;
	uint32_t i;

	piece_fill(&piece, most + 8);
	refuse(&piece, LAYOUT(body_len), "a record that is 8 bytes too long");
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = addr_4;
	for (i = 0; i < FARGS_STORES_MAX + 1; i++)
		piece_store(&piece, piece_value(&piece, "s", FARGS_TYPE_U64, 8),
			    i < FARGS_REGS ? FARGS_SOURCE_REG : FARGS_SOURCE_STACK,
			    i < FARGS_REGS ? i : (i - FARGS_REGS) % FARGS_STACK_SLOTS);
	piece_end(&piece);
	refuse(&piece, LAYOUT(nr_stores), "one store too many");
}

static void refuse_store(unsigned int nr, size_t at, uint16_t value, uint32_t field,
			 const char *what)
{
	struct piece piece;

	piece_target_4(&piece, addr_4);
	if (at == offsetof(struct fargs_store, offset))
		piece.stores[nr].offset = value;
	else
		((uint8_t *)&piece.stores[nr])[at] = value;
	refuse(&piece, field, what);
}

static void test_stores(void)
{
	const size_t offset = offsetof(struct fargs_store, offset);
	const size_t source = offsetof(struct fargs_store, source);
	const size_t index = offsetof(struct fargs_store, index);
	const size_t reserved = offsetof(struct fargs_store, reserved);
	uint16_t data;
	struct piece piece;

	piece_target_4(&piece, addr_4);
	data = piece.stores[1].offset;
	refuse_store(1, offset, data + 1, STORE(1, offset), "a store one byte off");
	refuse_store(1, offset, data - 1, STORE(1, offset), "a store over a type");
	refuse_store(1, offset, data + 8, STORE(1, offset), "a store over the next name");
	refuse_store(0, offset, 0, STORE(0, offset), "a store over the first name");
	refuse_store(1, offset, piece.body_len - 8, STORE(1, offset), "a store over the end");
	refuse_store(1, offset, piece.body_len, STORE(1, offset), "a store after the body");
	refuse_store(1, offset, 0xfff8, STORE(1, offset), "a store far after the body");
	refuse_store(1, offset, piece.stores[0].offset, STORE(1, offset),
		     "two stores into one value");
	refuse_store(2, source, 0, ANYWHERE, "source 0");
	refuse_store(2, source, 3, ANYWHERE, "an unknown source");
	refuse_store(2, index, 6, ANYWHERE, "a seventh register");
	refuse_store(2, index, 255, ANYWHERE, "register 255");
	refuse_store(2, index, 1, STORE(2, index), "a register that is stored twice");
	refuse_store(3, reserved, 1, STORE(3, reserved),
		     "the first reserved byte of a store that is set");
	refuse_store(3, reserved + 3, 1, STORE(3, reserved),
		     "the last reserved byte of a store that is set");
	piece_target_4(&piece, addr_4);
	piece.stores[3].source = FARGS_SOURCE_STACK;
	piece.stores[3].index = FARGS_STACK_SLOTS;
	refuse(&piece, ANYWHERE, "a stack slot beyond the last");
}

static void refuse_body(const void *body, uint32_t bytes, const char *what)
{
	struct piece piece;

	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = addr_4;
	memcpy(piece.body, body, bytes);
	piece.body_len = bytes;
	piece.layout.body_len = bytes;
	piece.layout.size = sizeof(piece.layout) + bytes;
	refuse(&piece, ANYWHERE, what);
}

#define BODY(text, what) refuse_body(text, sizeof(text) - 1, what)

static void test_bodies(void)
{
	BODY("aaaaaaaa", "a body with nothing but a name without NUL");
	BODY("aaaaaaa\0", "a body that ends after a name");
	BODY("aaaaaa\0\7", "a body that ends after a type");
	BODY("a\0\7\0\0\0\0\0", "a body that ends within data");
	BODY("aaaaa\0\7\0\0\0\0\0\0\0\0\0", "a body whose end marker is cut off");
	BODY("aaaaaa\0\7\0\0\0\0\0\0\0\0", "a body without end marker");
	BODY("a\0\0\0\0\0\0\0", "type 0 with a name");
	BODY("\0\7\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "a value without a name");
	BODY("a\0\20\0\0\0\0\0\0\0\0\0\0\0\0\0", "an unknown type");
	BODY("a\0\177\0\0\0\0\0\0\0\0\0\0\0\0\0", "the last unknown type");
	BODY("a\0\200\0\0\0\0\0\0\0\0\0\0\0\0\0", "type 0 with FARGS_TYPE_FAULT");
	BODY("a\0\14\0\0\0\0\0\0\0\0\0\0\0\0\0", "a 128-bit value that is cut off");
	BODY("a\0\17\377\377\0\0\0\0\0\0\0\0\0\0\0", "bytes longer than the body");
	BODY("\0\0\1\0\0\0\0\0", "a nonzero byte after the end marker");
	BODY("\0\0\0\0\0\0\0\1", "a nonzero last byte after the end marker");
}

static void test_addresses(void)
{
	struct piece good, bad;
	uint32_t bytes, nr_added;
	struct fargs_layout *second;
	int ret;

	piece_target_4(&bad, 0);
	refuse(&bad, LAYOUT(addr), "address 0");
	piece_target_4(&bad, addr_4 + 1);
	refuse(&bad, LAYOUT(addr), "one byte inside a function");
	piece_target_4(&bad, 0x1000);
	refuse(&bad, LAYOUT(addr), "an address of user space");
	piece_target_4(&bad, 0xffff888000000000ull);
	refuse(&bad, LAYOUT(addr), "an address of data");
	piece_target_4(&bad, ~0ull);
	refuse(&bad, LAYOUT(addr), "the last address");

	session = device_open();
	piece_target_int(&good, addr_int);
	bytes = piece_pack(&good, packed);
	second = (struct fargs_layout *)(packed + bytes);
	bytes += piece_pack(&bad, packed + bytes);
	ret = session_add(session, packed, bytes, 2, 0, &nr_added);
	ktap_ok(ret == -EINVAL && second->status == -EINVAL,
		"a failed ADD sets the status of a layout that is not traceable");
	ret = session_add(session, packed, bytes, 2, FARGS_ADD_SKIP, &nr_added);
	ktap_ok(!ret && nr_added == 1 && session_layouts(session) == 1 &&
		second->status == -EINVAL &&
		!((struct fargs_layout *)packed)->status,
		"FARGS_ADD_SKIP skips it, and adds the other layout");
	ktap_ok(((struct fargs_layout *)packed)->ip - addr_int <= 4,
		"ip is the address of the function's fentry");

	piece_target_int(&good, addr_int);
	ktap_ok(piece_add(session, &good) == -EEXIST && good.layout.status == -EEXIST &&
		last_error.layout == 0 && last_error.field == LAYOUT(addr),
		"a function that the session already has is EEXIST");
	ktap_ok(!!strstr(last_error.text, "fargs_t_int"),
		"the message names the function: %s", last_error.text);
	piece_target_4(&good, addr_4);
	bytes = piece_pack(&good, packed);
	second = (struct fargs_layout *)(packed + bytes);
	bytes += piece_pack(&good, packed + bytes);
	ktap_ok(session_add(session, packed, bytes, 2, 0, NULL) == -EEXIST &&
		second->status == -EEXIST && session_layouts(session) == 1,
		"the same function twice in a batch is EEXIST");
	ktap_ok(!session_add(session, packed, bytes, 2, FARGS_ADD_SKIP, &nr_added) &&
		nr_added == 1 && session_layouts(session) == 2,
		"FARGS_ADD_SKIP adds the first of them");
	close(session);
}

static void refuse_batch(struct fargs_add *add, int error, uint32_t field, const char *what)
{
	int ret;

	session = device_open();
	ret = call(session, FARGS_IOC_ADD, add);
	if (!ktap_ok(ret == error && (field == ANYWHERE || last_error.field == field) &&
		     !session_layouts(session), "%s is refused", what))
		ktap_note("%d, field %d: %s", ret, last_error.field, last_error.text);
	close(session);
}

static void test_batches(void)
{
	struct piece good;
	struct fargs_add add, right = { .layouts = (uintptr_t)packed, .nr = 1 };

	piece_target_4(&good, addr_4);
	right.bytes = piece_pack(&good, packed);
	piece_pack(&good, packed + right.bytes);

	add = right;
	add.flags = 0x80000000u;
	refuse_batch(&add, -EINVAL, offsetof(struct fargs_add, flags), "an unknown flag of ADD");
	add = right;
	add.reserved = 1;
	refuse_batch(&add, -EINVAL, offsetof(struct fargs_add, reserved),
		     "a reserved field of ADD that is set");
	add = right;
	add.nr = 0;
	refuse_batch(&add, -EINVAL, ANYWHERE, "a batch without layouts");
	add = right;
	add.nr = 2;
	refuse_batch(&add, -EINVAL, ANYWHERE, "a batch with fewer layouts than nr");
	add = right;
	add.nr = 0xffffffffu;
	refuse_batch(&add, -EINVAL, ANYWHERE, "a huge number of layouts");
	add = right;
	add.bytes += 8;
	refuse_batch(&add, -EINVAL, ANYWHERE, "a batch with bytes after the last layout");
	add = right;
	add.bytes -= 8;
	refuse_batch(&add, -EINVAL, ANYWHERE, "a layout that is cut off");
	add = right;
	add.bytes = 63;
	refuse_batch(&add, -EINVAL, ANYWHERE, "a header that is cut off");
	add = right;
	add.bytes = 1ull << 62;
	refuse_batch(&add, -EINVAL, ANYWHERE, "a huge number of bytes");
	add = right;
	add.layouts = 8;
	refuse_batch(&add, -EFAULT, ANYWHERE, "layouts that cannot be read");
}

/* Tests unusual layouts that the headers allow. */
static void test_allowed(void)
{
	struct piece piece;
	unsigned int i;
	int fd;

	fd = device_open();
	piece_fill(&piece, FARGS_RECORD_MAX - sizeof(struct fargs_record));
	ktap_ok(!piece_add(fd, &piece), "the longest record is accepted");
	close(fd);

	fd = device_open();
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = addr_4;
	piece_end(&piece);
	ktap_ok(!piece_add(fd, &piece), "a record without values is accepted");
	close(fd);

	fd = device_open();
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = addr_4;
	for (i = 0; i < FARGS_STORES_MAX; i++)
		piece_store(&piece, piece_value(&piece, "s", FARGS_TYPE_U64, 8),
			    i < FARGS_REGS ? FARGS_SOURCE_REG : FARGS_SOURCE_STACK,
			    i < FARGS_REGS ? i : i - FARGS_REGS);
	piece_end(&piece);
	ktap_ok(!piece_add(fd, &piece), "the maximum number of stores is accepted");
	close(fd);

	fd = device_open();
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = addr_4;
	i = piece_value(&piece, "wide", FARGS_TYPE_U128, 16);
	piece_store(&piece, i + 8, FARGS_SOURCE_REG, 1);
	piece_store(&piece, i, FARGS_SOURCE_REG, 0);
	piece_end(&piece);
	ktap_ok(!piece_add(fd, &piece), "both halves of a 128-bit value are accepted in any order");
	close(fd);
}

int main(void)
{
	ktap_begin("abi_layout");
	need_session_test();
	addr_4 = symbol_address("fargs_t_4");
	addr_int = symbol_address("fargs_t_int");
	test_header();
	test_lengths();
	test_stores();
	test_bodies();
	test_batches();
	test_addresses();
	test_allowed();
	return ktap_end();
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What BTF tells about the type of an argument. BTF out of a file may say
 * anything: ids are looked up, never trusted, and chains end.
 */
#ifndef FARGS_DECODE_TYPES_H
#define FARGS_DECODE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

/* @id without typedefs, const, volatile, restrict and type tags; 0 if that leads nowhere. */
uint32_t fargs_types_base(const struct btf *btf, uint32_t id);
/* enum fargs_shape of a type that fargs_types_base gave. */
uint8_t fargs_types_shape(const struct btf *btf, uint32_t base_id);
/* The prototype of a BTF_KIND_FUNC, or NULL. */
const struct btf_type *fargs_types_proto(const struct btf *btf, uint32_t func_id);
/* Name of the enumerator with value @value (cut and extended as its record type says), or NULL. */
const char *fargs_types_enumerator(const struct btf *btf, uint32_t base_id, uint64_t value);

#define FARGS_TYPES_FLAGS	64

/*
 * The bits of @value by name, lowest first, if the enumerators are flags: how
 * many names are in @names (owned by @btf), with the bits that have none in
 * *@rest; or -1 if they are not flags.
 *
 * Flags are two different bits or more, and besides 0 only masks of named bits,
 * not more of them than bits. Numbers that count (1, 2, 3 and so on without a
 * hole) are none, though 3 could be a mask.
 */
int fargs_types_flags(const struct btf *btf, uint32_t base_id, uint64_t value,
		      const char *names[FARGS_TYPES_FLAGS], uint64_t *rest);

/* Bytes of any type, arrays included; -1 if it has no size, or none below 4 GB. */
int64_t fargs_types_size(const struct btf *btf, uint32_t id);
/* Is it what C calls char, neither signed nor unsigned? */
bool fargs_types_is_char(const struct btf *btf, uint32_t base_id);
/* Is this integer signed? That of char differs: Linux 6.2 and later have it unsigned. */
bool fargs_types_is_signed(const struct btf *btf, uint32_t base_id);

#endif

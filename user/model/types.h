/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks up types of arguments in BTF. BTF from a file may be hostile: ids are never trusted, and
 * chains of types are bounded.
 */
#ifndef FARGS_MODEL_TYPES_H
#define FARGS_MODEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

/* @id without typedefs, const, volatile, restrict and type tags; 0 if the chain is broken. */
uint32_t fargs_types_base(const struct btf *btf, uint32_t id);
/* enum fargs_shape of a type that fargs_types_base returned. */
uint8_t fargs_types_shape(const struct btf *btf, uint32_t base_id);
/* The prototype of a BTF_KIND_FUNC, or NULL. */
const struct btf_type *fargs_types_proto(const struct btf *btf, uint32_t func_id);
/* Name of the enumerator of @value (truncated and extended as its record type says), or NULL. */
const char *fargs_types_enumerator(const struct btf *btf, uint32_t base_id, uint64_t value);

#define FARGS_TYPES_FLAGS	64

/*
 * If the enumerators are flags, names the bits of @value, lowest first: returns the number of
 * @names (owned by @btf) and sets *@rest to the bits without a name. -1: they are not flags.
 *
 * Enumerators are flags if they are at least two different bits and, apart from 0, only masks of
 * named bits, at most as many masks as bits. Consecutive numbers (1, 2, 3 and so on) are not
 * flags, though 3 could be a mask.
 */
int fargs_types_flags(const struct btf *btf, uint32_t base_id, uint64_t value,
		      const char *names[FARGS_TYPES_FLAGS], uint64_t *rest);

/* Bytes of any type, arrays included; -1 if it has no size, or one of 4 GB or more. */
int64_t fargs_types_size(const struct btf *btf, uint32_t id);
/* Is it C's plain char, neither signed nor unsigned? */
bool fargs_types_is_char(const struct btf *btf, uint32_t base_id);
/* Is this integer signed? char varies: it is unsigned in Linux 6.2 and later. */
bool fargs_types_is_signed(const struct btf *btf, uint32_t base_id);

#endif

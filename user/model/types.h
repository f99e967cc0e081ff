/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks up types of arguments in BTF. BTF from a file is not trusted: ids are always checked, and
 * the length of type chains is limited.
 */
#ifndef FARGS_MODEL_TYPES_H
#define FARGS_MODEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

/*
 * Strips typedefs, const, volatile, restrict and type tags from @id. Returns 0 if the chain is
 * broken.
 */
uint32_t fargs_types_base(const struct btf *btf, uint32_t id);
/* Returns the enum fargs_shape of @base_id, which fargs_types_base() returned. */
uint8_t fargs_types_shape(const struct btf *btf, uint32_t base_id);
/* Returns the prototype of a BTF_KIND_FUNC, or NULL. */
const struct btf_type *fargs_types_proto(const struct btf *btf, uint32_t func_id);
/*
 * Returns the name of the enumerator that equals @value when both are truncated to the enum's
 * width, or NULL.
 */
const char *fargs_types_enumerator(const struct btf *btf, uint32_t base_id, uint64_t value);

#define FARGS_TYPES_FLAGS	64

/*
 * If the enumerators of @base_id are flags, stores the names of the bits in @value, lowest first,
 * in @names (owned by @btf), sets *@rest to the bits without a name, and returns the number of
 * names. Returns -1 if the enumerators are not flags.
 *
 * Enumerators are flags if at least two different bits have an enumerator of their own, and every
 * other enumerator is 0 or combines several of these bits. There may be at most as many
 * combinations as single bits. Consecutive numbers (1, 2, 3 and so on) are not flags, although 3
 * could be the combination of 1 and 2.
 */
int fargs_types_flags(const struct btf *btf, uint32_t base_id, uint64_t value,
		      const char *names[FARGS_TYPES_FLAGS], uint64_t *rest);

/* Returns the size of a type in bytes, or -1 if it has no size or a size of 4 GiB or more. */
int64_t fargs_types_size(const struct btf *btf, uint32_t id);
/* Is @base_id C's plain char, neither signed char nor unsigned char? */
bool fargs_types_is_char(const struct btf *btf, uint32_t base_id);
/* Is @base_id a signed integer? Plain char may be either: it is unsigned in Linux 6.2 and later. */
bool fargs_types_is_signed(const struct btf *btf, uint32_t base_id);

#endif

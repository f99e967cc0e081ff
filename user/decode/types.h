/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What BTF tells about the type of an argument. BTF out of a file may say
 * anything: ids are looked up, never trusted, and chains end.
 */
#ifndef FARGS_DECODE_TYPES_H
#define FARGS_DECODE_TYPES_H

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

#endif

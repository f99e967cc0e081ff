/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CRC-32 (ISO 3309, reflected), as used by zlib and by .gnu_debuglink of ELF files.
 */
#ifndef FARGS_BASE_CRC32_H
#define FARGS_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* CRC of the @bytes at @p. @crc: 0, or the CRC of the data before @p. */
uint32_t fargs_crc32(uint32_t crc, const void *p, size_t bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CRC-32C (Castagnoli; RFC 3720 appendix B.4), as used by ext4, btrfs and iSCSI.
 */
#ifndef FARGS_BASE_CRC32C_H
#define FARGS_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC of the @bytes at @p. @crc: 0, or the CRC of the data before @p. */
uint32_t fargs_crc32c(uint32_t crc, const void *p, size_t bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CRC-32C (Castagnoli; RFC 3720 appendix B.4), as ext4, btrfs and iSCSI use it.
 */
#ifndef FARGS_FILE_CRC32C_H
#define FARGS_FILE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of @bytes at @p. @crc: 0, or the result for the bytes in front of them. */
uint32_t fargs_crc32c(uint32_t crc, const void *p, size_t bytes);

#endif

# SPDX-License-Identifier: GPL-2.0-only
"""
Intel PT of virtual machines, in perf.data files that are composed record by record: a host whose kernel enters guests, the
hypervisors' processes, and copies of the kernels' code and symbols. The guests' kernels are at the host's addresses.
"""
import os
import pathlib
import struct

import ptdata
from ptdata import BRANCH_EN, FUP, PGD_NO_IP, PGE, PT_TYPE, TIP, TSC, record, text, tsc, with_ip

TEXT = 0xffffffff81000000
MODULE = 0xffffffffc0200000
USER = 0x401000
SIZE = 0x1000
MISC_KERNEL, MISC_USER, MISC_GUEST_KERNEL, MISC_GUEST_USER = 1, 2, 4, 5
PT = 1

# The host's kernel.
ENTER, RESUME, VMEXIT, LEAVE, SWITCH = (TEXT + at for at in (0x100, 0x104, 0x200, 0x204, 0x600))
# The guest's kernel: each VM exit is at EXIT or in FUNC, before an instruction; and its module's function.
BEGIN, CALL, FUNC, COND, RETURN, AFTER, EXIT = (TEXT + at for at in (0x100, 0x102, 0x300, 0x304, 0x308, 0x107, 0x10b))
IRET, OTHER = TEXT + 0x204, TEXT + 0x400


def put(code, addr, what, base=TEXT):
    code[addr - base:addr - base + len(what)] = what


def relative(target, end):
    return (target - end).to_bytes(4, 'little', signed=True)


def host_code():
    code = bytearray(b'\x90' * SIZE)
    put(code, RESUME, b'\x0f\x01\xc3')          # vmresume
    for at in LEAVE, SWITCH + 2:
        put(code, at, b'\xff\xe0')              # jmp *%rax
    return bytes(code)


def guest_code():
    code = bytearray(b'\x90' * SIZE)
    put(code, CALL, b'\xe8' + relative(FUNC, CALL + 5))
    put(code, COND, b'\x74\x02')                # je RETURN
    put(code, RETURN, b'\xc3')
    put(code, EXIT + 2, b'\xff\xe0')            # jmp *%rax
    put(code, IRET, b'\x48\xcf')
    put(code, OTHER + 2, b'\xff\xe0')
    return bytes(code)


def module_code():
    code = bytearray(b'\x90' * SIZE)
    put(code, MODULE + 0x14, b'\xff\xe0', MODULE)
    return bytes(code)


def elf(segments, kind=4):
    """An ELF file like /proc/kcore, of pairs of address and code."""
    head = b'\x7fELF\x02\x01\x01' + bytes(9) + struct.pack('<HHIQQQIHHHHHH', kind, 62, 1, 0, 64, 0, 0, 64, 56, len(segments), 0, 0, 0)
    at, table, data = 0x1000, b'', b''
    for addr, code in segments:
        table += struct.pack('<IIQQQQQQ', 1, 7, at, addr, 0, len(code), len(code), 0x1000)
        at += len(code)
        data += code
    return (head + table).ljust(0x1000, b'\0') + data


def kernel_dir(path, code, symbols, module=None, moved=0):
    """Files as in /proc, of symbols by offset."""
    path = pathlib.Path(path)
    path.mkdir(parents=True, exist_ok=True)
    lines = [f'{TEXT + moved + at:016x} T {name}' for at, name in symbols.items()]
    segments = [(TEXT + moved, code)]
    modules = ''
    if module:
        lines += [f'{MODULE + at:016x} t {name}\t[vmod]' for at, name in module.items()]
        segments.append((MODULE, module_code()))
        modules = f'vmod {SIZE} 0 - Live {MODULE:#018x}\n'
    (path / 'kallsyms').write_text('\n'.join(lines) + '\n', encoding='ascii')
    (path / 'modules').write_text(modules, encoding='ascii')
    (path / 'kcore').write_bytes(elf(segments))
    return path


HOST_SYMBOLS = {0: '_text', 1: '_stext', 0x100: 'vmx_enter', 0x200: 'vmx_vmexit', 0x208: 'host_rest', 0x600: '__switch_to_asm',
                0xff0: '_etext'}
GUEST_SYMBOLS = {0: '_text', 1: '_stext', 0x100: 'guest_start', 0x200: 'guest_iret', 0x300: 'guest_func', 0x309: 'guest_rest',
                 0x400: 'guest_other', 0xff0: '_etext'}
MODULE_SYMBOLS = {0x10: 'vmod_func', 0x20: 'vmod_rest'}


def host_dir(path):
    return kernel_dir(path, host_code(), HOST_SYMBOLS)


def guest_dir(path, suffix='', moved=0):
    symbols = {at: name if name.startswith('_') else name + suffix for at, name in GUEST_SYMBOLS.items()}
    return kernel_dir(path, guest_code(), symbols, MODULE_SYMBOLS, moved)


def kernel_mmap(misc, pid, name, addr=TEXT, size=SIZE, offset=None):
    body = struct.pack('<iIQQQ', pid, 0, addr, size, addr if offset is None else offset) + text(name)
    return record(1, misc, body + ptdata.sample(0, 0))


def host_mmap():
    return kernel_mmap(MISC_KERNEL, -1, '[kernel.kallsyms]_text')


def guest_mmaps(pid=0, suffix='', moved=0):
    return (kernel_mmap(MISC_GUEST_KERNEL, pid, f'[guest.kernel.kallsyms{suffix}]_text', TEXT + moved) +
            kernel_mmap(MISC_GUEST_KERNEL, pid, '[vmod]', MODULE, offset=0))


def pip(is_guest, cr3=0x1000):
    return b'\x02\x43' + (cr3 >> 5 << 1 | is_guest).to_bytes(6, 'little')


def psb(ns, ip=None, is_guest=False):
    return (b'\x02\x82' * 8 + (tsc(ns) if ns else b'') + b'\x02\x03\x10\0' + pip(is_guest) + (with_ip(FUP, ip) if ip else b'') +
            b'\x99\x01' + b'\x02\x23')


def tip(addr):
    return with_ip(TIP, addr)


def fup(addr):
    return with_ip(FUP, addr)


def pge(addr):
    return with_ip(PGE, addr)


def entry(addr):
    """From RESUME to the guest."""
    return pip(True) + tip(addr)


def leave(addr):
    """From @addr in the guest to VMEXIT."""
    return fup(addr) + pip(False) + tip(VMEXIT)


END = fup(VMEXIT + 2) + PGD_NO_IP


def attr(kind, config, flags):
    return struct.pack('<IIQQQQQ', kind, 112, config, 1, ptdata.SAMPLE_TYPE, 0, flags | 1 << 18).ljust(112, b'\0')


def recording(path, streams, records, config=PT | BRANCH_EN | TSC, features=None, is_kernel=True):
    """
    Writes a directory, like perf record --kcore --per-thread, with @streams: packets by (pid, tid), or by CPU.
    @is_kernel: programs are not traced.
    """
    path = pathlib.Path(path)
    path.mkdir()
    host_dir(path / 'kcore_dir')
    is_cpu = not isinstance(next(iter(streams)), tuple)
    attrs = [(attr(PT_TYPE, config, 1 | is_kernel << 4 | 1 << 6), ptdata.ID_PT), (attr(1, 9, 1 | 1 << 8), ptdata.ID_SIDE)]
    info = [PT_TYPE, *ptdata.CLOCK, 1, TSC, 1 << 11, 0, 0, is_cpu, 1 << 9, 15 << 14, 0, 0, 2, 0, 0]
    data = record(70, 0, struct.pack(f'<II{len(info)}Q', 1, 0, *info)) + record(79, 0, struct.pack('<QQQ', *ptdata.CLOCK))
    data += host_mmap() + b''.join(records)
    for key, packets in streams.items():
        pid, tid = key if not is_cpu else (0, 0)
        if not is_cpu:
            data += record(12, 0, struct.pack('<II', pid, tid) + struct.pack('<IIQIIQ', pid, tid, 1, 0, 0, ptdata.ID_SIDE))
    for i, (key, packets) in enumerate(streams.items()):
        packets = ptdata.padded(packets)
        tid, cpu = (0xffffffff, key) if is_cpu else (key[1], 0xffffffff)
        data += record(71, 0, struct.pack('<QQQIIII', len(packets), 0, ptdata.REFERENCE, i, tid, cpu, 0)) + packets
    cpuid = ptdata.padded(b'GenuineIntel,6,142,9\0', 64)
    features = {**(features or {}), 9: struct.pack('<I', len(cpuid)) + cpuid}
    ptdata.write(path / 'data', attrs, data, features)
    return path


def comm(name, pid, tid, ns=0):
    return record(3, 0, struct.pack('<II', pid, tid) + text(name) + struct.pack('<IIQIIQ', pid, tid, ns, 0, 0, ptdata.ID_SIDE))


def build_id(path, build_id, pid, misc):
    """An entry of the feature BUILD_ID."""
    return record(67, misc | 1 << 15, struct.pack('<i20sB3x', pid, build_id, len(build_id)) + ptdata.padded(path.encode() + b'\0', 64))

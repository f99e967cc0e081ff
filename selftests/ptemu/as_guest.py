#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Makes of perf's recording of a machine that of a host of which the machine is a guest: what a host's perf would have
recorded while the same instructions were executed.

    as_guest.py FROM TO [--ahead TICKS] [--exits N] [--cpu] [--cut]

FROM is a directory of 'perf record --kcore -a'; TO becomes one of 'perf record --kcore --per-thread' of process 100, whose
threads from 101 on are the guest's CPUs, with the guest's files in TO/100/proc; with --cpu, of CPUs, each of which runs one
of these threads. The host's TSC is the guest's plus TICKS. There is a VM exit before every Nth interrupt of the guest that is
not at the beginning of a function, which would be shown twice, and an entry after a moment in the host's kernel
(guestdata.py). Packets are changed as the SDM says: PIPs of a guest have the flag NR, and TSC packets the host's TSC, as after
a correction of times (fargs inject --vm-time-correlation). With --cut, 1,000 TNT packets of each CPU are missing in its middle.
Prints the number of VM exits.
"""
import argparse
import pathlib
import shutil
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'golden'))
import guestdata
import ptdata
from guestdata import ENTER, comm, entry, leave, tip
from ptdata import PT_TYPE, record

ITRACE_START, AUXTRACE_INFO, AUXTRACE, TIME_CONV, SWITCH_CPU_WIDE = 12, 70, 71, 79, 15
# Sizes of packets whose second byte is this, after 0x02 (SDM 3, "Packet Definitions").
EXTENDED = {0x82: 16, 0x23: 2, 0x03: 4, 0x73: 7, 0xc8: 7, 0xf3: 2, 0xa3: 8, 0x43: 8, 0x83: 2, 0xc3: 11}
FUP, TIP, PGE, PGD = 0x1d, 0x0d, 0x11, 0x01
IP_BYTES = {0: 0, 1: 2, 2: 4, 3: 6, 4: 6, 6: 8}


def read_records(path):
    data = pathlib.Path(path).read_bytes()
    _, attr_size, attrs_at, attrs_bytes, at, size = struct.unpack_from('<6Q', data, 8)
    attrs = [data[i:i + attr_size - 16] for i in range(attrs_at, attrs_at + attrs_bytes, attr_size)]
    end = at + size
    records = []
    while at < end:
        kind, _, size = struct.unpack_from('<IHH', data, at)
        body, at = data[at + 8:at + size], at + size
        more = struct.unpack_from('<Q', body)[0] if kind == AUXTRACE else 0
        records.append((kind, body, data[at:at + more]))
        at += more
    return attrs, records


def packets(trace):
    """Yields (position, size, kind): of TIP, PGE, PGD and FUP the opcode, of others the first byte or, after 0x02, 256 + the second."""
    at = 0
    while at < len(trace):
        byte = trace[at]
        if byte == 0x02:
            kind, size = 256 + trace[at + 1], EXTENDED[trace[at + 1]]
        elif byte & 3 == 3:
            kind, size = 3, 1
            more = byte & 4
            while more:
                more = trace[at + size] & 1
                size += 1
        elif byte == 0x19:
            kind, size = byte, 8
        elif byte in (0x59, 0x99):
            kind, size = byte, 2
        elif byte & 1:
            kind, size = byte & 0x1f, 1 + IP_BYTES[byte >> 5]
        else:
            kind, size = 0, 1
        yield at, size, kind
        at += size


def address(trace, at, last):
    """The address of the packet at @at, after one with the address @last."""
    how = trace[at] >> 5
    value = int.from_bytes(trace[at + 1:at + 1 + IP_BYTES[how]], 'little')
    if how == 3:
        return value | (0xffff << 48 if value >> 47 else 0)
    if how in (1, 2, 4):
        bits = {1: 16, 2: 32, 4: 48}[how]
        return last >> bits << bits | value
    return value if how == 6 else last


def as_guest(trace, ahead, nth, begins, cut=0):
    """The packets of the host, without @cut TNT packets in the middle, and the number of VM exits."""
    out, last, in_psb, nr_seen, nr = bytearray(), 0, False, 0, 0
    all_packets = list(packets(trace))
    for i, (at, size, kind) in enumerate(all_packets):
        if cut and i > len(all_packets) // 2 and kind == 0 and trace[at]:
            cut -= 1
            continue
        packet = bytearray(trace[at:at + size])
        if kind == 256 + 0x82:
            last, in_psb = 0, True
        elif kind == 256 + 0x23:
            in_psb = False
        elif kind == 256 + 0x43:
            packet[2] |= 1
        elif kind == 0x19:
            packet[1:8] = (int.from_bytes(packet[1:8], 'little') + ahead).to_bytes(7, 'little')
        elif kind in (FUP, TIP, PGE, PGD) and packet[0] >> 5:
            last = address(trace, at, last)
        follower = next((k for _, _, k in all_packets[i + 1:i + 9] if k not in (3, 0x59, 0x19, 256 + 0x73, 256 + 0x03)), None)
        if kind == FUP and not in_psb and follower == TIP and last not in begins:
            nr_seen += 1
            if nr_seen % nth == 0:
                out += leave(last) + tip(ENTER) + entry(last)
                nr += 1
        out += packet
    return bytes(out), nr


def main():
    args = argparse.ArgumentParser()
    args.add_argument('source')
    args.add_argument('target')
    args.add_argument('--ahead', type=int, default=0)
    args.add_argument('--exits', type=int, default=10**9)
    args.add_argument('--cpu', action='store_true')
    args.add_argument('--cut', action='store_true')
    args = args.parse_args()
    source, target = pathlib.Path(args.source), pathlib.Path(args.target)
    attrs, records = read_records(source / 'data')
    pt = next(one for one in attrs if struct.unpack_from('<I', one)[0] == PT_TYPE)
    config = struct.unpack_from('<Q', pt, 8)[0]
    info = list(next(struct.unpack(f'<{(len(body) - 8) // 8}Q', body[8:]) for kind, body, _ in records if kind == AUXTRACE_INFO))
    # Switches of tasks are recorded as such; a buffer is a CPU's, or not.
    info[7], info[9] = 2, int(args.cpu)
    traces, reference = {}, 0
    for kind, body, trace in records:
        if kind == AUXTRACE:
            _, _, reference, _, _, cpu = struct.unpack_from('<QQQIII', body)
            traces[cpu] = traces.get(cpu, b'') + trace
    with open(source / 'kcore_dir' / 'kallsyms', encoding='ascii') as file:
        begins = {int(line.split()[0], 16) for line in file}

    target.mkdir()
    guestdata.host_dir(target / 'kcore_dir')
    (target / '100').mkdir()
    shutil.copytree(source / 'kcore_dir', target / '100' / 'proc')
    data = record(AUXTRACE_INFO, 0, struct.pack(f'<II{len(info)}Q', 1, 0, *info))
    data += b''.join(record(kind, 0, body) for kind, body, _ in records if kind == TIME_CONV)
    data += guestdata.host_mmap() + comm('qemu', 100, 100)
    out, nr_exits = b'', 0
    for cpu, trace in sorted(traces.items()):
        tid = 101 + cpu
        sample = struct.pack('<IIQIIQ', 100, tid, 1, cpu, 0, ptdata.ID_SIDE)
        data += comm(f'CPU {cpu}/KVM', 100, tid) + record(ITRACE_START, 0, struct.pack('<II', 100, tid) + sample)
        if args.cpu:
            data += record(SWITCH_CPU_WIDE, 0, struct.pack('<II', 0, 0) + sample)
        trace, nr = as_guest(trace, args.ahead, args.exits, begins, 1000 * args.cut)
        nr_exits += nr
        trace = ptdata.padded(trace)
        out += record(AUXTRACE, 0, struct.pack('<QQQIIII', len(trace), 0, reference + args.ahead, cpu,
                                               0xffffffff if args.cpu else tid, cpu if args.cpu else 0xffffffff, 0)) + trace
    data += out
    events = [(guestdata.attr(PT_TYPE, config, 1 | 1 << 4 | 1 << 6), ptdata.ID_PT), (guestdata.attr(1, 9, 1 | 1 << 8 | 1 << 26), ptdata.ID_SIDE)]
    cpuid = ptdata.padded(b'GenuineIntel,6,142,9\0', 64)
    ptdata.write(target / 'data', events, data, {9: struct.pack('<I', len(cpuid)) + cpuid})
    print(nr_exits, 'VM exits')


if __name__ == '__main__':
    main()

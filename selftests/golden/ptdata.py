# SPDX-License-Identifier: GPL-2.0-only
"""
Intel PT of user space in perf.data files, written by the SDM and perf's description of its format: a thread that is
traced for a moment at each of some addresses, so that a tool must name them, but need not know what is executed there.
One TSC tick is 1 ns.
"""
import struct

PT_TYPE, TID = 8, 4242
TSC, BRANCH_EN = 1 << 10, 1 << 13
SAMPLE_TYPE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 16      # IP, TID, TIME, CPU, IDENTIFIER
CLOCK = 0, 1, 0         # of PERF_RECORD_TIME_CONV: shift, mult, zero
MAX_NONTURBO = 0        # ratio of the core and bus clocks; 0: unknown
MISC_USER, MISC_BUILD_ID, MISC_BUILD_ID_SIZE = 2, 1 << 14, 1 << 15
PROT_EXEC_READ, MAP_PRIVATE = 5, 2
ID_PT, ID_SIDE = 100, 101
# A time before the trace, in AUXTRACE records: without one, perf ignores TSCs.
REFERENCE = 1


def padded(data, size=8):
    return data + b'\0' * (-len(data) % size)


def text(string):
    return padded(string.encode() + b'\0')


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def sample(ns, tid=TID, event=ID_SIDE):
    """A sample id: TID, TIME, CPU, IDENTIFIER."""
    return struct.pack('<IIQIIQ', tid, tid, ns, 0, 0, event)


def comm(name, ns=0, is_exec=False, tid=TID):
    return record(3, 1 << 13 if is_exec else 0, struct.pack('<II', tid, tid) + text(name) + sample(ns, tid))


def mmap2(path, addr, size, offset, ns=0, build_id=b'', prot=PROT_EXEC_READ, tid=TID):
    """A mapping of a file; with a build ID, as the kernel writes it for attr.build_id."""
    body = struct.pack('<IIQQQ', tid, tid, addr, size, offset)
    if build_id:
        body += struct.pack('<B3x20s', len(build_id), build_id)
    else:
        body += struct.pack('<IIQQ', 8, 1, 77, 0)
    body += struct.pack('<II', prot, MAP_PRIVATE) + text(path) + sample(ns, tid)
    return record(10, MISC_USER | (MISC_BUILD_ID if build_id else 0), body)


def aux(offset, size, ns, flags=0):
    """AUX data that were written; flag 1: some were lost before."""
    return record(11, 0, struct.pack('<QQQ', offset, size, flags) + sample(ns))


def hw_id(counter, event, ns=2):
    """From @ns on, the counter is that of the event with the id @event."""
    return record(21, 0, struct.pack('<Q', counter) + sample(ns, event=event))


def build_ids(files, has_size=True):
    """The feature BUILD_ID: of each path, its build ID."""
    out = b''
    for path, build_id in files.items():
        size = len(build_id) if has_size else 0
        out += record(67, MISC_USER | (MISC_BUILD_ID_SIZE if has_size else 0),
                      struct.pack('<i20sB3x', -1, build_id, size) + padded(path.encode() + b'\0', 64))
    return out


def tsc(ns):
    return struct.pack('<BQ', 0x19, ns)[:8]


def psb(ns):
    """PSB, TSC, CBR, MODE.Exec with 64 bits, PSBEND."""
    return b'\x02\x82' * 8 + tsc(ns) + b'\x02\x03\x10\0' + b'\x99\x01' + b'\x02\x23'


def with_ip(opcode, addr):
    """A packet with 48 bits of an address."""
    return bytes([0x60 | opcode]) + struct.pack('<Q', addr)[:6]


TIP, PGE, PGD, FUP = 0x0d, 0x11, 0x01, 0x1d
PGD_NO_IP = b'\x01'


def visits(places):
    """The packets: at each (time, address), the trace is enabled and disabled again before the instruction."""
    out = psb(places[0][0])
    for ns, addr in places:
        out += tsc(ns) + with_ip(PGE, addr) + with_ip(FUP, addr) + PGD_NO_IP
    return out


def tnt(*taken):
    """A packet with up to 6 conditional branches."""
    bits = 1
    for is_taken in taken:
        bits = bits << 1 | is_taken
    return bytes([bits << 1])


def attr(kind, config, flags):
    out = struct.pack('<IIQQQQQ', kind, 112, config, 1, SAMPLE_TYPE, 0, flags | 1 << 18)
    return out.ljust(112, b'\0')


def pebs_attr(config=0, kind=0, period=10000, sample_type=SAMPLE_TYPE, is_freq=False, regs=0, has_output=True):
    """An event whose PEBS records are in the trace (aux_output), of user space, precise_ip 3. @regs: sample_regs_intr."""
    flags = 1 << 5 | 1 << 6 | 3 << 15 | 1 << 18 | is_freq << 10 | has_output << 31
    out = struct.pack('<IIQQQQQ', kind, 112, config, period, sample_type, 0, flags)
    return out + struct.pack('<IIQQQQIiQ', 0, 0, 0, 0, 0, 0, 0, 0, regs) + bytes(8)


def auxtrace(packets, offset=0, reference=None, index=0, tid=TID):
    """Bytes of a trace, which begin at @offset of the buffer number @index, and were read at @reference."""
    reference = REFERENCE if reference is None else reference
    return record(71, 0, struct.pack('<QQQIIII', len(padded(packets)), offset, reference, index, tid, 0xffffffff, 0)) + padded(packets)


def perf_data(path, records, packets, features=None, config=BRANCH_EN | TSC, info=(), crystal=(0, 0), traces=(), events=()):
    """
    Writes a per-thread recording. @features: contents by number. @config: of the Intel PT event. @info: what newer
    versions of perf add to PERF_RECORD_AUXTRACE_INFO: after the filter, whether event trace is supported. @crystal: the
    TSC's rate to that of the crystal, which MTCs count, as a fraction. @traces: of auxtrace(), instead of @packets.
    @events: more attributes, with their ids.
    """
    exclude_kernel_hv = 1 << 5 | 1 << 6
    attrs = [(attr(PT_TYPE, config, 1 | exclude_kernel_hv), ID_PT), (attr(1, 9, 1 | 1 << 8), ID_SIDE), *events]
    info = [PT_TYPE, *CLOCK, 1, TSC, 1 << 11, 0, 0, 0, 1 << 9, 15 << 14, *crystal, 2, MAX_NONTURBO, 0, *info]
    data = record(70, 0, struct.pack(f'<II{len(info)}Q', 1, 0, *info)) + record(79, 0, struct.pack('<QQQ', *CLOCK))
    data += b''.join(records)
    data += record(12, 0, struct.pack('<II', TID, TID) + sample(1))
    data += b''.join(traces) or auxtrace(packets)
    cpuid = padded(b'GenuineIntel,6,142,9\0', 64)
    features = {**(features or {}), 9: struct.pack('<I', len(cpuid)) + cpuid}
    write(path, attrs, data, features)


def write(path, attrs, data, features):
    """Writes a file of events, which are pairs of attributes and id, with the records @data."""
    ids_at, attrs_at = 104, 104 + 8 * len(attrs)
    data_at = attrs_at + 128 * len(attrs)
    head = b'PERFILE2' + struct.pack('<8Q', 104, 128, attrs_at, 128 * len(attrs), data_at, len(data), 0, 0)
    head += sum(1 << nr for nr in features).to_bytes(32, 'little')
    head += b''.join(struct.pack('<Q', number) for _, number in attrs)
    head += b''.join(one + struct.pack('<QQ', ids_at + 8 * i, 8) for i, (one, _) in enumerate(attrs))
    table, at = b'', data_at + len(data) + 16 * len(features)
    for nr in sorted(features):
        table += struct.pack('<QQ', at, len(features[nr]))
        at += len(features[nr])
    with open(path, 'wb') as file:
        file.write(head + data + table + b''.join(features[nr] for nr in sorted(features)))

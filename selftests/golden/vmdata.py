# SPDX-License-Identifier: GPL-2.0-only
"""
The trace of a CPU of a host with guests, composed packet by packet (SDM 3, "Trace Packets and Data Types" and "Tracing Post-VM
Entry"). The composer keeps the host's TSC: all TSC packets of a guest are that plus an offset, and TMA, MTC and CYC count from it.
"""
import struct

import ptdata
from ptdata import BRANCH_EN, FUP, PGD_NO_IP, PGE, TIP, TSC, with_ip

MTC, CYC = 1 << 9, 1 << 1
BYTES_7 = (1 << 56) - 1
# Addresses of the host, in the program of pt_letters, before a jump; and of guests.
HOST, ENTRY, GUEST = 0x401000, 0x401004, 0x500000
NO_VMCS = 0xffffffffff


class Guest:
    """@offset: of its TSC to the host's, or a function of the host's."""

    def __init__(self, vmcs, offset, at=GUEST):
        self.vmcs, self.offset, self.at = vmcs, offset, at

    def tsc(self, now):
        return self.offset(now) if callable(self.offset) else now + self.offset


class Trace:
    """@truth: of each TSC packet, its position, the host's TSC, its value, and the guest; @jumps: (the host's TSC, from, to)."""

    def __init__(self, start=10**12, crystal=(250, 2), freq=3, has_cyc=True, phase=12345, begin=0):
        (self.n, self.d), self.freq, self.has_cyc = crystal, freq, has_cyc
        self.now, self.phase, self.begin = start, phase, begin
        self.out, self.truth, self.jumps, self.guest, self.vmcs = b'', [], [], None, 0

    def ctc(self):
        return (self.now + self.phase) * self.d // self.n

    def run(self, ticks, has_mtc=True):
        """Time passes."""
        end = self.now + ticks
        while has_mtc:
            nr = (self.ctc() >> self.freq) + 1
            at = -(-(nr << self.freq) * self.n // self.d) - self.phase
            if at > end:
                break
            self.out += b'\x2b' * self.has_cyc + bytes([0x59, nr & 0xff])
            self.now = at
        self.now = end
        return self

    def tsc(self):
        value = (self.guest.tsc(self.now) if self.guest else self.now) & BYTES_7
        self.truth.append((len(self.out), self.now, value, self.guest))
        self.out += ptdata.tsc(value)
        return self

    def tma(self):
        fast = self.now + self.phase - -(-self.ctc() * self.n // self.d)
        self.out += b'\x02\x73' + struct.pack('<HBH', self.ctc() & 0xffff, 0, fast & 0x1ff)
        return self

    def pip(self):
        self.out += b'\x02\x43' + (0x1000 >> 5 << 1 | bool(self.guest)).to_bytes(6, 'little')
        return self

    def put(self, packets):
        self.out += packets
        return self

    def put_vmcs(self, vmcs=None):
        return self.put(b'\x02\xc8' + (self.vmcs if vmcs is None else vmcs).to_bytes(5, 'little'))

    def at(self):
        return self.guest.at if self.guest else HOST

    def psb(self, has_pip=True, is_on=True, has_tma=True, has_end=True):
        self.put(b'\x02\x82' * 8).tsc()
        if has_tma:
            self.tma()
        self.put(b'\x02\x03\x10\0')
        if has_pip:
            self.pip()
        if self.vmcs:
            self.put_vmcs()
        if is_on:
            self.put(with_ip(FUP, self.at()))
        self.put(b'\x99\x01')
        return self.put(b'\x02\x23') if has_end else self

    def jump(self, at, to):
        self.jumps.append((self.now, at, to))
        return self.put(with_ip(TIP, to))

    def enter(self, guest):
        self.put(with_ip(FUP, ENTRY))
        self.guest, self.vmcs = guest, guest.vmcs
        return self.pip().put_vmcs().jump(ENTRY, guest.at)

    def leave(self):
        at, self.guest = self.guest.at, None
        return self.put(with_ip(FUP, at)).pip().jump(at, HOST)

    def interrupt(self):
        """A branch within the guest."""
        at = self.guest.at
        self.guest.at = at ^ 0x100
        return self.put(with_ip(FUP, at)).jump(at, self.guest.at)

    def stop(self):
        return self.put(with_ip(FUP, self.at()) + PGD_NO_IP)

    def resume(self):
        return self.tsc().tma().put(with_ip(PGE, self.at()))

    def end(self):
        return self.stop()

    def part(self, index=0, reference=None):
        """What was written since the last call, as a record of perf.data."""
        begin, self.begin = self.begin, len(ptdata.padded(self.out))
        self.out = ptdata.padded(self.out)
        return ptdata.auxtrace(self.out[begin:], begin, self.now + 1000 if reference is None else reference, index,
                               ptdata.TID + index)


def write(path, traces, records=(), crystal=(250, 2), freq=3, config=0):
    """Writes a recording of whole traces, or of their parts. @config: bits that are not set."""
    parts = [trace if isinstance(trace, bytes) else trace.part(i) for i, trace in enumerate(traces)]
    ptdata.perf_data(path, records, b'', config=(1 | BRANCH_EN | TSC | MTC | CYC | freq << 14) & ~config, crystal=crystal,
                     traces=parts)

# SPDX-License-Identifier: GPL-2.0-only
"""
A recording of calls: a program of a few functions, and the packets of a run of it. It has calls and tail calls, a return
that is used as a jump, interrupts, a gap after which functions return whose calls are not in the trace, cycles, PTWRITEs
and power events.
"""
import os
import pathlib
import struct
import subprocess

import ptdata

TEXT = 0x401000
POWER, FUP_ON_PTW, PTW, CYC = 1 << 4, 1 << 5, 1 << 12, 1 << 1
SOURCE = r'''
	.macro function name
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.endm
	.macro ends name
	.size \name, . - \name
	.endm
	function _start
	mov $40, %ecx
	lea f(%rip), %rbx
1:	call *%rbx
	call g
	dec %ecx
	jnz 1b
	lea m(%rip), %rdx
	push %rdx
	ret
	ends _start
	function f
	test $1, %cl
	jz 2f
	jmp h
2:	ret
	ends f
	function h
	nop
	call k
	nop
	ret
	ends h
	function g
	call k
	ret
	ends g
	.local k
	.type k, @function
	.balign 16
k:	nop
	.byte 0xf3, 0x48, 0x0f, 0xae, 0xe0	# ptwrite %rax
	ret
	.size k, . - k
	.weak m
	.type m, @function
	.balign 16
m:	call k
	syscall
	.size m, . - m
'''


def build():
    """Builds the program. Returns the addresses of places in it."""
    pathlib.Path('calls.s').write_text(SOURCE, encoding='ascii')
    subprocess.run(['as', '-o', 'calls.o', 'calls.s'], check=True)
    subprocess.run(['ld', '--build-id', f'-Ttext={TEXT:#x}', '-o', 'calls', 'calls.o'], check=True)
    text = subprocess.run(['nm', 'calls'], capture_output=True, text=True, check=True).stdout
    names = {name: int(addr, 16) for addr, _, name in map(str.split, text.splitlines())}
    # Where g, and the call in it, return to.
    return {**names, 'after': names['_start'] + 0x13, 'in_g': names['g'] + 5}


def ptw(value, at):
    """A PTWRITE and where it is."""
    return b'\x02\xb2' + value.to_bytes(8, 'little') + ptdata.with_ip(ptdata.FUP, at)


def power(at):
    """MWAIT, PWRE, EXSTOP with an IP, PWRX and a new ratio of the clocks."""
    return (b'\x02\xc2' + struct.pack('<II', 0x60, 1) + b'\x02\x22' + (1 << 12 | 2 << 8).to_bytes(2, 'little') + b'\x02\xe2' +
            ptdata.with_ip(ptdata.FUP, at) + b'\x02\xa2' + (3 | 2 << 4 | 4 << 8).to_bytes(5, 'little') + b'\x02\x03\x18\0')


class Packets:
    def __init__(self, names, has_cyc):
        self.names, self.has_cyc = names, has_cyc
        self.ns, self.out, self.bits = 10**6, b'', []

    def add(self, packet):
        if self.bits:
            self.out += ptdata.tnt(*self.bits)
            self.bits = []
        self.out += packet

    def take(self, *bits):
        """Conditional branches, and returns to where the calls were."""
        for bit in bits:
            self.bits.append(bit)
            if len(self.bits) == 6:
                self.add(b'')

    def time(self, passed):
        self.ns += passed
        self.add(ptdata.tsc(self.ns) + (bytes([(passed & 31) << 3 | 3]) if self.has_cyc else b''))

    def to(self, kind, name, offset=0):
        self.add(ptdata.with_ip(kind, self.names[name] + offset))

    def call_k(self, value):
        """The function k, with its PTWRITE."""
        self.add(ptw(value, self.names['k'] + 1))
        self.take(1)


def packets(names, has_cyc):
    p = Packets(names, has_cyc)
    p.add(ptdata.psb(p.ns))
    p.to(ptdata.PGE, '_start')
    for left in range(40, 0, -1):
        p.time(7 * left % 50)
        p.to(ptdata.TIP, 'f')
        p.take(not left & 1)
        if left & 1:
            p.call_k(left)
        p.take(1)
        if left % 8 == 0:
            # An interrupt before g is called: here, g is its handler, too.
            p.to(ptdata.FUP, 'after', -5)
            p.to(ptdata.TIP, 'h')
            p.call_k(1 << 63 | left)
            p.to(ptdata.TIP, 'after', -5)
        p.call_k(-left & 2**64 - 1)
        p.take(1, left > 1)
        if left == 20:
            p.time(1000)
            p.to(ptdata.FUP, '_start', 12)
            p.add(ptdata.PGD_NO_IP)
            p.add(power(names['_start'] + 12))
            p.time(5000)
            p.to(ptdata.PGE, '_start', 12)
    p.to(ptdata.TIP, 'm')
    p.call_k(0)
    p.time(100)
    p.add(ptdata.PGD_NO_IP)
    # Begins in k, whose caller is not in the trace, and in those around it.
    p.time(3000)
    p.to(ptdata.PGE, 'k')
    p.add(ptw(5, names['k'] + 1))
    p.to(ptdata.TIP, 'in_g')
    p.time(20)
    p.to(ptdata.TIP, 'after')
    p.take(1)
    p.to(ptdata.TIP, 'f')
    p.to(ptdata.FUP, 'f')
    p.add(ptdata.PGD_NO_IP)
    return p.out


# PERF_RECORD_SAMPLE, PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE; flags of the headers of switches.
SAMPLE, SWITCH, SWITCH_CPU_WIDE = 9, 14, 15
OUT, PREEMPTED = 1 << 13, 1 << 14


def switches():
    """
    The thread is preempted, and runs again; then it and another one switch to each other; and tasks without a name. And
    samples of another event, before and after a switch.
    """
    other, idle, unknown = (struct.pack('<II', tid, tid) for tid in (77, 0, 5))
    def sample(ns):
        return ptdata.record(SAMPLE, ptdata.MISC_USER, struct.pack('<QQIIQII', ptdata.ID_SIDE, TEXT, ptdata.TID, ptdata.TID, ns,
                                                                   0, 0))

    return [ptdata.comm('other', tid=77), sample(1000050), sample(1000250),
            ptdata.record(SWITCH, OUT | PREEMPTED, ptdata.sample(1000100)), ptdata.record(SWITCH, 0, ptdata.sample(1000200)),
            ptdata.record(SWITCH_CPU_WIDE, OUT, other + ptdata.sample(1001600)),
            ptdata.record(SWITCH_CPU_WIDE, 0, other + ptdata.sample(1006000)),
            ptdata.record(SWITCH_CPU_WIDE, OUT, idle + ptdata.sample(1007000)),
            ptdata.record(SWITCH_CPU_WIDE, OUT, idle + ptdata.sample(1007500, 5)),
            ptdata.record(SWITCH_CPU_WIDE, OUT, unknown + ptdata.sample(1008000))]


def write(path, has_cyc=True, has_switches=False):
    names = build()
    config = ptdata.BRANCH_EN | ptdata.TSC | POWER | PTW | FUP_ON_PTW | has_cyc * CYC | 1
    ptdata.perf_data(path, [ptdata.comm('perf-exec'), ptdata.comm('calls', 10, True),
                            ptdata.mmap2(os.path.realpath('calls'), TEXT, 4096, 0x1000, 11),
                            *(switches() if has_switches else [])],
                     packets(names, has_cyc), {18: struct.pack('<Q', 0)}, config)

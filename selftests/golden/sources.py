# SPDX-License-Identifier: GPL-2.0-only
"""Recordings of other tracers, for tests: trace.dat by trace-cmd.dat.v6(5), and samples that perf records here."""
import os
import pathlib
import struct
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
PAGE = 4096

HEADER_PAGE = (b'\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n'
               b'\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n'
               b'\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n'
               b'\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n')
HEADER_EVENT = (b'# compressed entry header\n\ttype_len    :    5 bits\n'
                b'\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n'
                b'\tpadding     : type == 29\n\ttime_extend : type == 30\n'
                b'\ttime_stamp : type == 31\n\tdata max type_len  == 28\n')

START = 0xffffffff81000000
SYMBOLS = 'ffffffff81000000 T startup_64\nffffffff81000040 t native_apic_mem_write\n'
IO, HLT = 0x7b, 0x78
MISSED = 5


def formats():
    """The formats of kvm.txt."""
    with open(os.path.join(HERE, 'kvm.txt'), encoding='ascii') as lines:
        return [line.split("'")[1].encode().decode('unicode_escape').encode()
                for line in lines if line.startswith('format kvm ')]


def left(tid, reason, rip, vcpu=0, isa=2):
    return struct.pack('<HBBiIIQIIQQIII4x', 100, 1, 0, tid, reason, 0, rip, isa, 0, 0x181, 0, 0, 0,
                       vcpu)


def entered(tid, rip, vcpu=0):
    return struct.pack('<HBBiIIQB3x', 101, 1, 0, tid, vcpu, 0, rip, 0)


def page(events, missed=0):
    """A page of a ring with events (ns, data), as of linux/ring_buffer.h, after @missed lost events."""
    data, last = b'', events[0][0]
    for ns, body in events:
        assert len(body) % 4 == 0 and len(body) <= 112
        data += struct.pack('<I', len(body) // 4 | (ns - last) << 5) + body
        last = ns
    commit = len(data)
    if missed:
        commit |= 3 << 30
        data += struct.pack('<Q', missed)
    return (struct.pack('<QQ', events[0][0], commit) + data).ljust(PAGE, b'\0')


def trace_dat(cpus, tasks):
    """A trace.dat file; @cpus: a list of pages for each CPU."""
    def sized(fmt, data):
        return struct.pack(fmt, len(data)) + data

    out = b'\x17\x08\x44tracing6\0' + struct.pack('<BBI', 0, 8, PAGE)
    out += b'header_page\0' + sized('<Q', HEADER_PAGE)
    out += b'header_event\0' + sized('<Q', HEADER_EVENT)
    events = formats()
    out += struct.pack('<II', 0, 1) + b'kvm\0' + struct.pack('<I', len(events))
    for event in events:
        out += sized('<Q', event)
    out += struct.pack('<II', 0, 0)
    out += sized('<Q', ''.join(f'{tid} {name}\n' for tid, name in tasks).encode())
    out += struct.pack('<I', len(cpus)) + b'options  \0' + struct.pack('<H', 0) + b'flyrecord\0'
    at = -(-(len(out) + 16 * len(cpus)) // PAGE) * PAGE
    for pages in cpus:
        out += struct.pack('<QQ', at, PAGE * len(pages))
        at += PAGE * len(pages)
    out = out.ljust(-(-len(out) // PAGE) * PAGE, b'\0')
    return out + b''.join(b''.join(pages) for pages in cpus)


TRACE_DAT = trace_dat([
    [page([(5000001000, left(1234, IO, START + 0x42)), (5000001500, entered(1234, START + 0x44)),
           (5000003000, left(1234, HLT, START + 0x30)), (5000009000, entered(1234, START + 0x31))]),
     page([(5000020000, left(1234, IO, 0x401000)), (5000020100, entered(1234, 0x401002))],
          MISSED)],
    [page([(5000002000, left(2231, IO, START)), (5000002700, entered(2231, START + 2))])],
], [(1234, 'CPU 0/KVM'), (2231, 'crosvm_vcpu0')])

# What keeps a CPU busy, in a function of its own, which another one calls. Nearly all samples of a
# loop may be at one of its instructions, so that there are two loops.
PROGRAM = '''
static volatile unsigned long n;
__attribute__((noinline)) void inner(void)
{
	for (unsigned long i = 0; i < 100000; i++) n += i;
	for (unsigned long i = 0; i < 100000; i++) n ^= i;
}
__attribute__((noinline)) void outer(void) { inner(); n++; }
int main(void) { for (int i = 0; i < 600; i++) outer(); return 0; }
'''


def build_program():
    """Makes ./prog, of which record() takes samples."""
    pathlib.Path('prog.c').write_text(PROGRAM, encoding='ascii')
    subprocess.run(['gcc', '-O1', '-fno-omit-frame-pointer', '-o', 'prog', 'prog.c'], check=True)


def record(out, *words):
    """Returns what perf says if it cannot record, otherwise nothing."""
    done = subprocess.run(['perf', 'record', '-q', '-o', out, '-e', 'cpu-clock:u', '-F', '2000', *words, './prog'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode() if done.returncode else ''

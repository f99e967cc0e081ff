#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What KernelShark reads of a trace.dat file: a line of JSON for each of its entries.

    kshark.py FILE      with libkshark.so.2, or KSHARK=LIBRARY

A process of its own, as the library may crash. Exits with 4 if there is no library.
"""
import ctypes
import json
import os
import sys

OVERFLOW = -75		# event_id of entries for missed events


class Entry(ctypes.Structure):
    """struct kshark_entry of kernelshark/libkshark.h"""


Entry._fields_ = [
    ('next', ctypes.POINTER(Entry)), ('visible', ctypes.c_uint16), ('stream_id', ctypes.c_int16),
    ('event_id', ctypes.c_int16), ('cpu', ctypes.c_int16), ('pid', ctypes.c_int32),
    ('offset', ctypes.c_int64), ('ts', ctypes.c_int64)]


def main():
    try:
        lib = ctypes.CDLL(os.environ.get('KSHARK', 'libkshark.so.2'))
    except OSError as error:
        print(error, file=sys.stderr)
        return 4
    context = ctypes.c_void_p()
    rows = ctypes.POINTER(ctypes.POINTER(Entry))()
    lib.kshark_load_entries.restype = ctypes.c_ssize_t
    for function in lib.kshark_get_event_name, lib.kshark_get_info, lib.kshark_get_task:
        function.restype = ctypes.c_char_p
    if not lib.kshark_instance(ctypes.byref(context)):
        return 1
    stream = lib.kshark_open(context, sys.argv[1].encode())
    if stream < 0:
        return 1
    for i in range(lib.kshark_load_entries(context, stream, ctypes.byref(rows))):
        entry = rows[i]
        texts = [function(entry) or b'' for function in (lib.kshark_get_event_name, lib.kshark_get_info,
                                                         lib.kshark_get_task)]
        name, info, task = [text.decode('utf-8', 'replace') for text in texts]
        print(json.dumps({
            'time_ns': entry.contents.ts, 'cpu': entry.contents.cpu, 'tid': entry.contents.pid, 'comm': task,
            'name': name, 'info': info, 'is_lost': entry.contents.event_id == OVERFLOW}))
    return 0


sys.exit(main())

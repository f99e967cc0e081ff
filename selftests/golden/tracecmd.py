# SPDX-License-Identifier: GPL-2.0-only
"""What trace-cmd, KernelShark and fargs itself read of a trace.dat that fargs export has written, compared with
the events of fargs report --json."""
import collections
import json
import os
import re
import subprocess

from readers import ENV, FARGS, HERE, json_of_report, run

TRACE_CMD = os.environ.get('TRACE_CMD', 'trace-cmd').split()
LINE = re.compile(r' *(?P<comm>.*)-(?P<tid>\d+) +\[(?P<cpu>\d+)\] +(?:[^ ]{5} +)?(?P<s>\d+)\.(?P<ns>\d{9}): '
                  r'(?P<name>\S+): *(?P<text>.*)')

Seen = collections.namedtuple('Seen', 'time_ns cpu tid comm name text')


def identifier(text):
    name = '_'.join(part for part in re.split(r'[^A-Za-z0-9_]+', text) if part)
    return '_' + name if name[:1].isdigit() or not name else name


def number(value):
    """The number of a JSON value, or None."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dict) and ('number' in value or 'address' in value):
        value = value.get('number', value.get('address'))
    if isinstance(value, str) and re.fullmatch(r'0x[0-9a-f]+|-?\d+', value):
        return int(value, 0)
    return value if isinstance(value, int) else None


def flatten(name, value, kind=''):
    """The fields of a JSON value: pairs of a name and a number, bytes, text or a list of numbers."""
    if isinstance(value, dict) and 'fault' in value:
        return [(name + '_fault', number(value['fault']))]
    if isinstance(value, dict) and 'struct' in value:
        return [field for key, member in value['struct'].items() for field in flatten(f'{name}_{key}', member)]
    if isinstance(value, dict) and 'string' in value:
        return [(name, value)]
    if isinstance(value, dict) and 'bytes' in value:
        return [(name, bytes.fromhex(value['bytes']))]
    if isinstance(value, list) and not value:
        return []
    if isinstance(value, list) and number(value[0]) is None:
        return [field for i, element in enumerate(value) for field in flatten(f'{name}_{i}', element)]
    if isinstance(value, list):
        return [(name, [number(element) for element in value])]
    if isinstance(value, dict) and 'symbol' in value:
        return [(name, value)]
    n = number(value)
    if n is not None and kind in ('u128', 's128', 'unsigned __int128', '__int128'):
        return [(name + '_low', n % 2**64), (name + '_high', n >> 64)]
    return [(name, value if n is None or kind == 'str' else n)]


def fields_of(event):
    """The fields that an event has in trace.dat, without those whose name is another one's, too."""
    fields = []
    if event['type'] == 'switch':
        return [('next_tid', event['next_tid'])]
    if event['type'] == 'event':
        return [(arg['name'], arg['value']) for arg in event.get('args', [])]
    for prefix, key in ('', 'args'), ('out_', 'out'):
        for arg in event.get(key, []):
            fields += flatten(prefix + identifier(arg['name']), arg['value'], arg['type'])
    if 'result' in event:
        fields += flatten('ret', event['result']['value'], event['result']['type'])
    if 'duration_ns' in event:
        fields.append(('duration_ns', event['duration_ns']))
    if event['type'] == 'sample':
        place = event['place']
        fields += [('ip', int(place['address'], 16)), ('period', event['period'])]
        fields += [('symbol', place['symbol'])] if 'symbol' in place else []
    elif 'caller' in event:
        fields.append(('caller', event['caller']))
    if 'stack' in event:
        fields.append(('stack', ';'.join(symbol(place) for place in event['stack'])))
    own = ('ret', 'duration_ns', 'caller', 'stack')
    count = collections.Counter(identifier(name) for name, _ in fields)
    return [(identifier(name), value) for name, value in fields if count[identifier(name)] == 1 or name in own[3:]]


def symbol(place):
    if 'symbol' not in place:
        return place['address']
    offset = f"+0x{place['offset']:x}" if place.get('offset') else ''
    return place['symbol'] + offset + (f" [{place['module']}]" if 'module' in place else '')


def name_of(event):
    """A pattern of the event's name in trace.dat."""
    if event['type'] == 'event' and 'bytes' not in event:
        return re.escape(event['name'])
    if event['type'] == 'event':
        return f"event_{event['id']}"
    if event['type'] == 'switch':
        return 'switch'
    return re.escape(identifier(event['name'] if 'name' in event else event['address'])) + r'(_return)?(_\d+)?'


def texts_of(value):
    """The ways in which a field with this value may be printed."""
    if isinstance(value, dict) and 'symbol' in value:
        return {f"{value['symbol']}+0x{value.get('offset', 0):x}"}
    if isinstance(value, dict):
        value = number(value)
    if isinstance(value, int):
        return {str(value), hex(value % 2**64), hex(value % 2**32)}
    if isinstance(value, list):
        return {' '.join(map(str, value)), ' '.join(f'{n % 256:02x}' for n in value)}
    return {value.hex(' ')} if isinstance(value, bytes) else {value}


def by_cpu(events):
    """Events of different CPUs with the same time may be in any order."""
    cpus = collections.defaultdict(list)
    for event in events:
        cpus[event.cpu if isinstance(event, Seen) else event['cpu']].append(event)
    return cpus


def with_plain_arrays(text):
    """libtraceevent 1.8 prints arrays as {0x1,0x2}, and older ones as 1 2."""
    return re.sub(r'{(0x[0-9a-f]+(?:,0x[0-9a-f]+)*)}',
                  lambda found: ' '.join(str(int(n, 16)) for n in found[1].split(',')), text)


def of_trace_cmd(path):
    """Events, and the numbers of lost events of each CPU."""
    lines = run(*TRACE_CMD, 'report', '-t', path, stderr=subprocess.DEVNULL).decode('utf-8', 'replace').split('\n')
    seen, lost = [], collections.Counter()
    for line in lines:
        found = LINE.fullmatch(line)
        dropped = re.fullmatch(r'CPU:(\d+) \[(\d+) EVENTS DROPPED\]', line)
        if dropped:
            lost[int(dropped[1])] += int(dropped[2])
        elif found:
            seen.append(Seen(int(found['s']) * 10**9 + int(found['ns']), int(found['cpu']), int(found['tid']),
                             found['comm'], found['name'], with_plain_arrays(found['text'])))
        elif seen and line:
            seen[-1] = seen[-1]._replace(text=seen[-1].text + '\n' + line)
    return seen, lost


def of_kshark(path):
    """Like of_trace_cmd(); None if there is no library."""
    done = subprocess.run([HERE / 'kshark.py', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          env={**ENV, 'KSHARK': os.environ.get('KSHARK', 'libkshark.so.2')})
    if done.returncode == 4:
        return None
    done.check_returncode()
    seen, lost = [], collections.Counter()
    for line in done.stdout.decode().splitlines():
        entry = json.loads(line)
        if entry['is_lost']:
            lost[entry['cpu']] += int(entry['info'].removeprefix('missed_events='))
        else:
            seen.append(Seen(entry['time_ns'], entry['cpu'], entry['tid'], entry['comm'],
                             entry['name'].split('/', 1)[1], entry['info']))
    return seen, lost


def losses_of(events):
    lost = collections.Counter()
    for event in events:
        if event['type'] == 'lost':
            lost[event['cpu']] += event.get('lost', 0)
    return lost


def differs(event, seen):
    """What of a line is not that of an event of --json."""
    bad = []
    if (int(event['time_ns']), event['cpu'], event['tid']) != seen[:3] or not re.fullmatch(name_of(event), seen.name):
        bad.append(f'{seen} is not {event}')
    for name, value in fields_of(event) if event['type'] != 'event' else []:
        text = seen.text + ' '
        printed = re.search(rf'(?:^| ){name}=', text)
        rest = text[printed.end():] if printed else ''
        is_enum = isinstance(value, int) and re.match(r'[A-Z]\w*(\|\w+)* ', rest)
        if not printed or not (is_enum or is_text(value) or
                               any(rest.startswith(one + ' ') for one in texts_of(value))):
            bad.append(f'{name} is not {value!r}: {seen.text}')
    if event['type'] == 'event' and 'bytes' not in event:
        if printable(event['text']) != printable(seen.text) and '+0x' not in event['text']:
            bad.append(f"{seen.text!r} is not {event['text']!r}")
    return bad


def is_text(value):
    """Text that readers may print in another way: with control characters, or not UTF-8."""
    if isinstance(value, dict) and 'string' in value:
        return True
    return isinstance(value, (str, bytes)) and not (isinstance(value, str) and value.isprintable())


def printable(text):
    return re.sub(r'\s+', ' ', ''.join(c for c in text if c.isprintable())).strip()


def reader_differences(trace, found):
    """What of the events that a reader found is not as --json shows it."""
    seen, lost = found
    events = json_of_report(trace)
    wanted = by_cpu([event for event in events if event['type'] != 'lost'])
    seen = by_cpu([one for one in seen if one.name != 'lost'])
    bad = [] if lost == losses_of(events) else [f'{lost} lost, not {losses_of(events)}']
    for cpu in wanted.keys() | seen.keys():
        if len(wanted[cpu]) != len(seen[cpu]):
            bad.append(f'CPU {cpu}: {len(seen[cpu])} events, not {len(wanted[cpu])}')
        for event, one in zip(wanted[cpu], seen[cpu]):
            bad += differs(event, one)
    return bad


def same(value, found):
    """Is a value of the trace the one that was found in trace.dat?"""
    if isinstance(value, bytes) and isinstance(found, (list, dict)):
        found = bytes(found['bytes'].encode()) if isinstance(found, dict) else bytes(n % 256 for n in found)
        return found == value
    if isinstance(value, dict) and 'string' in value:
        return value == found
    if isinstance(value, bytes):
        return isinstance(found, str)
    if isinstance(value, list):
        return [n % 2**64 for n in value] == [number(n) % 2**64 for n in found]
    n = number(value)
    if isinstance(value, str) and isinstance(found, str) and value == found:
        return True
    return n is not None and number(found) is not None and (n - number(found)) % 2**32 == 0


def round_trip_differences(trace, path):
    """What fargs reads of its own trace.dat that is not what it reads of the trace."""
    wanted = by_cpu([event for event in json_of_report(trace) if event['type'] != 'lost'])
    seen = by_cpu([event for event in json_of_report(path) if event['type'] != 'lost' and event['name'] != 'lost'])
    bad = []
    for cpu in wanted.keys() | seen.keys():
        if len(wanted[cpu]) != len(seen[cpu]):
            bad.append(f'CPU {cpu}: {len(seen[cpu])} events, not {len(wanted[cpu])}')
        for event, one in zip(wanted[cpu], seen[cpu]):
            head = [(e['time_ns'], e['tid'], e.get('context', []), e.get('preempt_depth', 0)) for e in (event, one)]
            if head[0] != head[1] or not re.fullmatch(name_of(event), one['name']):
                bad.append(f'{one} is not {event}')
            values = {arg['name']: arg['value'] for arg in one['args']}
            bad += [f'{name} of {event} is {values.get(name)!r}' for name, value in fields_of(event)
                    if name not in values or not (values[name] == value or same(value, values[name]))]
    return bad


def fargs_lost(path):
    done = subprocess.run([FARGS, 'report', '--json', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV,
                          check=False)
    return losses_of([json.loads(line) for line in done.stdout.splitlines()])

# SPDX-License-Identifier: GPL-2.0-only
"""What Python's csv, sqlite3, babeltrace2, protoc, a browser and the schema of JSON make of the output of fargs."""
import ast
import collections
import csv
import hashlib
import html.parser
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess

try:
    import jsonschema
except ImportError:
    jsonschema = None

HERE = pathlib.Path(__file__).resolve().parent
FARGS = os.environ.get('FARGS', str(HERE.parent.parent / 'build/fargs'))
ENV = {'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'PATH': os.environ['PATH'], 'HOME': '/'}
if 'FARGS_DISABLE_ROWS' in os.environ:        # see user/base/row.h
    ENV['FARGS_DISABLE_ROWS'] = os.environ['FARGS_DISABLE_ROWS']
# Only what tells rows of Documentation/pt-table.md apart: one version of perf, and no trace of a kernel.
IS_SHORT = 'FARGS_SHORT' in os.environ
# A trace of a kernel, which is not part of the source tree.
PT_ARCHIVE = HERE.parent.parent / ('nonexistent' if IS_SHORT else '../shared/testdata/pt-kernel.tar.xz')
TOOLS = ('sqlite3', 'babeltrace2', 'protoc')


def run(*words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, env=ENV, check=True, **options).stdout


def of_witness(words, directory):
    """
    The output of a program that is not ours. pt_rows, which runs the same tests many times, names a directory in which it
    is kept: under what the command and the files in @directory, a temporary one, contain.
    """
    kept = os.environ.get('FARGS_SHORT')
    if not kept:
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENV, check=False).stdout
    base = str(directory).encode()
    content = [repr(words).encode()] + [path.name.encode() + path.read_bytes() for path in sorted(pathlib.Path(directory).iterdir())
                                        if path.is_file()]
    path = pathlib.Path(kept, hashlib.sha256(b'\0'.join(content).replace(base, b'@BASE@')).hexdigest())
    if not path.exists():
        text = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENV, check=False).stdout
        path.write_text(text.replace(str(directory), '@BASE@'), encoding='utf-8')
        return text
    return path.read_text(encoding='utf-8').replace('@BASE@', str(directory))


def export(trace, form, out, *options):
    run(FARGS, 'export', '--format', form, '-o', out, *options, trace)
    return out


def sql(base, query):
    return json.loads(run('sqlite3', '-json', base, query) or '[]')


def shape(value):
    """The keys and types of a JSON value."""
    if isinstance(value, dict):
        return tuple((key, shape(member)) for key, member in value.items())
    if isinstance(value, list):
        return tuple({shape(member): None for member in value})
    return type(value).__name__


def schema_errors(events):
    """
    How lines of --json differ from their schema; None: python3-jsonschema is not installed. The
    schema is slow: of many lines it checks the first one of each shape, and each hundredth one.
    """
    if not jsonschema:
        return None
    schema = json.loads((HERE.parent.parent / 'Documentation/fargs-event.schema.json').read_text(encoding='utf-8'))
    validator = jsonschema.Draft202012Validator(schema)
    errors, known = [], set()
    for i, event in enumerate(events):
        if i % 100 and shape(event) in known:
            continue
        known.add(shape(event))
        errors += [f'{e.message[:300]} in {event}' for e in validator.iter_errors(event)]
    return errors


def exact(value):
    """A text of digits stands for what has no room in a number."""
    return int(value) if isinstance(value, str) and re.fullmatch(r'-?\d{16,20}', value) else value


def babeltrace(path):
    """Lines, and what it complains of."""
    done = subprocess.run(['babeltrace2', '--clock-cycles', '--no-delta', path], env=ENV,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return done.stdout.decode().splitlines(), done.stderr.decode()


def text_format(lines):
    """What protoc prints, as a list of names with values or lists."""
    items = []
    for line in lines:
        line = line.strip()
        if line == '}':
            return items
        if line.endswith('{'):
            items.append((line[:-1].strip(), text_format(lines)))
        else:
            key, value = line.split(': ', 1)
            if value.startswith('"'):		# with escapes as in C
                value = ast.literal_eval('b' + value).decode('utf-8', 'replace')
            items.append((key, value))
    return items


def decode(path):
    """The packets of Perfetto's protobuf, by the numbers of fields that its schema publishes."""
    with open(path, 'rb') as file:
        text = run('protoc', f'-I{HERE}', '--decode=perfetto.protos.Trace', 'perfetto.proto',
                   stdin=file).decode()
    return [packet for key, packet in text_format(iter(text.splitlines()))]


def lines_of_report(trace):
    """The lines of report, each with the lines of its stack."""
    done = subprocess.run([FARGS, 'report', trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV,
                          check=False)
    return re.sub(r'\n => ', ';', done.stdout.decode()).splitlines()


def json_of_report(trace):
    """The lines of report --json that have a line in report, too."""
    done = subprocess.run([FARGS, 'report', '--json', trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=ENV, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [event for event in events if event['type'] != 'task']


def number_of(value):
    """The number of a JSON value: of an enum, an address, or what a double cannot hold."""
    if isinstance(value, dict):
        value = value.get('number', value.get('address'))
    return int(value, 0) if isinstance(value, str) else value


def escaped(text):
    """Text of --json as report shows it."""
    special = {'\\': '\\\\', '\n': '\\n', '\t': '\\t'}
    return ''.join(special.get(c, c if c >= ' ' else '\\^' + chr(ord(c) ^ 64)) for c in text)


def csv_head(event):
    """The columns of an event whose values --json has, too."""
    place = event.get('place', {})
    caller = event.get('caller')
    module = place.get('module', place.get('file')) if place else event.get('module')
    name = event.get('name', {'lost': event.get('of'), 'switch': 'switch'}.get(event['type']))
    if event['type'] == 'event':
        name = f"{event['system']}:{event['name']}" if 'name' in event else f"event {event['id']}"
    columns = {key: event.get(key) for key in ('time_ns', 'type', 'cpu', 'tid', 'pid', 'comm', 'duration_ns', 'lost')}
    columns |= {'name': name, 'module': module, 'error': event.get('result', {}).get('error')}
    if caller and 'symbol' in caller:
        columns['caller'] = caller['symbol'] + (f" [{caller['module']}]" if 'module' in caller else '')
    else:
        columns['caller'] = caller['address'] if caller and caller['address'] != '0x0' else None
    return {key: '' if value is None else escaped(str(value)) for key, value in columns.items()}


def csv_is_shown(row, line):
    """Are the values of a row those of the event's line in report?"""
    kind = row['type']
    if kind == 'lost':
        return f"lost {row['lost'] or 'some'} " in line and row['args'] == row['stack'] == ''
    if kind == 'switch':
        return line.endswith('switch -> ' + row['args'].removeprefix('next_tid='))
    if kind == 'event':
        return line.endswith(f"{row['name']}: {row['args']}")
    if kind == 'sample':
        symbol = re.search('symbol="([^"]*)"', row['args'])
        return f" {row['name']}:" in line and (not symbol or f' {symbol[1]}+' in line)
    line, *stack = line.split(';', 1)
    call = f"{row['name']}({row['args']})" + (f" [{row['module']}]" if row['module'] else '')
    return call in line and (not row['out'] or f"{row['out']} (" in line) and (stack or ['']) == [row['stack']]


def csv_differences(trace, path):
    """What in the CSV file of a trace differs from report and report --json."""
    with open(path, encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file, strict=True))
    events, lines = json_of_report(trace), lines_of_report(trace)
    bad = [] if len(rows) == len(events) == len(lines) else [f'{len(rows)} rows of {len(events)} events']
    for row, event, line in zip(rows, events, lines):
        head = csv_head(event)
        bad += [f'{key}: {row[key]!r} is not {value!r}' for key, value in head.items() if row[key] != value]
        result = number_of(event.get('result', {}).get('value'))
        if result is not None and re.fullmatch('-?[0-9a-fx]+', row['result']) and int(row['result'], 0) != result:
            bad.append(f"result {row['result']} is not {result}")
        if bool(row['result']) != ('result' in event) or not csv_is_shown(row, line):
            bad.append(f'{row} is not {line}')
        stack = [symbol.split(' ')[0].split('+')[0] for symbol in row['stack'].split(';')] if row['stack'] else []
        if stack != [place.get('symbol', place['address']) for place in event.get('stack', [])]:
            bad.append(f"stack {row['stack']} is not {event.get('stack')}")
    return bad


class Page(html.parser.HTMLParser):
    """Elements as a browser sees them, and what is in those that hold data."""
    def __init__(self, path):
        super().__init__()
        self.tags, self.data, self.current, self.attributes = collections.Counter(), [], None, []
        self.feed(pathlib.Path(path).read_text(encoding='utf-8'))
        self.close()
        by_class = collections.defaultdict(list)
        for name, text in self.data:
            if name:
                by_class[name].append(json.loads(text))
        self.about, = by_class['about']
        self.tables, = by_class['tables']
        self.rows = [row for rows in by_class['rows'] for row in rows]

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += attrs
        self.current = None
        if tag == 'script':
            self.current = dict(attrs).get('class', '')
            self.data.append((self.current, ''))

    def handle_endtag(self, tag):
        self.current = None

    def handle_data(self, data):
        if self.current is not None:
            self.data[-1] = (self.current, self.data[-1][1] + data)

    def events(self):
        """As user/sink/html/rows.h says."""
        for shape, *leaves in self.rows:
            rest = iter(leaves)
            event = self.fill(self.tables['shapes'][shape], rest)
            assert next(rest, None) is None
            yield event

    def fill(self, shape, leaves):
        if isinstance(shape, dict):
            return {key: self.fill(value, leaves) for key, value in shape.items()}
        if isinstance(shape, list):
            return [self.fill(value, leaves) for value in shape]
        if isinstance(shape, str):
            return shape
        leaf = next(leaves)
        return leaf if shape == 0 else self.tables['strings' if shape == 1 else 'values'][leaf]


def script(name):
    """The functions of another test, whose file has no extension."""
    loader = importlib.machinery.SourceFileLoader(name, str(HERE / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module

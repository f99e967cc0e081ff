#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads tables of many machines in all of their forms.

    rows.py same SCHEMA FILE    FILE.clickhouse, FILE.csv, FILE.tsv and FILE.jsonl are the same
    rows.py events FILE         the calls, values and losses are those of FILE.events (fargs-json(5))
    rows.py keys SCHEMA FILE    no two rows have the same key, by which the schema's tables are sorted
    rows.py graph FILE          the calls are those of graph.txt
"""
import csv
import datetime
import json
import re
import sys


def tables_of(schema):
    """Returns the columns, with their types, and the key of each table."""
    tables = {}
    for name, body, key in re.findall(
            r'^CREATE TABLE IF NOT EXISTS (\w+)\n\((.*?)\n\)\n.*?^ORDER BY \((.*?)\);', schema, re.S | re.M):
        columns = [line.strip().rstrip(',').split(' ', 1) for line in body.strip().split('\n')]
        tables[name] = (columns, key.split(', '))
    return tables


class Binary:
    """RowBinary, as its documentation describes it."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, n):
        self.at += n
        assert self.at <= len(self.data), 'the last row is cut off'
        return self.data[self.at - n:self.at]

    def length(self):
        n = shift = 0
        while True:
            byte = self.take(1)[0]
            n |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return n

    def value(self, kind):
        nullable = re.fullmatch(r'Nullable\((.*)\)', kind)
        if nullable:
            return None if self.take(1)[0] else self.value(nullable.group(1))
        if kind in ('String', 'LowCardinality(String)'):
            return self.take(self.length()).decode()
        if kind == 'Date':
            days = int.from_bytes(self.take(2), 'little')
            return str(datetime.date(1970, 1, 1) + datetime.timedelta(days))
        number = re.fullmatch(r'(U?)Int(\d+)', kind)
        return int.from_bytes(self.take(int(number.group(2)) // 8), 'little', signed=not number.group(1))


def read_binary(path, columns):
    with open(path, 'rb') as f:
        data = Binary(f.read())
    rows = []
    while data.at < len(data.data):
        rows.append({name: data.value(kind) for name, kind in columns})
    return rows


def typed(columns, names, rows, null):
    """Converts text to values."""
    assert names == [name for name, kind in columns], names
    result = []
    for row in rows:
        assert len(row) == len(columns), row
        values = {}
        for (name, kind), text in zip(columns, row):
            is_text = 'String' in kind or kind == 'Date'
            if 'Nullable' in kind and text == null:
                values[name] = None
            else:
                values[name] = text if is_text else int(text)
        result.append(values)
    return result


def read_csv(path, columns):
    with open(path, newline='') as f:
        rows = list(csv.reader(f, strict=True))
    return typed(columns, rows[0], rows[1:], '')


def read_tsv(path, columns):
    with open(path, newline='') as f:
        lines = f.read().split('\n')
    assert lines.pop() == ''
    rows = [line.split('\t') for line in lines]
    letters = {'t': '\t', 'n': '\n', 'r': '\r', '\\': '\\'}

    def unescape(text):
        return text if text == r'\N' else re.sub(r'\\(.)', lambda m: letters[m.group(1)], text)
    return typed(columns, rows[0], [[unescape(text) for text in row] for row in rows[1:]], r'\N')


def read_jsonl(path, tables=None):
    """Returns the rows of each table; missing members of known tables are None."""
    rows = {}
    with open(path) as f:
        for line in f:
            row = json.loads(line)
            rows.setdefault(row.pop('table'), []).append(row)
    for name, (columns, _) in (tables or {}).items():
        rows[name] = [{column: row.pop(column, None) for column, kind in columns} | row
                      for row in rows.get(name, [])]
    return rows


def same(schema, path):
    with open(schema) as f:
        tables = tables_of(f.read())
    assert len(tables) == 8, list(tables)
    lines = read_jsonl(path + '.jsonl', tables)
    assert lines.keys() == tables.keys()
    for name, (columns, _) in tables.items():
        for form, read in (('clickhouse', read_binary), ('csv', read_csv), ('tsv', read_tsv)):
            rows = read(f'{path}.{form}/{name}.{form}', columns)
            assert rows == lines[name], f'{form}: {name}:\n{rows}\n{lines[name]}'
        print(name, len(lines[name]))


def keys(schema, path):
    with open(schema) as f:
        tables = tables_of(f.read())
    for name, rows in read_jsonl(path + '.jsonl').items():
        seen = [tuple(row.get(column) for column in tables[name][1]) for row in rows]
        assert len(set(seen)) == len(seen), (name, seen)


def number(value):
    """fargs-json(5) has numbers that a double cannot hold as text."""
    return int(value) if isinstance(value, str) else value


def events(path):
    rows = read_jsonl(path + '.jsonl')
    calls, lost = iter(rows.get('calls', [])), iter(rows.get('lost', []))
    nr = 0
    with open(path + '.events') as f:
        for line in f:
            event = json.loads(line)
            if event['type'] == 'lost':
                row = next(lost)
                assert row.get('lost', 0) == number(event.get('lost', 0)), (row, event)
                continue
            if event['type'] not in ('call', 'return', 'tracepoint', 'event', 'switch'):
                continue
            row = next(calls)
            nr += 1
            assert row['kind'] == event['type'], (row, event)
            assert row['cpu'] == event['cpu'] and row['tid'] == event['tid'], (row, event)
            assert row['perf_ns'] == number(event['time_ns']), (row, event)
            assert row.get('duration_ns') == number(event.get('duration_ns')), (row, event)
            values = [arg for arg in rows.get('args', [])
                      if (arg['cpu'], arg['seq'], arg['function']) ==
                      (row['cpu'], row['seq'], row['function'])]
            assert [arg['position'] for arg in values] == list(range(len(values)))
            names = [arg['name'] for arg in values if arg['place'] == 'argument']
            if event['type'] in ('call', 'tracepoint'):
                assert names == [arg['name'] for arg in event.get('args', [])], (names, event)
    assert next(calls, None) is None and next(lost, None) is None
    print(nr, 'calls')


def graph(path):
    """graph.txt, read by hand: (function, kind, tid, ns after 5 s, duration, result, error)."""
    want = [
        ('outer', 'call', 10, 1000, None, None, ''),
        ('inner', 'call', 10, 2000, None, None, ''),
        ('inner', 'return', 10, 3000, 1000, -2, 'ENOENT'),
        ('outer', 'call', 11, 4000, None, None, ''),
        ('inner', 'call', 10, 5000, None, None, ''),
        ('plain', 'call', 10, 6000, None, None, ''),
        ('inner', 'return', 10, 7000, 2000, 5, ''),
        ('outer', 'return', 11, 8000, 4000, 1, ''),
    ]
    got = [(row['function'], row['kind'], row['tid'], row['perf_ns'] - 5000000000,
            row.get('duration_ns'), row.get('result'), row['error'])
           for row in read_jsonl(path + '.jsonl')['calls']]
    assert got[:len(want)] == want, got
    assert sum(row['is_call'] for row in read_jsonl(path + '.jsonl')['calls']) == \
        sum(row[1] == 'call' for row in got)


{'same': same, 'events': events, 'keys': keys, 'graph': graph}[sys.argv[1]](*sys.argv[2:])

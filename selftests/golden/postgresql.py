# SPDX-License-Identifier: GPL-2.0-only
"""
Scripts for psql: what is in them, and a PostgreSQL server of one's own that runs them, in a temporary directory and
without network.
"""
import collections
import contextlib
import csv
import glob
import os
import pathlib
import re
import shutil
import subprocess

ESCAPES = {'\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r'}


def value(text):
    """The value of a column of a COPY command's row."""
    if text == '\\N':
        return None
    return re.sub(r'\\.', lambda m: ESCAPES[m[0]], text)


def tables(path):
    """By table, the names and types of its columns, and its rows, with values as text; and all other statements."""
    columns, found, statements, table = {}, collections.defaultdict(list), [], None
    for line in pathlib.Path(path).read_text(encoding='utf-8').split('\n')[:-1]:
        begin = re.fullmatch(r'COPY (\w+) FROM stdin;', line)
        created = re.fullmatch(r'CREATE TABLE (\w+) \((.*)\);', line)
        if line == '\\.':
            table = None
        elif table:
            found[table].append(tuple(map(value, line.split('\t'))))
        elif begin:
            table = begin[1]
        elif created:
            columns[created[1]] = [tuple(column.split()[:2]) for column in created[2].split(', ')]
        else:
            statements.append(line)
    return columns, found, statements


class Server:
    """A server that runs while the context lasts. It must not run as root: then, as the user nobody."""
    def __init__(self, directory):
        self.directory = str(directory)
        found = sorted(glob.glob('/usr/lib/postgresql/*/bin'))
        self.bin = found[-1] if found else os.path.dirname(shutil.which('initdb') or '/nonexistent/initdb')
        self.env = {'PATH': os.environ['PATH'], 'LC_ALL': 'C.UTF-8', 'HOME': self.directory}

    def is_there(self):
        return os.path.exists(f'{self.bin}/initdb') and bool(shutil.which('psql'))

    @staticmethod
    def words(*words):
        return [*(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] if os.getuid() == 0 else []), *words]

    def run(self, *words, **options):
        ran = subprocess.run(self.words(*words), env=self.env, cwd=self.directory, capture_output=True, text=True, check=False,
                             **options)
        if ran.returncode:
            raise ValueError(f'{words[0]}: {ran.stderr.strip()} {ran.stdout.strip()[-500:]}')
        return ran.stdout

    def __enter__(self):
        if os.getuid() == 0:
            os.chown(self.directory, 65534, 65534)
        os.chmod(self.directory, 0o700)
        self.run(f'{self.bin}/initdb', '-D', 'data', '-U', 'test', '--auth=trust', '-E', 'UTF8', '--no-sync')
        self.run(f'{self.bin}/pg_ctl', '-D', 'data', '-w', '-l', 'log', '-o',
                 f"-k {self.directory} -c listen_addresses='' -c fsync=off", 'start')
        return self

    def __exit__(self, *_):
        self.run(f'{self.bin}/pg_ctl', '-D', 'data', '-w', '-m', 'immediate', 'stop')

    def psql(self, *words, **options):
        return self.run('psql', '-X', '-q', '-h', self.directory, '-U', 'test', *words, **options)

    def load(self, name, script):
        """Makes a database of this name with what the script creates. Returns what psql says if it fails, otherwise nothing."""
        self.psql('-d', 'postgres', '-c', f'CREATE DATABASE {name}')
        with open(script, encoding='utf-8') as file:
            try:
                self.psql('-d', name, '-f', '-', stdin=file)
            except ValueError as error:
                return str(error)
        return ''

    @contextlib.contextmanager
    def query(self, name):
        """A function that runs queries on this database. Numbers are numbers, as in Qt."""
        words = self.words('psql', '-X', '-q', '-h', self.directory, '-U', 'test', '-d', name, '--csv', '-t', '-P', 'null=\\N')
        with subprocess.Popen(words, env=self.env, cwd=self.directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as psql:
            def run(text):
                psql.stdin.write(text + ';\n\\echo @end :ERROR\n')
                psql.stdin.flush()
                lines = []
                while not lines or not lines[-1].startswith('@end '):
                    lines.append(psql.stdout.readline())
                    if not lines[-1]:
                        raise ValueError('psql has ended')
                if lines.pop() != '@end false\n':
                    raise ValueError(f'the server refuses: {text}')
                return [tuple(number(one) for one in row) for row in csv.reader(lines)]
            yield run
            psql.stdin.close()


def number(text):
    if text == '\\N':
        return None
    return int(text) if re.fullmatch(r'-?\d+', text) else text

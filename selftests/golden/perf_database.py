# SPDX-License-Identifier: GPL-2.0-only
"""Databases written by perf's export-to-sqlite.py, which needs three classes of Qt: they are here, on sqlite3."""
import os
import pathlib
import shutil
import subprocess

SCRIPT = '/usr/lib/perf-core/scripts/python/export-to-sqlite.py'

QT = '''
import sqlite3

class QSqlDatabase:
    base = None

    @staticmethod
    def addDatabase(kind):
        return QSqlDatabase()

    def setDatabaseName(self, name):
        self.name = name

    def open(self):
        QSqlDatabase.base = sqlite3.connect(self.name, isolation_level=None)

    def close(self):
        QSqlDatabase.base.close()

class QSqlQuery:
    def __init__(self, database=None):
        self.values = []

    def prepare(self, text):
        self.text = text

    def addBindValue(self, value):
        self.values.append(value)

    def exec_(self, text=None):
        try:
            self.rows = QSqlDatabase.base.execute(text or self.text, [] if text else self.values)
        except sqlite3.Error as error:
            self.error = error
            return False
        self.values = []
        return True

    def next(self):
        self.row = self.rows.fetchone()
        return self.row is not None

    def value(self, i):
        return self.row[i]

    def lastError(self):
        return self

    def text(self):
        return str(self.error)
'''


def is_there():
    return bool(shutil.which('perf')) and os.path.exists(SCRIPT)


def write(data, path, *words):
    """Writes the database of a perf.data file. Returns what perf says if there is none, otherwise nothing."""
    package = pathlib.Path('qt/PySide2')
    package.mkdir(parents=True, exist_ok=True)
    (package / '__init__.py').write_text('', encoding='ascii')
    (package / 'QtSql.py').write_text(QT, encoding='ascii')
    done = subprocess.run(['perf', 'script', *words, '-i', data, '-s', SCRIPT, path, 'all', 'calls', 'callchains'], check=False,
                          env={**os.environ, 'PYTHONPATH': 'qt'}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return '' if done.returncode == 0 and os.path.exists(path) else done.stdout.decode()

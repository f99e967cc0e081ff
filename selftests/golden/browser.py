# SPDX-License-Identifier: GPL-2.0-only
"""A headless Chromium, driven by its protocol over two pipes: 3 it reads, 4 it writes."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# Of a machine that has much else to do; what does not come by then never comes.
PATIENCE = 300


def find():
    return next(filter(None, map(shutil.which, ('chromium-headless-shell', 'chromium'))), None)


class Browser:
    def __init__(self, program):
        self.home = tempfile.TemporaryDirectory()
        its_input, out = os.pipe()
        into, its_output = os.pipe()
        self.process = subprocess.Popen(
            ['sh', '-c', f'exec "$0" "$@" 3<&{its_input} 4>&{its_output}',
             program, '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
             '--no-first-run', '--disable-extensions', '--disable-quic', '--disable-sync',
             '--disable-background-networking', '--disable-component-update', '--window-size=1300,800',
             f'--user-data-dir={self.home.name}', 'about:blank'],
            pass_fds=(its_input, its_output), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.home.name))
        os.close(its_input)
        os.close(its_output)
        self.out, self.into = out, into
        self.buffer, self.number, self.session = b'', 0, None
        self.asked_for = []     # addresses
        self.mistakes = []      # that scripts made
        self.decoder = None     # a page that decodes screenshots
        self.session = self.attach()
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(f'{domain}.enable')

    def attach(self):
        """The session of a new, empty page."""
        target = self.call('Target.createTarget', url='about:blank', session=None)['targetId']
        return self.call('Target.attachToTarget', targetId=target, flatten=True, session=None)['sessionId']

    def close(self):
        os.close(self.out)
        os.close(self.into)
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        # What is left of it may still write there.
        shutil.rmtree(self.home.name, ignore_errors=True)
        self.home._finalizer.detach()

    def read(self, until):
        while b'\0' not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.into], [], [], left)[0]:
                raise TimeoutError('the browser says nothing')
            more = os.read(self.into, 1 << 20)
            if not more:
                raise EOFError('the browser has ended')
            self.buffer += more
        line, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(line)

    def call(self, method, session='', **params):
        """For the page; @session: for another one, None: for the browser."""
        self.number += 1
        message = dict(id=self.number, method=method, params=params)
        session = self.session if session == '' else session
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + PATIENCE
        while True:
            said = self.read(until)
            if said.get('method') == 'Network.requestWillBeSent':
                self.asked_for.append(said['params']['request']['url'])
            if said.get('method') == 'Runtime.exceptionThrown':
                self.mistakes.append(said['params']['exceptionDetails'])
            if said.get('method') == 'Log.entryAdded':
                self.mistakes.append(said['params']['entry'])
            if said.get('id') == self.number:
                if 'error' in said:
                    raise RuntimeError(f'{method}: {said["error"]}')
                return said['result']

    def evaluate(self, expression, session=''):
        said = self.call('Runtime.evaluate', session, expression=expression, returnByValue=True,
                         awaitPromise=True)
        if 'exceptionDetails' in said:
            raise RuntimeError(said['exceptionDetails'])
        return said['result'].get('value')

    def wait_for(self, expression):
        """Until it is true, or null if it never is."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.05)
        return None

    def settle(self):
        """All that was to be drawn has been."""
        self.evaluate('new Promise((done) => requestAnimationFrame(() => '
                      'requestAnimationFrame(() => requestAnimationFrame(done))))')

    def open(self, path, state=''):
        """From anew, also if it is the same but for its state."""
        self.call('Page.navigate', url='about:blank')
        self.wait_for('location.href === "about:blank"')
        self.asked_for, self.mistakes = [], []
        self.call('Page.navigate', url=f'file://{path}{"#" + state if state else ""}')
        # What ends with this has run all.
        if not self.wait_for('location.href !== "about:blank" && document.readyState === "complete"'):
            raise TimeoutError(f'{path} does not load')
        self.settle()

    def resize(self, width, height, ratio=1):
        """The window, and how many pixels of the screen a CSS pixel has."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=ratio,
                  mobile=False)
        self.settle()

    def screenshot(self, x, y, width, height):
        """What the screen shows there: rows of pixels, each pixel 4 bytes: red, green, blue, alpha."""
        self.settle()
        png = self.call('Page.captureScreenshot', format='png',
                        clip=dict(x=x, y=y, width=width, height=height, scale=1))['data']
        # The page's own policy does not let it load pictures.
        if not self.decoder:
            self.decoder = self.attach()
        width, data = self.evaluate(f'''(async () => {{
            const png = Uint8Array.from(atob("{png}"), (c) => c.charCodeAt(0));
            const map = await createImageBitmap(new Blob([png], {{ type: "image/png" }}));
            const c = new OffscreenCanvas(map.width, map.height).getContext("2d");
            c.drawImage(map, 0, 0);
            const data = c.getImageData(0, 0, map.width, map.height).data;
            const reader = new FileReader();
            await new Promise((done) => {{ reader.onload = done; reader.readAsDataURL(new Blob([data])); }});
            return [map.width, reader.result.split(",")[1]];
        }})()''', self.decoder)
        data = base64.b64decode(data)
        return [data[at:at + 4 * width] for at in range(0, len(data), 4 * width)]

    def mouse(self, kind, x, y, **params):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **params)

    def click(self, x, y):
        self.mouse('mousePressed', x, y, button='left', clickCount=1)
        self.mouse('mouseReleased', x, y, button='left', clickCount=1)
        self.settle()

    def key(self, key):
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, text=key if len(key) == 1 else '')
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key)
        self.settle()

    def type(self, text):
        self.call('Input.insertText', text=text)
        self.settle()

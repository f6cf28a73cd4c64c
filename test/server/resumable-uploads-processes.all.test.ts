import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { localFiles, openChat, type Storage } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { type Engine, engines, testOn } from '../support/engines.ts';
import { basic, send } from './running.ts';
import { untilBytes } from './stored-bytes.ts';

const CONTENT = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Two servers that share a database and a folder, as two processes do. They share no memory. */
async function twoServers(t: TestContext, engine: Engine) {
  const folder = await mkdtemp(join(tmpdir(), 'two-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const place = await engine.open();
  const closing: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const close of closing) await close();
    await place.dispose();
  });
  const open = async (storage: Storage) => {
    const chat = await openChat({ storage, logger: quiet, files: localFiles(folder) });
    const { server, close } = await serve(chat, { port: 0, rateLimits: false });
    closing.push(async () => {
      server.closeAllConnections();
      await close();
      await chat.close();
    });
    return { chat, port: (server.address() as { port: number }).port };
  };
  const one = await open(place.storage);
  const owner = await one.chat.createOrganization({
    name: 'Harbour',
    owner: { email: 'olga@example.com', full_name: 'Olga', password: 'a long password' },
  });
  const two = await open(await place.reopen());
  return { folder, ports: [one.port, two.port] as const, auth: basic(owner.email, owner.api_key) };
}

async function begun(port: number, auth: string, size: number): Promise<string> {
  const headers = { ...CONTENT, 'content-type': 'text/plain', 'upload-length': String(size) };
  const { status, headers: answer, text } = await send(port, 'POST', '/api/v1/tus', { auth, headers });
  assert.equal(status, 201, text);
  return new URL(String(answer.location), `http://127.0.0.1:${port}/api/v1/tus`).pathname;
}

for (const engine of engines) {
  const test = testOn(engine);

  test(`${engine.name}: a request to one process makes another process release the upload`, async (t) => {
    const { folder, ports, auth } = await twoServers(t, engine);
    const address = await begun(ports[0], auth, 6);
    const headers = { ...CONTENT, authorization: auth, 'upload-offset': 0, 'content-length': 6 };
    const waiting = request({ port: ports[0], host: '127.0.0.1', method: 'PATCH', path: address, headers });
    waiting.on('error', () => undefined);
    waiting.write('abc');
    await untilBytes(folder, 3);
    const head = await send(ports[1], 'HEAD', address, { auth, headers: CONTENT });
    assert.deepEqual([head.status, head.headers['upload-offset']], [200, '3']);
    const rest = { auth, headers: { ...CONTENT, 'upload-offset': '3' }, body: Buffer.from('def') };
    assert.equal((await send(ports[1], 'PATCH', address, rest)).status, 200);
    waiting.destroy();
  });

  test(`${engine.name}: an upload is stored right if each piece is sent four times to two processes`, async (t) => {
    const { ports, auth } = await twoServers(t, engine);
    const bytes = randomBytes(400_000);
    const address = await begun(ports[0], auth, bytes.length);
    let url = '';
    for (let offset = 0; offset < bytes.length; ) {
      const end = Math.min(bytes.length, offset + 150_000);
      const asked = {
        auth,
        headers: { ...CONTENT, 'upload-offset': String(offset) },
        body: bytes.subarray(offset, end),
      };
      const answers = await Promise.all([0, 1, 0, 1].map((at) => send(ports[at] as number, 'PATCH', address, asked)));
      const statuses = answers.map(({ status }) => status);
      const done = answers.filter(({ status }) => status < 300);
      // A request that has to release the upload keeps its bytes, and the next one receives the offset.
      for (const status of statuses) assert.ok([200, 204, 409, 423].includes(status), String(statuses));
      url = done.find(({ status }) => status === 200)?.body.url ?? url;
      const { headers } = await send(ports[0], 'HEAD', address, { auth, headers: CONTENT });
      const reached = Number(headers['upload-offset']);
      assert.ok(done.length <= (reached === end ? 1 : 0), `${statuses}, and ${reached} of ${end} bytes arrived`);
      offset = reached;
    }
    if (url === '') {
      const asked = { auth, headers: { ...CONTENT, 'upload-offset': String(bytes.length) } };
      url = (await send(ports[0], 'PATCH', address, asked)).body.url;
    }
    const got = await fetch(`http://127.0.0.1:${ports[1]}${url}`, { headers: { authorization: auth } });
    assert.deepEqual(Buffer.from(await got.arrayBuffer()), bytes);
  });
}

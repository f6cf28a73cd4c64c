import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { connect } from '../../lib/index.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { running, send } from './running.ts';

export interface Setup {
  programs: readonly string[];
  /** Writes the proxy configuration into a folder, without settings for streams. Returns the arguments. */
  prepare(folder: string, port: number, chat: number): Promise<string[]>;
}

export async function written(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

export const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'];

/** @param directives in the location that forwards requests */
export function nginx(directives: string): Setup {
  return {
    programs: NGINX,
    async prepare(folder, port, chat) {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const conf = await written(
        folder,
        'nginx.conf',
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
        events {} http { access_log off; ${paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
        server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${chat}; ${directives} } } }`,
      );
      return ['-p', folder, '-e', `${folder}/error.log`, '-c', conf];
    },
  };
}

export async function behind(t: TestContext, { prepare }: Setup, program: string) {
  const made = await running(t, {}, { heartbeatSeconds: 1 });
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  const port = await freePort();
  const proxy = spawn(program, await prepare(folder, port, made.port), { stdio: 'ignore', env: { HOME: folder } });
  t.after(async () => {
    const ended = new Promise((resolve) => proxy.once('exit', resolve));
    if (proxy.exitCode === null && proxy.kill()) await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const isUp = () =>
    send(port, 'GET', '/api/v1/server_settings').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until('the proxy answers', isUp);
  return { ...made, proxyPort: port };
}

const program = NGINX.find(existsSync);
const clients = { Node: connect, 'a browser': connectInBrowser };
const WAYS = {
  'streams through nginx': { directives: '', transports: ['stream'] },
  'polls behind a proxy that buffers': {
    directives: 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering; proxy_buffers 8 64k;',
    transports: ['poll'],
  },
};

/** How events reach a client behind nginx. A client that cannot stream notices it after 10 s. */
export function testClient(where: keyof typeof clients, name: keyof typeof WAYS): void {
  const { directives, transports } = WAYS[name];
  const skip = program === undefined ? 'nginx is not installed' : false;
  test(`the client of ${where} ${name}, and onTransport says so`, { skip }, async (t) => {
    const { chat, owner, proxyPort } = await behind(t, nginx(directives), program ?? '');
    const { email, api_key } = owner;
    const session = clients[where]({ site: `http://127.0.0.1:${proxyPort}`, email, api_key });
    t.after(() => session.close());
    const contents: string[] = [];
    const seen: string[] = [];
    const states: string[] = [];
    const ended = (async () => {
      const events = session.listen({
        event_types: ['message'],
        onTransport: (transport) => void seen.push(transport),
        onState: ({ state }) => void states.push(state),
      });
      for await (const { message } of events) contents.push(message.content);
    })();
    ended.catch(() => undefined);
    await until('it says how events arrive', () => seen.length > 0);
    for (let count = 1; count <= 3; count++) {
      const content = `message ${count}`;
      await chat.as(owner.user_id).messages.send({ type: 'direct', to: [owner.user_id], content });
      await until('the message has arrived', () => contents.length === count);
    }
    assert.deepEqual(seen, transports);
    assert.deepEqual(states, ['connecting', 'live']);
    assert.deepEqual(contents, ['message 1', 'message 2', 'message 3']);
  });
}

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { untilPollsWait } from '../support/polls.ts';
import { until } from '../support/until.ts';
import { openStream } from './event-stream.ts';
import { behind, nginx, type Setup, testClient, written } from './event-stream-proxies.ts';

const SETUPS: Readonly<Record<string, Setup>> = {
  'nginx with its default buffering': nginx(''),
  HAProxy: {
    programs: ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/opt/homebrew/bin/haproxy'],
    async prepare(folder, port, chat) {
      const conf = await written(
        folder,
        'haproxy.cfg',
        `defaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n` +
          `frontend f\n  bind 127.0.0.1:${port}\n  default_backend b\nbackend b\n  server s 127.0.0.1:${chat}\n`,
      );
      return ['-db', '-f', conf];
    },
  },
  Caddy: {
    programs: ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'],
    async prepare(folder, port, chat) {
      const conf = await written(
        folder,
        'Caddyfile',
        `{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:${port} {\n\treverse_proxy 127.0.0.1:${chat}\n}\n`,
      );
      return ['run', '--config', conf, '--adapter', 'caddyfile'];
    },
  },
};

for (const [name, setup] of Object.entries(SETUPS)) {
  const program = setup.programs.find(existsSync);
  const skip = program === undefined ? `${name} is not installed` : false;
  test(`events of a stream arrive one by one through ${name}`, { skip }, async (t) => {
    const { chat, owner, auth, proxyPort } = await behind(t, setup, program ?? '');
    const session = chat.as(owner.user_id);
    const { queue_id } = await session.register({ event_types: ['message'], fetch_event_types: [] });
    const path = `/api/v1/events/stream?queue_id=${queue_id}`;
    const stream = await openStream(t, { port: proxyPort, path, headers: { authorization: auth } });
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/);
    await until('the first comment has come', () => stream.comments() === 1);
    for (let count = 1; count <= 3; count++) {
      await untilPollsWait(chat, 1);
      await session.messages.send({ type: 'direct', to: [owner.user_id], content: `message ${count}` });
      await stream.next(count);
    }
    stream.req.destroy();
    await untilPollsWait(chat, 0);
  });
}

testClient('a browser', 'streams through nginx');
testClient('Node', 'polls behind a proxy that buffers');

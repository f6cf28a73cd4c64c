import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { openChat, sqlite } from '../../lib/index.ts';
import { createServer } from '../../server/index.ts';
import { untilPollsWait } from '../support/polls.ts';

/** Files of lib and server with a function that runs. Not those that were only loaded. */
const PRODUCT = /\/(lib|server)\/[^?]+\.ts(\?|$)/;

/** How many files a request of each kind runs, when the caches are filled. */
export async function filesRun(): Promise<Record<string, number>> {
  const chat = await openChat({ storage: sqlite(':memory:') });
  const { user_id, email, api_key } = await chat.createOrganization({
    name: 'Club',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const server = createServer(chat, { pages: false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
  const ask = async (method: string, path: string, fields?: Record<string, string>) => {
    const body = fields && { body: new URLSearchParams(fields) };
    const response = await fetch(site + path, { method, headers: { authorization }, ...body });
    return (await response.json()) as { id: number };
  };
  const { id: channel } = await chat.as(user_id).channels.create({ name: 'shore', subscribers: [user_id] });
  const place = { type: 'channel', to: String(channel), topic: 'lamp' };
  const send = () => ask('POST', '/messages', { ...place, content: 'Lit at dusk.' });
  const register = () => chat.as(user_id).register({ event_types: ['message'], fetch_event_types: [] });
  let emoji = 0;
  const requests: Record<string, (messageId: number) => Promise<unknown>> = {
    'a reaction': (id) =>
      ask('POST', `/messages/${id}/reactions`, { emoji_name: ['tada', 'cat'][emoji++ % 2] as string }),
    'a send': send,
    'an edit': (id) => ask('PATCH', `/messages/${id}`, { content: `Lit at ${performance.now()}.` }),
    'a history': (id) => ask('GET', `/messages/${id}/history`),
  };

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const filesOf = async (work: () => Promise<unknown>) => {
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.filter(
      ({ url, functions }) =>
        PRODUCT.test(url) && functions.some(({ functionName, ranges: [all] }) => functionName !== '' && all?.count),
    ).length;
  };

  const counts: Record<string, number> = {};
  for (const [name, request] of Object.entries(requests)) {
    for (let warmUps = 0; warmUps < 2; warmUps++) await request((await send()).id);
    const { id } = await send();
    counts[name] = await filesOf(() => request(id));
  }
  for (const [name, path] of Object.entries({ 'a waiting poll': '/events', 'a stream': '/events/stream' })) {
    const { queue_id } = await register();
    const reading = new AbortController();
    const { headers, signal } = { headers: { authorization }, signal: reading.signal };
    const waiting = fetch(`${site}${path}?queue_id=${queue_id}&last_event_id=-1`, { headers, signal });
    await untilPollsWait(chat, 1);
    counts[`a send with ${name}`] = await filesOf(async () => {
      await Promise.all([send(), waiting.then((response) => response.body?.getReader().read())]);
    });
    reading.abort();
    await untilPollsWait(chat, 0);
  }
  session.disconnect();
  server.closeAllConnections();
  server.close();
  await chat.close();
  return counts;
}

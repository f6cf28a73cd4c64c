import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { type ConnectionState, connect, type Session } from '../../lib/index.ts';
import { until } from '../support/until.ts';
import { type Serving, serving } from './serving.ts';

const WAYS: [string, (served: Serving) => Session][] = [
  ['in process', ({ chat, ada }) => chat.as(ada)],
  ['over HTTP', ({ session }) => session],
  ['over fetch', ({ site, ada: { email, api_key } }) => connectInBrowser({ site, email, api_key })],
];

for (const [where, open] of WAYS) {
  describe(`the signal of a call ${where}`, () => {
    it('rejects every kind of call before it starts, with its reason', async (t) => {
      const served = await serving(t);
      const session = open(served);
      const reason = new Error('the view is closed');
      const options = { signal: AbortSignal.abort(reason) };
      const content = 'never';
      const calls = [
        session.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content }, options),
        session.users.me({}, options),
        session.register({}, options),
        session.dryRun.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content }, options),
        session.why('ada@example.com', 'messages.markAllRead', {}, options),
        session.download('/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png', options),
      ];
      for (const call of calls) await assert.rejects(call, reason);
      const { messages } = await session.messages.list({ anchor: 'newest', num_before: 9, num_after: 0 });
      assert.ok(!messages.some((message) => message.content.includes(content)));
    });

    it('ends a long poll with an AbortError', async (t) => {
      const session = open(await serving(t));
      const { queue_id, last_event_id } = await session.register({ fetch_event_types: [] });
      const leaving = new AbortController();
      const poll = session.events.list({ queue_id, last_event_id }, { signal: leaving.signal });
      setTimeout(() => leaving.abort(), 50);
      await assert.rejects(poll, { name: 'AbortError' });
      await session.events.delete({ queue_id });
    });

    it('changes nothing after the response', async (t) => {
      const served = await serving(t);
      const leaving = new AbortController();
      const { full_name } = await open(served).users.me({}, { signal: leaving.signal });
      leaving.abort();
      assert.equal(full_name, 'Ada');
    });
  });
}

test('does not cancel a running write in process', async (t) => {
  const { chat, ada } = await serving(t);
  const leaving = new AbortController();
  const sent = chat
    .as(ada)
    .messages.send({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup' }, { signal: leaving.signal });
  leaving.abort();
  const { message } = await chat.as(ada).messages.get({ message_id: (await sent).id });
  assert.equal(message.content, '<p>Soup</p>');
});

for (const [where, open] of [
  ['on Node', connect],
  ['in browsers', connectInBrowser],
] as const) {
  test(`a request without a response ends at once, ${where}`, async (t) => {
    const held: string[] = [];
    const { site, ada, server } = await serving(t, ({ url = '' }) => url.includes('/users/me') && held.push(url) > 0);
    const session = open({ site, email: ada.email, api_key: ada.api_key });
    t.after(() => session.close());
    const leaving = new AbortController();
    const call = session.users.me({}, { signal: leaving.signal });
    call.catch(() => undefined);
    await until('the request has arrived', () => held.length === 1);
    leaving.abort('closed');
    await assert.rejects(call, (reason) => reason === 'closed');
    await until('its connection is closed', async () => {
      const count = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
      return count === 0;
    });
  });

  test(`register stops waiting for the server, ${where}`, async (t) => {
    const { site, ada, server } = await serving(t);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const session = open({ site, email: ada.email, api_key: ada.api_key, patienceMs: 60_000 });
    t.after(() => session.close());
    const leaving = new AbortController();
    let state = '';
    const onState = (connection: ConnectionState) => {
      state = connection.state;
    };
    const call = session.register({}, { signal: leaving.signal, onState });
    call.catch(() => undefined);
    await until('it waits', () => state === 'offline');
    leaving.abort();
    await assert.rejects(call, { name: 'AbortError' });
  });
}

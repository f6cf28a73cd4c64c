import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { ChatError, type ConnectOptions, connect, openChat, sqlite, Unreachable } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { listening } from '../server/running.ts';
import { until } from '../support/until.ts';

/** A chat whose host accepts tokens that expire. */
async function hosted(t: TestContext) {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Docs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  await chat.as(ada).channels.create({ name: 'general', subscribers: [ada.user_id] });
  const state = { valid: 1, calls: 0, authorizations: [] as (string | undefined)[] };
  const server = createServer(
    requestListener(chat, {
      authenticate: ({ headers: { authorization } }) => {
        state.authorizations.push(authorization);
        if (authorization === `Bearer number-${state.valid}`) return ada.user_id;
        if (authorization !== undefined) throw new ChatError('The token is not valid.', 'UNAUTHORIZED', 401);
        return undefined;
      },
      rateLimits: false,
    }),
  );
  const site = `http://127.0.0.1:${await listening(t, server)}`;
  const token = async () => {
    state.calls++;
    return `number-${state.valid}`;
  };
  return { chat, ada, site, state, token, server };
}

for (const [where, open] of [
  ['on Node', connect],
  ['in browsers', connectInBrowser],
] as const) {
  const opened = (t: TestContext, options: ConnectOptions) => {
    const session = open(options);
    t.after(() => session.close());
    return session;
  };

  describe(`a session with a token, ${where}`, () => {
    it('sends the token with every call, and fetches a new one once the old one expired', async (t) => {
      const { site, state, token } = await hosted(t);
      const session = opened(t, { site, token });
      for (let call = 0; call < 3; call++) assert.equal((await session.users.me()).full_name, 'Ada');
      assert.equal(state.calls, 1);
      state.valid = 2;
      const names = await Promise.all([1, 2, 3, 4].map(async () => (await session.users.me()).full_name));
      assert.deepEqual(names, ['Ada', 'Ada', 'Ada', 'Ada']);
      assert.equal(state.calls, 2, 'calls at the same time share it');
    });

    it('is refused with an invalid fixed or unchanged token, which it sends once', async (t) => {
      const { site, state } = await hosted(t);
      await assert.rejects(opened(t, { site, token: 'number-7' }).users.me(), { code: 'UNAUTHORIZED' });
      const before = state.authorizations.length;
      await assert.rejects(opened(t, { site, token: () => 'number-7' }).users.me(), { code: 'UNAUTHORIZED' });
      assert.equal(state.authorizations.length - before, 1, 'the same token is not sent twice');
    });

    it('rejects a call if the token function fails, and calls it again for the next call', async (t) => {
      const { site, token } = await hosted(t);
      const failures: unknown[] = [new TypeError('Failed to fetch'), new ChatError('Signed out', 'UNAUTHORIZED', 401)];
      const session = opened(t, {
        site,
        token: () => (failures.length > 0 ? Promise.reject(failures.shift()) : token()),
      });
      await assert.rejects(session.users.me(), (error) => {
        assert.ok(error instanceof Unreachable);
        return /no token: Failed to fetch/.test(error.message);
      });
      await assert.rejects(session.users.me(), { message: 'Signed out' });
      assert.equal((await session.users.me()).full_name, 'Ada');
    });

    it('sends no Authorization header for an empty token', async (t) => {
      const { site, state } = await hosted(t);
      await assert.rejects(opened(t, { site, token: () => '' }).users.me(), { code: 'UNAUTHORIZED' });
      assert.deepEqual(state.authorizations, [undefined]);
    });

    it('is refused if the token function returns an empty token after a refusal', async (t) => {
      const { site, state, token } = await hosted(t);
      let isLoggedIn = true;
      const session = opened(t, { site, token: () => (isLoggedIn ? token() : '') });
      await session.users.me();
      state.valid = 2;
      isLoggedIn = false;
      await assert.rejects(session.users.me(), { code: 'UNAUTHORIZED' });
      assert.deepEqual(state.authorizations, ['Bearer number-1', 'Bearer number-1']);
      await assert.rejects(session.users.me(), { code: 'UNAUTHORIZED' });
      assert.equal(state.authorizations.length, 2, 'a page of another site could not read the response');
      isLoggedIn = true;
      assert.equal((await session.users.me()).full_name, 'Ada');
    });

    it('rejects a call if the token function returns HTML or JSON, and calls it again for the next call', async (t) => {
      const { site, state, token } = await hosted(t);
      const texts = ['<h1>502 Bad Gateway</h1>', '{"error":"internal"}', 'Internal error.\n'];
      const session = opened(t, { site, token: () => texts.shift() ?? token() });
      for (let call = 0; call < 3; call++) await assert.rejects(session.users.me(), { name: 'Unreachable' });
      assert.deepEqual(state.authorizations, []);
      assert.equal((await session.users.me()).full_name, 'Ada');
    });

    it('rejects a call after the timeout if the token function never resolves', async (t) => {
      const { site } = await hosted(t);
      const session = opened(t, { site, timeoutMs: 100, token: () => new Promise<string>(() => undefined) });
      await assert.rejects(session.users.me(), { name: 'Unreachable', message: /no response within 100 ms/ });
      const leaving = new AbortController();
      const call = session.users.me({}, { signal: leaving.signal });
      leaving.abort();
      await assert.rejects(call, { name: 'AbortError' });
    });

    it('continues to listen and upload with the next token', async (t) => {
      const { chat, ada, site, state, token, server } = await hosted(t);
      const session = opened(t, { site, token, patienceMs: 10_000 });
      const contents: string[] = [];
      const leaving = new AbortController();
      const ended = (async () => {
        const options = { event_types: ['message'], apply_markdown: false, signal: leaving.signal } as const;
        for await (const { message } of session.listen(options)) contents.push(message.content);
      })();
      const say = (content: string) =>
        chat.as(ada).messages.send({ type: 'channel', to: 'general', topic: 'news', content });
      await until('it listens', async () => {
        await say('one');
        return contents.length > 0;
      });
      state.valid = 2;
      server.closeAllConnections();
      await say('two');
      await until('the message has arrived', () => contents.includes('two'));
      state.valid = 3;
      const emoji = new File([PNG], 'dot.png', { type: 'image/png' });
      await session.customEmoji.upload({ emoji_name: 'dot', file: emoji });
      leaving.abort();
      await ended;
      assert.equal(state.calls, 3);
    });
  });
}

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

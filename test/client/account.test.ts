import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { connect as connectInBrowser } from '../../lib/client/browser.ts';
import { type ConnectOptions, connect, openChat, sqlite } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { listening } from '../server/running.ts';

/** A chat whose host sets the current login. */
async function hosted(t: TestContext) {
  const chat = await openChat({ storage: sqlite(':memory:') });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Docs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const { user_id: ben } = await chat.as(ada).users.create({ email: 'ben@example.com', full_name: 'Ben' });
  const state = { login: ada.user_id, accounts: [] as (string | string[] | undefined)[] };
  const listener = requestListener(chat, { authenticate: () => state.login, rateLimits: false });
  const server = createServer((req, res) => {
    state.accounts.push(req.headers['parlance-account']);
    listener(req, res);
  });
  const site = `http://127.0.0.1:${await listening(t, server)}`;
  const send = (content: string) => chat.as(ada).messages.send({ type: 'direct', to: [ada.user_id], content });
  return { site, state, ada: ada.user_id, ben, send };
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

  describe(`a session whose login changes to another account, ${where}`, () => {
    it('is refused and stays refused, for the account of its first response', async (t) => {
      const { site, state, ada, ben } = await hosted(t);
      const session = opened(t, { site });
      assert.equal((await session.users.me()).user_id, ada);
      state.login = ben;
      const update = session.settings.edit({ full_name: 'Benjamin' });
      await assert.rejects(update, { code: 'ACCOUNT_CHANGED', status: 409 });
      assert.deepEqual(state.accounts, [undefined, String(ada)]);
      state.login = ada;
      await assert.rejects(session.users.me(), { code: 'ACCOUNT_CHANGED' });
      assert.equal(state.accounts.length, 2, 'it sends no more requests');
      assert.equal((await opened(t, { site }).users.me()).full_name, 'Ada');
    });

    it('is refused with its first request, if the program names the account', async (t) => {
      const { site, ada, ben } = await hosted(t);
      await assert.rejects(opened(t, { site, account: ben }).users.me(), { code: 'ACCOUNT_CHANGED' });
      assert.equal((await opened(t, { site, account: ada }).users.me()).user_id, ada);
    });

    for (const [how, change] of [
      ['another request is refused', undefined],
      ['the next event comes', 'event'],
    ] as const)
      it(`ends its events when ${how}`, async (t) => {
        const { site, state, ben, send } = await hosted(t);
        const session = opened(t, { site, patienceMs: 60_000 });
        const texts: string[] = [];
        const listen = async () => {
          for await (const { message } of session.listen({
            event_types: ['message'],
            onTransport: async () => {
              await send('first');
            },
          })) {
            texts.push(message.content);
            state.login = ben;
            if (change) await send('second');
            else session.users.me().catch(() => undefined);
          }
        };
        await assert.rejects(listen(), { code: 'ACCOUNT_CHANGED' });
        assert.deepEqual(texts, ['first']);
      });
  });
}

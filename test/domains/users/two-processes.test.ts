import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe } from 'node:test';
import { newAccount } from '../../../lib/domains/users/account-creation.ts';
import { requestListener } from '../../../server/index.ts';
import { holdUntil } from '../../contract/fixtures.ts';
import { testOn } from '../../support/engines.ts';
import { untilPollsWait } from '../../support/polls.ts';
import { until } from '../../support/until.ts';
import { bothEngines } from '../../world/copies.ts';
import { beforeFirstCommit, twoProcesses } from '../../world/processes.ts';
import type { World } from '../../world/world.ts';

// Polls do not keep a process alive. This timer does.
const alive = setInterval(() => undefined, 60_000);
after(() => clearInterval(alive));

const osric = { email: 'osric@example.com', full_name: 'Osric' };

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`accounts in two processes, on ${engine.name}`, () => {
    test('concurrent users.ensure calls in two processes create one account', async (t) => {
      const processes = await twoProcesses(t, engine);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => (processes[at % 2] as World).as('owner').users.ensure(osric)),
      );
      assert.equal(new Set(answers.map(({ user_id }) => user_id)).size, 1);
      assert.equal(answers.filter(({ is_new }) => is_new).length, 1);
    });

    test('concurrent invites.tryWelcome calls in two processes write to one conversation', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const send = (world: World) =>
        world.as('administrator').invites.tryWelcome({ welcome_message_custom_text: 'Be **welcome**.' });
      const other = beforeFirstCommit(here, engine, () => send(there));
      const ids = [(await send(here)).message_id, (await other).message_id];
      const { messages } = await here
        .as('administrator')
        .messages.list({ anchor: 'newest', num_before: 5, narrow: [['is', 'dm']] });
      assert.deepEqual(
        messages.map(({ id }) => id),
        ids,
      );
      assert.equal(new Set(messages.map(({ recipient_id }) => recipient_id)).size, 1);
    });

    test('users.ensure finds an account that another transaction is creating', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      let isInside = false;
      let isAsked = false;
      const creating = here.storage.write(async (tx) => {
        const account = newAccount({ ...osric, is_email_verified: true, role: 400, now: here.clock.now() });
        const { id } = await tx.users.create(account);
        isInside = true;
        // The SQLite driver waits for the lock and blocks this process.
        await holdUntil(tx, () => isAsked || engine.name !== 'PostgreSQL');
        return id;
      });
      await until('the account is written', () => isInside, { every: 0 });
      const ensuring = there.as('owner').users.ensure(osric);
      setTimeout(() => {
        isAsked = true;
      }, 50);
      const { user_id, is_new } = await ensuring;
      assert.deepEqual([user_id, is_new], [await creating, false]);
    });

    for (const [was, is] of [
      ['a member', 'a guest'],
      ['a guest', 'a member'],
    ])
      test(`a queue ends, with its waiting poll, when another process makes ${was} ${is}`, async (t) => {
        const [here, there] = await twoProcesses(t, engine);
        const user = was === 'a guest' ? 'guest' : 'cordelia';
        const { queue_id } = await here.as(user).register({ fetch_event_types: [], event_types: ['stream'] });
        const poll = { queue_id: queue_id as string, last_event_id: -1 };
        const waiting = here.as(user).events.list(poll);
        await untilPollsWait(here.chat, 1);
        const edit = { user_id: here.users[user], role: was === 'a guest' ? 400 : 600 } as const;
        await Promise.all([
          assert.rejects(waiting, { code: 'BAD_EVENT_QUEUE_ID' }),
          there.as('owner').users.edit(edit),
        ]);
        await assert.rejects(here.as(user).events.list({ ...poll, dont_block: true }), { code: 'BAD_EVENT_QUEUE_ID' });
      });

    test('a user locked out by wrong passwords can sign in after users.unlock in another process', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const server = createServer(requestListener(here.chat));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.after(() => {
        server.closeAllConnections();
        server.close();
      });
      const { port } = server.address() as AddressInfo;
      const signIn = async (password: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/fetch_api_key`, {
          method: 'POST',
          body: new URLSearchParams({ username: here.emails.hamlet, password }),
        });
        return answer.status;
      };
      for (let at = 0; at < 5; at++) assert.equal(await signIn('wrong'), 401);
      assert.equal(await signIn('correct horse battery'), 429);
      await there.as('administrator').users.unlock({ user_id: here.users.hamlet });
      assert.equal(await signIn('wrong'), 401);
      assert.equal(await signIn('correct horse battery'), 200);
      // The count of wrong passwords for this network starts again after a successful sign-in.
      for (let at = 0; at < 5; at++) assert.equal(await signIn('wrong'), 401);
      assert.equal(await signIn('correct horse battery'), 429);
      const password = 'the play is the thing';
      await there.as('administrator').users.setPassword({ user_id: here.users.hamlet, password });
      assert.equal(await signIn(password), 200);
    });
  });
}

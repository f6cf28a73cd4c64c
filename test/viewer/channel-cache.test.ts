import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { newAccount } from '../../lib/domains/users/account-creation.ts';
import { testOn } from '../support/engines.ts';
import { bothEngines, type WorldEngine } from '../world/copies.ts';
import { twoProcesses } from '../world/processes.ts';
import type { World } from '../world/world.ts';

/** Two processes over one database. The first has just sent a message and cached its channel and topic. */
async function postedThrice(t: TestContext, engine: WorldEngine) {
  const [here, there] = await twoProcesses(t, engine);
  const { id } = await here.as('owner').channels.create({
    name: 'Helsingør',
    invite_only: true,
    history_public_to_subscribers: true,
    subscribers: [here.users.owner, here.users.hamlet],
  });
  const say = async (world: World) =>
    (await world.as('hamlet').messages.send({ type: 'channel', to: id, topic: 'Ghosts', content: 'Boo' })).id;
  // The first message of a day changes the channel, so only the second uses the cache.
  for (let time = 0; time < 3; time++) await say(here);
  const topicOf = async (message_id: number) =>
    (await here.as('owner').messages.get({ message_id })).message.subject as string;
  return { here, there, id, say, topicOf };
}

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`the cache of channels and topics to send to, on ${engine.name}`, () => {
    test('sending again to a cached channel takes 4 statements', async (t) => {
      const { here, say } = await postedThrice(t, engine);
      const storage = here.storage as unknown as { statements: number };
      const before = storage.statements;
      await say(here);
      // Versions, message and event. PostgreSQL adds a lock for the order of the log. SQLite adds the words of the
      // message, which PostgreSQL stores with it.
      assert.equal(storage.statements - before, 4);
    });

    test('a user unsubscribed by another process can no longer post', async (t) => {
      const { here, there, say } = await postedThrice(t, engine);
      await there.as('owner').subscriptions.remove({ subscriptions: ['Helsingør'], principals: [here.users.hamlet] });
      await assert.rejects(say(here), { code: 'STREAM_DOES_NOT_EXIST' });
    });

    test('a user subscribed by another process can post', async (t) => {
      const { here, there, id } = await postedThrice(t, engine);
      const say = () =>
        here.as('cordelia').messages.send({ type: 'channel', to: id, topic: 'Ghosts', content: 'Where?' });
      await assert.rejects(say(), { code: 'STREAM_DOES_NOT_EXIST' });
      await there
        .as('owner')
        .subscriptions.add({ subscriptions: [{ name: 'Helsingør' }], principals: [here.users.cordelia] });
      await say();
    });

    test('a message to a channel archived by another process is refused', async (t) => {
      const { here, there, id, say } = await postedThrice(t, engine);
      await there.as('owner').channels.archive({ stream_id: id });
      await assert.rejects(say(here), /archived/);
    });

    test('a permission changed by another process applies to the next message', async (t) => {
      const { here, there, id, say } = await postedThrice(t, engine);
      const nobody = { new: { direct_members: [], direct_subgroups: [] } };
      await there.as('owner').channels.edit({ stream_id: id, can_send_message_group: nobody });
      await assert.rejects(say(here), { code: 'BAD_REQUEST' });
    });

    test('after another process renamed a topic, a message to the old name starts a new topic', async (t) => {
      const { here, there, say, topicOf } = await postedThrice(t, engine);
      const message_id = await say(here);
      await there.as('owner').messages.edit({ message_id, topic: 'Spirits', propagate_mode: 'change_all' });
      assert.equal(await topicOf(await say(here)), 'Ghosts');
      assert.equal(await topicOf(message_id), 'Spirits');
    });

    test('a refused message does not cache the topic that it would have created', async (t) => {
      const { here, id, topicOf } = await postedThrice(t, engine);
      const crowd = await here.storage.write(async (tx) => {
        const ids = [];
        for (let at = 0; at < 20; at++) {
          const account = { email: `guard${at}@example.com`, full_name: `Guard ${at}`, role: 400, now: 0 } as const;
          ids.push((await tx.users.create(newAccount(account))).id);
        }
        return ids;
      });
      await here.as('owner').subscriptions.add({ subscriptions: [{ name: 'Helsingør' }], principals: crowd });
      const say = (content: string) =>
        here.as('hamlet').messages.send({ type: 'channel', to: id, topic: 'Unheard of', content });
      await assert.rejects(say('@**all**'), { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' });
      assert.equal(await topicOf((await say('calmly')).id), 'Unheard of');
    });
  });
}

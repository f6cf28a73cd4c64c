import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { connect } from '../../../../lib/index.ts';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { testOn } from '../../../support/engines.ts';
import { untilPollsWait } from '../../../support/polls.ts';
import { until } from '../../../support/until.ts';
import { bothEngines } from '../../../world/copies.ts';
import type { UserName } from '../../../world/fixture.ts';
import { twoProcesses } from '../../../world/processes.ts';
import { serving } from '../../../world/transports.ts';
import type { World } from '../../../world/world.ts';

// Polls do not keep a process alive. This timer does.
const alive = setInterval(() => undefined, 60_000);
after(() => clearInterval(alive));

const queue = async (world: World, user: UserName, registration = {}) =>
  (await world.as(user).register({ ...registration, fetch_event_types: [] })).queue_id;

const poll = (world: World, user: UserName, queue_id: string, last_event_id = -1) =>
  world.as(user).events.list({ queue_id, last_event_id });

const say = (world: World, as: UserName, content: string, topic = 'x') =>
  world.as(as).messages.send({ type: 'channel', to: 'Denmark', topic, content });

const messageOf = (event: Record<string, unknown>) => event.message as { content: string; subject: string };

const contents = (events: readonly Record<string, unknown>[]) => events.map(messageOf).map(({ content }) => content);

/** Polls until the user receives a message, and returns all events before it. */
async function untilMessage(world: World, user: UserName, queue_id: string, first: ReturnType<typeof poll>) {
  const told = (await first).events;
  await until('the user gets a message', async () => {
    if (told.some(({ type }) => type === 'message')) return true;
    told.push(...(await poll(world, user, queue_id, told.at(-1)?.id)).events);
  });
  return told.filter(({ type }) => type !== 'heartbeat');
}

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`a poll whose caller changes while it waits, on ${engine.name}`, () => {
    test('a poll of a user made a guest by another process gets no events for members', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { hamlet } = here.users;
      const queue_id = await queue(here, 'hamlet', { event_types: ['stream', 'message'] });
      const waiting = poll(here, 'hamlet', queue_id);
      await untilPollsWait(here.chat, 1);
      await there.storage.write((tx) => tx.users.update(hamlet, { role: 600 }));
      // Members get the event of a new public channel, guests do not.
      await there.as('owner').channels.create({ name: 'Wittenberg', subscribers: [there.users.owner] });
      await say(there, 'cordelia', 'for members and guests');
      const told = await untilMessage(here, 'hamlet', queue_id, waiting);
      assert.deepEqual(
        told.map(({ type }) => type),
        ['message'],
      );
    });

    test('all_public_streams ends for a user made a guest by another process', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const { newcomer } = here.users;
      const queue_id = await queue(here, 'newcomer', { event_types: ['message'], all_public_streams: true });
      const waiting = poll(here, 'newcomer', queue_id);
      await untilPollsWait(here.chat, 1);
      await there.storage.write((tx) => tx.users.update(newcomer, { role: 600 }));
      await say(there, 'cordelia', 'for members alone');
      await there.as('cordelia').messages.send({ type: 'direct', to: [newcomer], content: 'for you' });
      const told = await untilMessage(here, 'newcomer', queue_id, waiting);
      assert.deepEqual(contents(told), ['for you']);
    });

    test('a poll uses an organization setting changed by another process for later events', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const queue_id = await queue(here, 'hamlet', { event_types: ['message'] });
      const waiting = poll(here, 'hamlet', queue_id);
      await untilPollsWait(here.chat, 1);
      await there.settings({ empty_topic_display_name: 'small talk' });
      await say(there, 'cordelia', 'about nothing', '');
      const told = await untilMessage(here, 'hamlet', queue_id, waiting);
      assert.deepEqual(
        told.map(messageOf).map(({ subject }) => subject),
        ['small talk'],
      );
    });

    for (const [what, change] of Object.entries({
      'whose key was replaced': { key_generation: 7 },
      'whose account was deactivated': { is_active: false },
    })) {
      test(`a waiting poll of a user ${what} by another process is refused at the next event`, async (t) => {
        const [here, there] = await twoProcesses(t, engine);
        await serving(here, async (site) => {
          const api_key = await here.chat.apiKeyOf(here.users.hamlet);
          const session = connect({ site, email: here.emails.hamlet, api_key });
          t.after(() => session.close());
          const { queue_id } = await session.register({ fetch_event_types: [], event_types: ['message'] });
          // The second poll: this process has woken a poll before.
          const first = session.events.list({ queue_id, last_event_id: -1 });
          await untilPollsWait(here.chat, 1);
          await say(there, 'cordelia', 'one');
          const waiting = session.events.list({ queue_id, last_event_id: (await first).events[0]?.id as number });
          await untilPollsWait(here.chat, 1);
          // Listen from here on, since a wake-up may arrive before the message.
          const refused = assert.rejects(waiting, { code: 'UNAUTHORIZED', status: 401 });
          await there.storage.write((tx) => tx.users.update(here.users.hamlet, change));
          await say(there, 'cordelia', 'two');
          await refused;
        });
      });
    }

    test('deleting the queue in another process refuses the poll that waits on it', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const queue_id = await queue(here, 'hamlet');
      const refused = assert.rejects(poll(here, 'hamlet', queue_id), {
        code: 'BAD_EVENT_QUEUE_ID',
        data: { queue_id },
      });
      await untilPollsWait(here.chat, 1);
      await there.as('hamlet').events.delete({ queue_id });
      await refused;
    });

    test('queues of guests end when can_access_all_users_group changes in another process', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const [queue_id, another] = [await queue(here, 'guest'), await queue(here, 'hamlet')];
      // Listen from here on, since the poll may be refused before the change has its response.
      const refused = assert.rejects(poll(here, 'guest', queue_id), { code: 'BAD_EVENT_QUEUE_ID' });
      const undisturbed = poll(here, 'hamlet', another);
      await untilPollsWait(here.chat, 2);
      await there.as('owner').organization.edit({ can_access_all_users_group: { new: systemGroupId('role:members') } });
      await refused;
      assert.equal((await undisturbed).events[0]?.type, 'realm');
    });

    test('a newer poll in another process ends the waiting one and gets the next event', async (t) => {
      const [here, there] = await twoProcesses(t, engine, [{}, { heartbeatSeconds: 10 }]);
      const queue_id = await queue(here, 'hamlet', { event_types: ['message'] });
      const older = poll(here, 'hamlet', queue_id);
      await untilPollsWait(here.chat, 1);
      const newer = poll(there, 'hamlet', queue_id);
      assert.deepEqual(
        (await older).events.map(({ type }) => type),
        ['heartbeat'],
      );
      await say(here, 'cordelia', 'for the newer one');
      assert.deepEqual(contents((await newer).events), ['for the newer one']);
    });

    test('polls without events in the process that registered the queue write nothing', async (t) => {
      const world = await engine.world({ heartbeatSeconds: 0.1 });
      t.after(() => world.close());
      const queue_id = await queue(world, 'hamlet');
      let writes = 0;
      const { write } = world.storage;
      world.storage.write = (...given) => {
        writes++;
        return write.apply(world.storage, given) as never;
      };
      for (let round = 0; round < 3; round++) await poll(world, 'hamlet', queue_id);
      assert.equal(writes, 0);
    });
  });
}

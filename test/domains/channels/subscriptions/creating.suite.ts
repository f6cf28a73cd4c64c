import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { testOn } from '../../../support/engines.ts';
import type { WorldEngine } from '../../../world/copies.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { afterFirstWrite, twoProcesses } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';
import { Clients, ORGANIZATIONS } from '../../truth.ts';

/** More channels than one transaction creates. */
const names = Array.from({ length: 250 }, (_, at) => `many ${at}`);
const all = names.map((name) => ({ name, description: `about **${name}**` }));

const registration = {
  include_subscribers: true,
  client_capabilities: {
    archived_channels: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    notification_settings_null: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
  },
};

/** Statements of each write transaction during the work. */
async function statementsOfEach({ storage }: World, work: () => Promise<unknown>): Promise<number[]> {
  const { write } = storage;
  const counting = storage as unknown as { statements: number };
  const counts: number[] = [];
  storage.write = (job, options) =>
    write.call(
      storage,
      async (tx) => {
        const before = counting.statements;
        const value = await job(tx);
        counts.push(counting.statements - before);
        return value;
      },
      options,
    ) as never;
  try {
    await work();
  } finally {
    storage.write = write;
  }
  return counts;
}

export function creatingManyChannels(engine: WorldEngine): void {
  const test = testOn(engine);
  describe(`creating many channels in one request, on ${engine.name}`, () => {
    for (const invite_only of [false, true]) {
      const kind = invite_only ? 'private' : 'public';
      test(`one transaction creates 100 ${kind} channels with as many statements as few`, async (t) => {
        const world = await engine.world();
        t.after(() => world.close());
        await world.settings({ new_stream_announcements_stream_id: world.channels.public });
        // Each opening message contains its channel's words.
        await world.as('cordelia').alertWords.add({ alert_words: ['about', 'created'] });
        const { hamlet, cordelia, guest } = world.users;
        const create = (from: number, to: number) => () =>
          world.as('hamlet').subscriptions.add({
            subscriptions: all.slice(from, to),
            principals: [hamlet, cordelia, guest],
            invite_only,
            announce: true,
            can_send_message_group: { direct_members: [hamlet], direct_subgroups: [] },
          });
        await create(0, 2)();
        const few = await statementsOfEach(world, create(2, 4));
        const many = await statementsOfEach(world, create(4, 104));
        const more = await statementsOfEach(world, create(104, 250));
        assert.equal(few.length, 1);
        assert.deepEqual(many, few);
        assert.equal(more.length, 3);
        assert.ok(Math.max(...more) <= (few[0] as number) + 5, `${more} statements in place of ${few}`);
      });
    }

    test('each new channel is in a create event before its subscription and its first message', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      await world.as('cordelia').alertWords.add({ alert_words: ['many 7'] });
      const { cordelia, guest } = world.users;
      const principals = [cordelia, guest];
      const queues = await Promise.all(
        (['cordelia', 'guest'] as const).map((name) => world.as(name).register({ fetch_event_types: [] })),
      );
      await world.as('hamlet').subscriptions.add({ subscriptions: all, principals });
      for (const [at, name] of (['cordelia', 'guest'] as const).entries()) {
        const { queue_id = '' } = queues[at] ?? {};
        const events: {
          type: string;
          op?: string;
          streams?: { name: string }[];
          subscriptions?: { name: string }[];
          message?: { display_recipient: string };
          flags?: string[];
        }[] = [];
        for (let last_event_id = -1; ; ) {
          const answer = await world.as(name).events.list({ queue_id, last_event_id, dont_block: true });
          if (answer.events.length === 0) break;
          events.push(...(answer.events as unknown as typeof events));
          last_event_id = answer.events.at(-1)?.id as number;
        }
        const order = (what: string, namesOf: (event: (typeof events)[number]) => string[]) =>
          new Map(
            events.flatMap((event, place) =>
              `${event.type} ${event.op ?? ''}` === what
                ? namesOf(event).map((name): [string, number] => [name, place])
                : [],
            ),
          );
        const created = order('stream create', ({ streams = [] }) => streams.map(({ name }) => name));
        const subscribed = order('subscription add', ({ subscriptions = [] }) => subscriptions.map(({ name }) => name));
        const opened = order('message ', ({ message }) => [message?.display_recipient ?? '']);
        for (const channel of names) {
          const places = [created, subscribed, opened].map((places) => places.get(channel) ?? Number.NaN);
          assert.deepEqual(
            places,
            places.toSorted((one, other) => one - other),
            channel,
          );
          assert.ok(!places.includes(Number.NaN), channel);
        }
        const alerted = events.filter(({ flags }) => flags?.includes('has_alert_word'));
        const channels = alerted.map(({ message }) => message?.display_recipient);
        assert.deepEqual(channels, name === 'cordelia' ? ['many 7'] : []);
      }
      const narrow = [{ operator: 'channel', operand: 'many 249' }];
      const { messages } = await world.as('cordelia').messages.list({ anchor: 'newest', num_before: 5, narrow });
      assert.equal(messages.length, 1);
      assert.match(messages[0]?.content ?? '', /created by .*about <strong>many 249<\/strong>/s);
    });

    for (const [organization, prepare] of Object.entries(ORGANIZATIONS)) {
      test(`many new channels send few events, which give the state of register, where ${organization}`, async (t) => {
        const world = await engine.world();
        t.after(() => world.close());
        await world.settings({ new_stream_announcements_stream_id: world.channels.public });
        const clients = new Clients(world);
        await clients.register(await prepare(world), [registration]);
        const before = await world.storage.read((tx) => tx.events.tail());
        const { hamlet, cordelia, guest } = world.users;
        await world.as('hamlet').subscriptions.add({
          subscriptions: all,
          principals: [hamlet, cordelia, guest],
          invite_only: true,
          announce: true,
          can_subscribe_group: systemGroupId('role:members'),
        });
        const events = await world.storage.read((tx) => tx.events.since(before, 5_000));
        const about = events
          .map(({ event }) => `${event.type} ${event.op}`)
          .filter((kind) => !kind.startsWith('message'));
        const expected = ['stream create', 'subscription add', 'subscription peer_add'];
        // A guest gets a separate event for the channels.
        const parts = [...expected, 'stream create'];
        const firstMessages = names.map(() => 'stream update');
        assert.deepEqual(about.sort(), [...parts, ...parts, ...parts, ...firstMessages].sort());
        assert.deepEqual(await clients.take(), []);
        await clients.compare();
      });
    }

    test('a request with one invalid channel creates none', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const add = (subscriptions: { name: string }[], more = {}) =>
        world.as('hamlet').subscriptions.add({ subscriptions, ...more });
      await assert.rejects(add([...all, { name: 'x'.repeat(61) }]), /too long/);
      await assert.rejects(add([...all, { name: CHANNELS.protected }], { principals: [world.users.cordelia, 9_999] }));
      await assert.rejects(add(all, { message_retention_days: 3 }), { code: 'UNAUTHORIZED_PRINCIPAL' });
      await world.storage.write((tx) => {
        const rest = {
          description: 'x',
          rendered_description: 'x',
          creator_id: null,
          created_ms: 1,
          invite_only: false,
        };
        const kind = {
          history_public_to_subscribers: true,
          is_web_public: false,
          is_archived: true,
          is_default: false,
        };
        const others = {
          topics_policy: 'inherit' as const,
          message_retention_days: null,
          folder_id: null,
          settings: {},
          external_id: null,
        };
        const filling = Array.from({ length: 19_900 }, (_, at) => ({
          name: `filling ${at}`,
          ...rest,
          ...kind,
          ...others,
        }));
        return tx.channels.create(filling);
      });
      await assert.rejects(add(all), /at most 20000 channels/);
      assert.deepEqual(await world.storage.read((tx) => tx.channels.byNames(names)), []);
    });

    test('a channel another process creates between two parts is subscribed to, not created', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const owner = there.as('owner');
      const take = async () => {
        await owner.channels.create({ name: 'MANY 150', subscribers: [] });
        await owner.channels.create({ name: 'many 151', subscribers: [], invite_only: true });
      };
      afterFirstWrite(here, take);
      const answer = await here
        .as('hamlet')
        .subscriptions.add({ subscriptions: all, authorization_errors_fatal: false });
      const expected = names
        .map((name) => (name === 'many 150' ? 'MANY 150' : name))
        .filter((name) => name !== 'many 151');
      assert.deepEqual(answer.subscribed[here.users.hamlet]?.toSorted(), expected.toSorted());
      assert.deepEqual(answer.unauthorized, ['many 151']);
      const channels = await here.storage.read((tx) => tx.channels.byNames(names));
      assert.equal(channels.length, names.length);
      const byOwner = channels.filter(({ creator_id }) => creator_id === here.users.owner).map(({ name }) => name);
      assert.deepEqual(byOwner, ['MANY 150', 'many 151']);
    });

    test('a private channel another process creates between two parts is refused after all others are done', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const owner = there.as('owner');
      afterFirstWrite(here, () => owner.channels.create({ name: 'many 151', subscribers: [], invite_only: true }));
      const adding = here.as('hamlet').subscriptions.add({ subscriptions: all });
      await assert.rejects(adding, {
        code: 'BAD_REQUEST',
        message:
          /^You are not allowed to subscribe to "many 151"\. Completed before the error: 249 channels created, 249 subscriptions added/,
      });
      const { subscriptions } = await here.as('hamlet').subscriptions.list();
      const there250 = new Set(subscriptions.map(({ name }) => name));
      assert.deepEqual(
        names.filter((name) => !there250.has(name)),
        ['many 151'],
      );
    });

    test('two processes that create the same channels at once subscribe both users to all of them', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const answers = await Promise.all([
        here.as('hamlet').subscriptions.add({ subscriptions: all }),
        there.as('cordelia').subscriptions.add({ subscriptions: all.toReversed() }),
      ]);
      assert.deepEqual(answers[0].subscribed[here.users.hamlet]?.toSorted(), names.toSorted());
      assert.deepEqual(answers[1].subscribed[here.users.cordelia]?.toSorted(), names.toSorted());
      const channels = await here.storage.read((tx) => tx.channels.byNames(names));
      assert.equal(channels.length, names.length);
      for (const { subscriber_count } of channels) assert.equal(subscriber_count, 2);
    });
  });
}

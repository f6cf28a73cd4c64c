import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { type AnyEvent, inWorlds, listening, refusal } from '../in-worlds.ts';
import { MINUTE, pass, schedule, soon } from './scheduling.ts';

/** The newest messages that a user can read, as Markdown, oldest first. */
async function newest(world: World, user: UserName, num_before = 1): Promise<AnyEvent[]> {
  const { messages } = await world
    .as(user)
    .messages.list({ anchor: 'newest', num_before, num_after: 0, apply_markdown: false });
  return messages;
}

const pending = async (world: World, user: UserName) =>
  (await world.as(user).scheduledMessages.list()).scheduled_messages;

inWorlds('a scheduled channel message is sent at its second, and not before', async (world) => {
  const { users, channels, clock, chat } = world;
  const id = await schedule(world, 'hamlet', { content: 'For @**Cordelia**' });
  const received = await listening(world, ['hamlet', 'cordelia', 'moderator']);
  clock.advance({ seconds: MINUTE - 1 });
  await chat.runDue();
  assert.deepEqual(await received('cordelia'), []);
  clock.advance({ seconds: 1 });
  await chat.runDue();
  const [event, ...more] = (await received('cordelia')).filter(({ type }) => type === 'message');
  assert.deepEqual(more, []);
  assert.deepEqual(event.flags, ['mentioned']);
  const { sender_id, stream_id, subject, timestamp } = event.message;
  assert.deepEqual(
    { sender_id, stream_id, subject, timestamp },
    { sender_id: users.hamlet, stream_id: channels.public, subject: 'ghosts', timestamp: soon(world, 0) },
  );
  const own = (await received('hamlet')).filter(({ type }) => !['muted_topics', 'user_topic'].includes(type));
  assert.deepEqual(own[1], { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id });
  assert.deepEqual(
    [own.length, own[0].type, own[0].flags],
    [2, 'message', []],
    'the message is also unread for its sender',
  );
  assert.deepEqual(await received('moderator'), []);
  assert.deepEqual(await pending(world, 'hamlet'), []);
});

inWorlds('a scheduled direct message is sent to all its recipients, or to the sender alone', async (world) => {
  const { users } = world;
  await schedule(world, 'hamlet', { type: 'direct', to: [users.cordelia, users.moderator], content: 'you two' });
  await schedule(world, 'hamlet', { type: 'direct', to: [users.hamlet], content: 'me' }, MINUTE + 1);
  // One after another, since messages that are due together are sent concurrently.
  await pass(world);
  await pass(world, 1);
  assert.equal((await newest(world, 'moderator'))[0].content, 'you two');
  const [two, me] = await newest(world, 'hamlet', 2);
  assert.deepEqual(
    [two, me].map(({ content, display_recipient }) => [content, display_recipient.length]),
    [
      ['you two', 3],
      ['me', 1],
    ],
  );
});

inWorlds(
  'a scheduled message is read by its sender according to read_by_sender, client and recipient',
  async (world) => {
    const { chat, users } = world;
    const flags = async (client: string, given: object) => {
      await chat.as(users.hamlet, { client }).scheduledMessages.create({
        type: 'channel',
        to: world.channels.public,
        topic: 'ghosts',
        content: client,
        scheduled_delivery_timestamp: soon(world),
        ...given,
      } as Parameters<ReturnType<World['as']>['scheduledMessages']['create']>[0]);
      await pass(world);
      const [sent] = await newest(world, 'hamlet');
      assert.equal(sent.client, client, 'the client that scheduled the message');
      return sent.flags;
    };
    const toMyself = { type: 'direct', to: [users.hamlet] };
    assert.deepEqual(await flags('website', {}), ['read']);
    assert.deepEqual(await flags('ZulipMobile', {}), ['read']);
    assert.deepEqual(await flags('a script', {}), []);
    assert.deepEqual(await flags('website', toMyself), [], 'a message to oneself is unread');
    assert.deepEqual(await flags('website', { ...toMyself, read_by_sender: true }), ['read']);
    assert.deepEqual(await flags('website', { read_by_sender: false }), []);
    assert.deepEqual(await flags('a script', { read_by_sender: true }), ['read']);
  },
);

inWorlds('a scheduled message is rendered again when it is sent', async (world) => {
  await schedule(world, 'hamlet', { content: 'See #**Later**' });
  const { id } = await world.as('owner').channels.create({ name: 'Later', subscribers: [] });
  await pass(world);
  const { messages } = await world.as('hamlet').messages.list({ anchor: 'newest', num_before: 1, num_after: 0 });
  assert.match(messages[0]?.content ?? '', new RegExp(`data-stream-id="${id}"`));
});

interface Failure {
  hinder(world: World): Promise<unknown>;
  says: RegExp;
  wanted?: Parameters<typeof schedule>[2];
  seconds?: number;
}

/** Causes a failure and returns the notice to the sender. */
async function failing(world: World, { hinder, wanted = {}, seconds = MINUTE }: Omit<Failure, 'says'>) {
  const id = await schedule(world, 'hamlet', wanted);
  await hinder(world);
  world.clock.advance({ seconds });
  const received = await listening(world, ['hamlet']);
  await world.chat.runDue();
  const events = (await received('hamlet')).filter(({ type }: AnyEvent) => /^(message|scheduled_messages)$/.test(type));
  return { id, events };
}

const FAILURES: Readonly<Record<string, Failure>> = {
  'the channel has been archived': {
    hinder: ({ as, channels }) => as('owner').channels.archive({ stream_id: channels.public }),
    says: /archived/,
  },
  'the sender may no longer post': {
    hinder: ({ as, channels }) =>
      as('owner').channels.edit({
        stream_id: channels.public,
        can_send_message_group: { new: systemGroupId('role:owners') },
      }),
    says: /not allowed to send/,
  },
  'the channel is now private and the sender is not subscribed': {
    hinder: async ({ as, channels }) => {
      await as('hamlet').subscriptions.remove({ subscriptions: ['Denmark'] });
      await as('owner').channels.edit({ stream_id: channels.public, is_private: true });
    },
    says: /There is no channel/,
  },
  'topics are now required': {
    wanted: { topic: '' },
    hinder: ({ as }) => as('owner').organization.edit({ topics_policy: 'disable_empty_topic' }),
    says: /requires a topic/,
  },
  'the mentioned group may no longer be mentioned': {
    wanted: { content: '@*cooks*' },
    hinder: ({ as, groups }) =>
      as('owner').userGroups.edit({
        user_group_id: groups.cooks,
        can_mention_group: { new: systemGroupId('role:nobody') },
      }),
    says: /mention the group "cooks"/,
  },
  'it is late by ten minutes and a second': {
    hinder: async () => undefined,
    says: /more than 10 minutes ago/,
    seconds: MINUTE + 601,
  },
};

for (const [what, failure] of Object.entries(FAILURES)) {
  inWorlds(`a scheduled message fails when ${what}, and the notification bot says why`, async (world) => {
    const due = soon(world);
    const { id, events } = await failing(world, failure);
    assert.deepEqual(
      events.map(({ type, op }) => op ?? type),
      ['update', 'message'],
    );
    const [{ scheduled_message }, { message }] = events;
    assert.deepEqual([scheduled_message.scheduled_message_id, scheduled_message.failed], [id, true]);
    assert.equal(message.sender_full_name, 'Notification Bot');
    assert.ok(message.content.includes(`<time:${new Date(due * 1000).toISOString().slice(0, 19)}Z>`), message.content);
    assert.match(message.content, /```quote\n/);
    assert.match(message.content, failure.says);
    assert.match(message.content, /\(#scheduled\)/);
    assert.deepEqual(
      (await pending(world, 'hamlet')).map(({ scheduled_message_id, failed }) => [scheduled_message_id, failed]),
      [[id, true]],
    );
    await pass(world, 3600);
    assert.equal((await newest(world, 'hamlet'))[0].id, message.id, 'a failed message is not retried');
  });
}

inWorlds('an internal error in a scheduled message is logged, and the sender gets no details', async (world) => {
  const { storage, users, failures } = world;
  await storage.write((tx) =>
    tx.scheduledMessages.create({
      // Data that the operations would not store.
      sender_id: users.hamlet,
      channel_id: null,
      recipient_ids: 5 as never,
      topic: '',
      client: 'x',
      content: 'x',
      rendered_content: '',
      read_by_sender: false,
      scheduled_delivery_timestamp: soon(world),
    }),
  );
  await schedule(world, 'hamlet', { content: 'its neighbour' });
  await pass(world);
  assert.equal((await newest(world, 'cordelia'))[0].content, 'its neighbour');
  const notices = (await newest(world, 'hamlet', 5)).filter(({ content }) => /was not sent/.test(content));
  assert.deepEqual(
    notices.map(({ content }) => /quote\n(.*)\n/.exec(content)?.[1]),
    ['Internal server error.'],
  );
  assert.equal(failures.splice(0).length, 1);
});

inWorlds('a scheduled message that is ten minutes late is sent', async (world) => {
  await schedule(world, 'hamlet', { content: 'late' });
  await pass(world, MINUTE + 600);
  assert.equal((await newest(world, 'cordelia'))[0].content, 'late');
});

inWorlds(
  'a scheduled message of a deactivated user fails without a notice and is listed after reactivation',
  async (world) => {
    const { as, users, storage } = world;
    const id = await schedule(world, 'hamlet', { content: 'never' });
    await as('owner').users.deactivate({ user_id: users.hamlet });
    const last = await storage.read((tx) => tx.messages.maxId());
    await pass(world);
    assert.equal(await storage.read((tx) => tx.messages.maxId()), last);
    await as('owner').users.reactivate({ user_id: users.hamlet });
    assert.deepEqual(
      (await pending(world, 'hamlet')).map(({ scheduled_message_id, failed }) => [scheduled_message_id, failed]),
      [[id, true]],
    );
  },
);

inWorlds('a scheduled direct message to a deactivated recipient fails', async (world) => {
  const { as, users } = world;
  await schedule(world, 'hamlet', { type: 'direct', to: [users.cordelia, users.moderator] });
  await as('owner').users.deactivate({ user_id: users.moderator });
  await pass(world);
  assert.match((await newest(world, 'hamlet'))[0].content, /deactivated/);
  assert.equal((await pending(world, 'hamlet'))[0]?.failed, true);
});

inWorlds('a scheduled message of a restricted guest to a hidden user fails as to an unknown user', async (world) => {
  const { as, users } = world;
  await schedule(world, 'guest', { type: 'direct', to: [users.administrator] });
  await as('owner').organization.edit({
    can_access_all_users_group: { new: systemGroupId('role:members') },
  });
  await pass(world);
  assert.match(
    (await newest(world, 'guest'))[0].content,
    new RegExp(`There is no user with ID ${users.administrator}`),
  );
});

inWorlds('scheduled messages that fail do not affect others due at the same time', async (world) => {
  const { as, channels } = world;
  for (let n = 0; n < 5; n++) {
    await schedule(world, 'hamlet', { content: `good ${n}`, topic: `t${n}` });
    await schedule(world, 'hamlet', { content: `bad ${n}`, to: channels.default });
    // Refused only after the first write.
    await schedule(world, 'hamlet', { content: `@*cooks* ${n}`, topic: `new ${n}` });
  }
  await as('owner').channels.archive({ stream_id: channels.default });
  await as('owner').userGroups.edit({
    user_group_id: world.groups.cooks,
    can_mention_group: { new: systemGroupId('role:nobody') },
  });
  await pass(world);
  const { messages } = await as('cordelia').messages.list({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [['channel', 'Denmark']],
  });
  const sent = messages.map(({ content }) => content).filter((content) => /good|cooks/.test(content));
  assert.deepEqual(sent.sort(), ['good 0', 'good 1', 'good 2', 'good 3', 'good 4']);
  const left = await pending(world, 'hamlet');
  assert.deepEqual([left.length, left.every(({ failed }) => failed)], [10, true]);
});

inWorlds('a failed scheduled message with a new time is sent at that time', async (world) => {
  const { as, channels } = world;
  const { id } = await failing(world, {
    hinder: () => as('owner').channels.archive({ stream_id: channels.public }),
  });
  assert.deepEqual(await refusal(as('hamlet').scheduledMessages.edit({ scheduled_message_id: id, content: 'x' })), {
    code: 'BAD_REQUEST',
    status: 400,
  });
  await as('owner').channels.edit({ stream_id: channels.public, is_archived: false });
  await as('hamlet').scheduledMessages.edit({
    scheduled_message_id: id,
    scheduled_delivery_timestamp: soon(world, MINUTE),
  });
  await pass(world);
  assert.equal((await newest(world, 'cordelia'))[0].content, 'Boo!');
  assert.deepEqual(await pending(world, 'hamlet'), []);
});

inWorlds('a scheduled message with a later time is sent once, at the new time', async (world) => {
  const id = await schedule(world, 'hamlet', { content: 'once' });
  await world.as('hamlet').scheduledMessages.edit({
    scheduled_message_id: id,
    scheduled_delivery_timestamp: soon(world, 10 * MINUTE),
  });
  const before = (await newest(world, 'cordelia'))[0].id;
  await pass(world, 9 * MINUTE);
  assert.equal((await newest(world, 'cordelia'))[0].id, before);
  await pass(world, MINUTE);
  assert.equal((await newest(world, 'cordelia'))[0].content, 'once');
});

inWorlds('a deleted scheduled message is never sent', async (world) => {
  const scheduled_message_id = await schedule(world, 'hamlet', { content: 'never' });
  await world.as('hamlet').scheduledMessages.delete({ scheduled_message_id });
  const before = (await newest(world, 'cordelia'))[0].id;
  await pass(world, 3600);
  assert.equal((await newest(world, 'cordelia'))[0].id, before);
});

inWorlds('due scheduled messages are sent in the order of their times', async (world) => {
  for (const seconds of [30, 10, 20]) await schedule(world, 'hamlet', { content: `after ${seconds}` }, seconds);
  await pass(world);
  const sent = await newest(world, 'cordelia', 3);
  assert.deepEqual(
    sent.map(({ content }) => content),
    ['after 10', 'after 20', 'after 30'],
  );
});

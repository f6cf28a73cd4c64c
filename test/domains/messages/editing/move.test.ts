import assert from 'node:assert/strict';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { QUIET } from '../changed-messages.ts';
import { followed } from '../follower.ts';
import {
  type AnyEvent,
  BAD_REQUEST,
  inWorlds,
  listening as listeningToAll,
  message,
  refusal,
  say,
} from '../in-worlds.ts';

/** Moves of followed topics have their own tests. */
async function listening(...given: Parameters<typeof listeningToAll>) {
  const heard = await listeningToAll(...given);
  return async (user: Parameters<typeof heard>[0]) =>
    (await heard(user)).filter(({ type }) => !['muted_topics', 'user_topic'].includes(type));
}

const OBSERVERS = ['owner', 'administrator', 'moderator', 'hamlet', 'cordelia', 'guest'] as const;

async function topicOf(world: World, user: UserName, id: number): Promise<string> {
  return (await message(world, user, id)).subject;
}

async function three(world: World, topic = 'acts'): Promise<[number, number, number]> {
  const { public: stream } = world.channels;
  return [
    await say(world, 'hamlet', stream, topic, 'first'),
    await say(world, 'cordelia', stream, topic, 'second'),
    await say(world, 'hamlet', stream, topic, 'third'),
  ];
}

async function messageTexts(world: World, user: UserName, stream: number, topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: stream },
    { operator: 'topic', operand: topic },
  ];
  const { messages } = await world
    .as(user)
    .messages.list({ anchor: 'oldest', num_after: 100, narrow, apply_markdown: false });
  return messages.map(({ content }) => content);
}

inWorlds('change_one moves one message to another topic', async (world) => {
  const { as, channels, clock, users } = world;
  const [one, two, three_] = await three(world);
  clock.advance({ seconds: 5 });
  const heard = await listening(world, ['cordelia']);
  await as('hamlet').messages.edit({ message_id: two, topic: 'scenes', ...QUIET });
  assert.deepEqual(await Promise.all([one, two, three_].map((id) => topicOf(world, 'cordelia', id))), [
    'acts',
    'scenes',
    'acts',
  ]);
  const timestamp = Math.floor(clock.now() / 1000);
  const moved = await message(world, 'cordelia', two);
  assert.equal(moved.last_moved_timestamp, timestamp);
  assert.equal(moved.last_edit_timestamp, undefined);
  assert.deepEqual(await heard('cordelia'), [
    {
      type: 'update_message',
      user_id: users.hamlet,
      rendering_only: false,
      message_id: two,
      message_ids: [two],
      edit_timestamp: timestamp,
      stream_id: channels.public,
      stream_name: 'Denmark',
      orig_subject: 'acts',
      subject: 'scenes',
      topic_links: [],
      propagate_mode: 'change_one',
      flags: [],
    },
  ]);
});

inWorlds('change_later moves the message and those after it', async (world) => {
  const [one, two, last] = await three(world);
  const heard = await listening(world, ['cordelia']);
  await world
    .as('hamlet')
    .messages.edit({ message_id: two, topic: 'scenes', propagate_mode: 'change_later', ...QUIET });
  assert.equal(await topicOf(world, 'cordelia', one), 'acts');
  assert.equal(await topicOf(world, 'cordelia', last), 'scenes');
  assert.deepEqual((await heard('cordelia'))[0].message_ids, [two, last]);
});

inWorlds('change_all moves the whole topic, and the event names every message', async (world) => {
  const ids = await three(world);
  const heard = await listening(world, ['cordelia']);
  await world
    .as('hamlet')
    .messages.edit({ message_id: ids[1], topic: 'scenes', propagate_mode: 'change_all', ...QUIET });
  for (const id of ids) {
    const moved = await message(world, 'cordelia', id);
    assert.equal(moved.subject, 'scenes');
    assert.ok(moved.last_moved_timestamp !== undefined);
  }
  const later = await say(world, 'hamlet', world.channels.public, 'scenes');
  assert.equal((await message(world, 'cordelia', later)).last_moved_timestamp, undefined);
  assert.deepEqual((await heard('cordelia'))[0].message_ids, ids);
});

inWorlds('the event of a topic move lists the messages moved then, even after later moves', async (world) => {
  const { as } = world;
  const [one, two, last] = await three(world);
  const heard = await listening(world, ['cordelia']);
  const edit = (message_id: number, topic: string, propagate_mode: 'change_one' | 'change_all') =>
    as('hamlet').messages.edit({ message_id, topic, propagate_mode, ...QUIET });
  await edit(one, 'scenes', 'change_all');
  await edit(two, 'elsewhere', 'change_one');
  const stranger = await say(world, 'cordelia', world.channels.public, 'strange');
  await edit(stranger, 'scenes', 'change_one');
  await edit(last, 'finale', 'change_all');
  await edit(two, 'finale', 'change_one');
  const events = (await heard('cordelia')).filter((event: AnyEvent) => event.type === 'update_message');
  assert.deepEqual(
    events.map((event: AnyEvent) => event.message_ids),
    [[one, two, last], [two], [stranger], [one, last, stranger], [two]],
  );
});

inWorlds('moving a whole topic takes the same number of statements, however long it is', async (world) => {
  const counts = [];
  for (const length of [2, 40]) {
    let last = 0;
    for (let n = 0; n < length; n++) last = await say(world, 'hamlet', world.channels.public, `topic ${length}`);
    const rows = await rowsAbout(world);
    await world
      .as('hamlet')
      .messages.edit({ message_id: last, topic: `moved ${length}`, propagate_mode: 'change_all', ...QUIET });
    counts.push((await rowsAbout(world)) - rows);
  }
  assert.deepEqual(counts, [1, 1]);
});

/** Number of stored read ranges and of edits of all messages. */
async function rowsAbout(world: World): Promise<number> {
  return world.storage.read(async (tx) => {
    const ids = await tx.messages.fetchIds(
      { viewer: world.users.hamlet, channels: [world.channels.public] },
      0,
      'after',
      1_000,
    );
    const edits = new Set<number>();
    for (const found of (await tx.edits.ofMessages(await tx.messages.byIds(ids))).values())
      for (const { id } of found) edits.add(id);
    return edits.size;
  });
}

inWorlds('a topic moved into another one joins it, and its name can be used again', async (world) => {
  const { as, channels } = world;
  const [one] = await three(world);
  await say(world, 'hamlet', channels.public, 'scenes', 'was here');
  await as('hamlet').messages.edit({ message_id: one, topic: 'scenes', propagate_mode: 'change_all', ...QUIET });
  assert.deepEqual(await messageTexts(world, 'cordelia', channels.public, 'scenes'), [
    'first',
    'second',
    'third',
    'was here',
  ]);
  await say(world, 'hamlet', channels.public, 'acts', 'anew');
  assert.deepEqual(await messageTexts(world, 'cordelia', channels.public, 'acts'), ['anew']);
});

inWorlds('a change of case alone renames the topic for all its messages', async (world) => {
  const [one, two] = await three(world);
  const heard = await listening(world, ['hamlet']);
  await world.as('hamlet').messages.edit({ message_id: one, topic: 'ACTS' });
  assert.equal(await topicOf(world, 'hamlet', two), 'ACTS');
  const [renamed, notice] = await heard('hamlet');
  assert.equal(renamed.message_ids.length, 3);
  assert.match(notice.message.content, /moved .* here from/);
});

inWorlds('messages move to another channel, and the event names it', async (world) => {
  const { as, channels } = world;
  const [one, two, last] = await three(world);
  const heard = await listening(world, ['hamlet', 'cordelia', 'guest']);
  await as('hamlet').messages.edit({
    message_id: two,
    stream_id: channels.default,
    propagate_mode: 'change_later',
    ...QUIET,
  });
  const moved = await message(world, 'hamlet', last);
  assert.deepEqual([moved.stream_id, moved.subject, moved.display_recipient], [channels.default, 'acts', 'Square']);
  assert.equal((await message(world, 'hamlet', one)).stream_id, channels.public);
  const [event] = (await heard('hamlet')).filter(({ type }: AnyEvent) => type === 'update_message');
  assert.deepEqual(
    [event.stream_id, event.new_stream_id, event.orig_subject],
    [channels.public, channels.default, 'acts'],
  );
  assert.ok(!('subject' in event));
  assert.deepEqual(
    (await heard('guest')).filter(({ type }: AnyEvent) => type === 'update_message'),
    [],
  );
});

inWorlds('messages moved to another channel become read for users without a subscription there', async (world) => {
  const { as, channels } = world;
  const [one, two, last] = await three(world);
  const heard = await listening(world, ['cordelia']);
  await as('hamlet').messages.edit({
    message_id: one,
    stream_id: channels.default,
    propagate_mode: 'change_all',
    ...QUIET,
  });
  const events = await heard('cordelia');
  assert.deepEqual(
    events.map(({ type, message_ids, flags }) => [type, message_ids, flags]),
    [['update_message', [one, two, last], ['read']]],
  );
  for (const id of [one, two, last]) assert.ok((await message(world, 'cordelia', id)).flags?.includes('read'));
});

inWorlds(
  'users who cannot see the new channel get delete events of moved messages and lose their stars',
  async (world) => {
    const { as, channels } = world;
    const ids = await three(world);
    await as('cordelia').messages.updateFlags({ messages: [ids[0]], op: 'add', flag: 'starred' });
    const heard = await listening(world, ['cordelia', 'hamlet', 'moderator']);
    await as('hamlet').messages.edit({
      message_id: ids[0],
      stream_id: channels.shared,
      propagate_mode: 'change_all',
      ...QUIET,
    });
    assert.deepEqual(await heard('cordelia'), [
      { type: 'delete_message', message_ids: ids, message_type: 'stream', stream_id: channels.public, topic: 'acts' },
    ]);
    assert.deepEqual(
      (await heard('hamlet')).map(({ type }) => type),
      ['update_message'],
    );
    assert.deepEqual(
      (await heard('moderator')).map(({ type }) => type),
      ['update_message'],
    );
    assert.deepEqual(await refusal(as('cordelia').messages.get({ message_id: ids[0] })), BAD_REQUEST);
    const { starred_messages } = (await as('cordelia').register({
      fetch_event_types: ['starred_messages'],
    })) as AnyEvent;
    assert.deepEqual(starred_messages, []);
  },
);

inWorlds('a move out of sight sends clients without bulk_message_deletion one event per message', async (world) => {
  const ids = await three(world);
  const heard = await listening(world, ['cordelia'], {});
  const { shared } = world.channels;
  await world
    .as('hamlet')
    .messages.edit({ message_id: ids[0], stream_id: shared, propagate_mode: 'change_all', ...QUIET });
  assert.deepEqual(
    (await heard('cordelia')).map(({ message_id }) => message_id),
    ids,
  );
});

inWorlds('messages moved to protected history are visible only to subscribers of their time', async (world) => {
  const { as, channels, users } = world;
  const before = await say(world, 'cordelia', channels.public, 'acts', 'early');
  await as('cordelia').subscriptions.add({
    subscriptions: [{ name: 'Vault' }],
    principals: [users.hamlet],
    send_new_subscription_messages: false,
  });
  const after = await say(world, 'cordelia', channels.public, 'acts', 'late');
  const heard = await listening(world, ['hamlet']);
  await as('cordelia').messages.edit({
    message_id: before,
    stream_id: channels.protected,
    propagate_mode: 'change_all',
    ...QUIET,
  });
  assert.deepEqual(await refusal(as('hamlet').messages.get({ message_id: before })), BAD_REQUEST);
  assert.equal((await message(world, 'hamlet', after)).stream_id, channels.protected);
  const events = await heard('hamlet');
  assert.deepEqual(
    events.map(({ type, message_ids }) => [type, message_ids]),
    [
      ['delete_message', [before]],
      ['update_message', [before, after]],
    ],
  );
});

inWorlds('a move in protected history takes only messages that the user received', async (world) => {
  const { as, channels, users } = world;
  const before = await say(world, 'cordelia', channels.protected, 'acts', 'early');
  await as('cordelia').subscriptions.add({
    subscriptions: [{ name: 'Vault' }],
    principals: [users.hamlet],
    send_new_subscription_messages: false,
  });
  const after = [
    await say(world, 'cordelia', channels.protected, 'acts', 'late'),
    await say(world, 'hamlet', channels.protected, 'acts', 'later'),
  ];
  const heard = await listening(world, ['cordelia']);
  await as('hamlet').messages.edit({
    message_id: after[1] as number,
    topic: 'scenes',
    propagate_mode: 'change_all',
    ...QUIET,
  });
  assert.equal(await topicOf(world, 'cordelia', before), 'acts');
  for (const id of after) assert.equal(await topicOf(world, 'cordelia', id), 'scenes');
  assert.deepEqual(
    (await heard('cordelia')).map(({ type, message_ids }) => [type, message_ids]),
    [['update_message', after]],
  );
});

inWorlds('the notification bot posts in the new topic, and in the old one on request', async (world) => {
  const { as, channels, users } = world;
  const [one, two] = await three(world);
  await as('hamlet').messages.edit({ message_id: two, topic: 'scenes', send_notification_to_old_thread: true });
  const who = `@_**Hamlet|${users.hamlet}**`;
  assert.deepEqual(await messageTexts(world, 'cordelia', channels.public, 'scenes'), [
    'second',
    `${who} moved a message here from #**Denmark>acts**.`,
  ]);
  assert.equal(
    (await messageTexts(world, 'cordelia', channels.public, 'acts')).at(-1),
    `${who} moved a message from here to #**Denmark>scenes**.`,
  );
  await as('hamlet').messages.edit({ message_id: one, topic: 'finale', propagate_mode: 'change_all' });
  assert.equal(
    (await messageTexts(world, 'cordelia', channels.public, 'finale')).at(-1),
    `${who} moved this topic here from #**Denmark>acts**.`,
  );
});

inWorlds('resolving a topic needs its own permission, has no time limit and is announced', async (world) => {
  const { as, channels, clock, users } = world;
  const [one] = await three(world);
  clock.advance({ days: 30 });
  await world.settings({ can_move_messages_between_topics_group: 1 });
  const edit = (topic: string) => as('hamlet').messages.edit({ message_id: one, topic, propagate_mode: 'change_all' });
  assert.deepEqual(await refusal(edit('scenes')), BAD_REQUEST);
  await edit('✔ acts');
  assert.deepEqual(
    (await messageTexts(world, 'cordelia', channels.public, '✔ acts')).at(-1),
    `@_**Hamlet|${users.hamlet}** marked this topic as resolved.`,
  );
  await world.settings({ can_resolve_topics_group: 1 });
  assert.deepEqual(await refusal(edit('acts')), BAD_REQUEST);
});

inWorlds(
  'a topic that is renamed and unresolved at once gets both notices, and a change of case gets one',
  async (world) => {
    const { as, channels, users } = world;
    const [one] = await three(world);
    const rename = (topic: string) =>
      as('hamlet').messages.edit({ message_id: one, topic, propagate_mode: 'change_all' });
    const notices = async (topic: string) => (await messageTexts(world, 'cordelia', channels.public, topic)).slice(3);
    const who = `@_**Hamlet|${users.hamlet}**`;
    await rename('✔ acts');
    await rename('delta');
    assert.deepEqual(await notices('delta'), [
      `${who} marked this topic as resolved.`,
      `${who} marked this topic as unresolved.`,
      `${who} moved this topic here from #**Denmark>✔ acts**.`,
    ]);
    await rename('Delta');
    assert.equal((await notices('Delta')).at(-1), `${who} moved this topic here from #**Denmark>delta**.`);
  },
);

inWorlds('moving a message needs a permission of the organization or of the channel', async (world) => {
  const { as, channels } = world;
  const [one] = await three(world);
  const roleNobody = 1;
  await world.settings({
    can_move_messages_between_topics_group: roleNobody,
    can_move_messages_between_channels_group: roleNobody,
  });
  const retopic = () => as('hamlet').messages.edit({ message_id: one, topic: 'scenes', ...QUIET });
  const rechannel = () => as('hamlet').messages.edit({ message_id: one, stream_id: channels.default, ...QUIET });
  assert.deepEqual(await refusal(retopic()), BAD_REQUEST);
  assert.deepEqual(await refusal(rechannel()), BAD_REQUEST);
  const mine = { direct_members: [world.users.hamlet], direct_subgroups: [] };
  await world.storage.write((tx) =>
    tx.channels
      .update(channels.public, {
        settings: { can_move_messages_within_channel_group: mine, can_move_messages_out_of_channel_group: mine },
      })
      .then(() => undefined),
  );
  await retopic();
  await rechannel();
});

inWorlds(
  'the permission of a channel for moves within it does not allow moves out of it, nor the reverse',
  async (world) => {
    const { as, channels } = world;
    const [one] = await three(world);
    await world.settings({ can_move_messages_between_topics_group: 1, can_move_messages_between_channels_group: 1 });
    const retopic = () => as('hamlet').messages.edit({ message_id: one, topic: 'scenes', ...QUIET });
    const rechannel = () => as('hamlet').messages.edit({ message_id: one, stream_id: channels.default, ...QUIET });
    const mine = { direct_members: [world.users.hamlet], direct_subgroups: [] };
    const grant = (settings: Record<string, typeof mine>) =>
      world.storage.write((tx) => tx.channels.update(channels.public, { settings }).then(() => undefined));
    await grant({ can_move_messages_out_of_channel_group: mine });
    assert.deepEqual(await refusal(retopic()), BAD_REQUEST);
    await grant({ can_move_messages_within_channel_group: mine });
    assert.deepEqual(await refusal(rechannel()), BAD_REQUEST);
    await retopic();
    await grant({ can_move_messages_out_of_channel_group: mine });
    await rechannel();
  },
);

inWorlds('moving a message to a channel the user cannot read or post in is refused', async (world) => {
  const { as, channels } = world;
  const [one] = await three(world);
  const to = (stream_id: number) => refusal(as('hamlet').messages.edit({ message_id: one, stream_id }));
  assert.deepEqual(await to(channels.protected), BAD_REQUEST);
  assert.deepEqual(await to(channels.archived), BAD_REQUEST);
  assert.deepEqual(await to(999), BAD_REQUEST);
  await world.storage.write((tx) =>
    tx.channels.update(channels.default, { settings: { can_send_message_group: 1 } }).then(() => undefined),
  );
  assert.deepEqual(await to(channels.default), BAD_REQUEST);
});

inWorlds('a member cannot move messages older than a week, a moderator can', async (world) => {
  const { as, channels, clock } = world;
  const [one] = await three(world);
  clock.advance({ days: 4 });
  const young = await say(world, 'hamlet', channels.public, 'acts', 'fourth');
  clock.advance({ days: 4 });
  const move = (
    message_id: number,
    propagate_mode: 'change_one' | 'change_later' | 'change_all',
    user: UserName = 'hamlet',
  ) => as(user).messages.edit({ message_id, topic: 'scenes', propagate_mode, ...QUIET });
  assert.deepEqual(await refusal(move(one, 'change_one')), BAD_REQUEST);
  assert.deepEqual(await refusal(move(one, 'change_later')), BAD_REQUEST);
  assert.deepEqual(await refusal(move(young, 'change_all')), {
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    status: 400,
    first_message_id_allowed_to_move: young,
    total_messages_in_topic: 4,
    total_messages_allowed_to_move: 1,
  });
  await move(young, 'change_later');
  await move(one, 'change_all', 'moderator');
});

inWorlds(
  'moving to the display name or "(no topic)" moves to the empty topic, if the policy allows it',
  async (world) => {
    const { as, channels } = world;
    const [one, two] = await three(world);
    await as('hamlet').messages.edit({ message_id: one, topic: '(no topic)', ...QUIET });
    assert.equal(await topicOf(world, 'hamlet', one), '');
    const heard = await listening(world, ['cordelia'], {});
    await as('hamlet').messages.edit({ message_id: two, topic: ' general chat ', ...QUIET });
    const [event] = await heard('cordelia');
    assert.equal(event.subject, 'general chat');
    await world.storage.write((tx) =>
      tx.channels.update(channels.public, { topics_policy: 'disable_empty_topic' }).then(() => undefined),
    );
    const third = await say(world, 'hamlet', channels.public, 'acts');
    assert.deepEqual(await refusal(as('hamlet').messages.edit({ message_id: third, topic: '' })), BAD_REQUEST);
  },
);

inWorlds('moving to a topic that is too long cuts it to 60 code points', async (world) => {
  const [one] = await three(world);
  await world.as('hamlet').messages.edit({ message_id: one, topic: '🎭'.repeat(61), truncate: true, ...QUIET });
  const topic = await topicOf(world, 'hamlet', one);
  assert.equal([...topic].length, 60);
  assert.match(topic, /\.\.\.$/);
});

inWorlds('the events of moves give a client the same state as a new register', async (world) => {
  const { as, channels } = world;
  const [one, two, last] = await three(world);
  const edit = (message_id: number, params: object, user: UserName = 'hamlet') =>
    as(user).messages.edit({ message_id, propagate_mode: 'change_one', ...params });
  await followed(world, OBSERVERS, async () => {
    await as('cordelia').messages.updateFlags({ messages: [one, last], op: 'add', flag: 'starred' });
    await as('administrator').messages.updateFlags({ messages: [one], op: 'add', flag: 'read' });
    await edit(two, { topic: 'scenes' });
    await edit(one, { topic: 'scenes', propagate_mode: 'change_all' });
    await edit(two, { topic: 'finale', propagate_mode: 'change_all', content: 'not mine' }, 'cordelia');
    await edit(last, { stream_id: channels.default, topic: 'feast' });
    await edit(one, { stream_id: channels.shared, propagate_mode: 'change_later' });
    await edit(last, { stream_id: channels.webPublic, propagate_mode: 'change_all' });
    await as('hamlet').messages.delete({ message_id: last });
  });
});

inWorlds('the messages of a topic move are read once for all recipients of its event', async (world) => {
  const ids = await three(world);
  // Users without a setting for the topic get only this event.
  const heard = await listening(world, ['administrator', 'cordelia']);
  await world
    .as('hamlet')
    .messages.edit({ message_id: ids[0], topic: 'scenes', propagate_mode: 'change_all', ...QUIET });
  const storage = world.storage as unknown as { statements: number };
  const asked = async (user: UserName) => {
    const before = storage.statements;
    const [event] = await heard(user);
    return { event, statements: storage.statements - before };
  };
  const [first, second] = [await asked('administrator'), await asked('cordelia')];
  assert.deepEqual(second.event.message_ids, ids);
  assert.equal(second.statements, first.statements - 1);
  assert.notEqual(second.event.message_ids, first.event.message_ids, 'each recipient has its own list');
});

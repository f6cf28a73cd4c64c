import assert from 'node:assert/strict';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { type AnyEvent, inWorlds, listening, refusal } from '../in-worlds.ts';
import { MINUTE, pass, soon } from '../scheduled-messages/scheduling.ts';
import { remind } from './reminding.ts';

const GONE = 'You set a reminder for a message that was deleted, or that you can no longer read.';

/** The newest message that a user can read, as Markdown. */
async function newest(world: World, user: UserName): Promise<AnyEvent> {
  const { messages } = await world
    .as(user)
    .messages.list({ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false });
  return messages[0];
}

const pending = async (world: World, user: UserName) => (await world.as(user).reminders.list()).reminders;

const lastId = ({ storage }: World) => storage.read((tx) => tx.messages.maxId());

inWorlds('a reminder comes from the notification bot at its second, and quotes the message', async (world) => {
  const { messages, users, clock, chat } = world;
  const reminder_id = await remind(world, 'hamlet', messages.ghostReply, 'Answer **this**');
  clock.advance({ seconds: MINUTE - 1 });
  const received = await listening(world, ['hamlet', 'cordelia', 'owner']);
  await chat.runDue();
  assert.deepEqual(await received('hamlet'), []);
  clock.advance({ seconds: 1 });
  await chat.runDue();
  const [{ message, flags }, removal, ...more] = await received('hamlet');
  assert.deepEqual([removal, more], [{ type: 'reminders', op: 'remove', reminder_id }, []]);
  assert.deepEqual(
    [message.sender_full_name, message.type, message.timestamp, flags],
    ['Notification Bot', 'private', soon(world, 0), []],
  );
  assert.equal(
    (await newest(world, 'hamlet')).content,
    [
      `You set a reminder for #**Denmark>ghosts@${messages.ghostReply}**. Your note:`,
      ...['```quote', 'Answer **this**', '```', ''],
      `@_**Cordelia|${users.cordelia}** said:`,
      ...['```quote', 'Who is there?', '```'],
    ].join('\n'),
  );
  for (const user of ['cordelia', 'owner'] as const) assert.deepEqual(await received(user), []);
  assert.deepEqual(await pending(world, 'hamlet'), []);
});

inWorlds('a reminder quotes the present content and links to the present topic of its message', async (world) => {
  const { as, messages } = world;
  await remind(world, 'cordelia', messages.ghost);
  await as('owner').organization.edit({ message_content_edit_limit_seconds: 'unlimited' });
  await as('hamlet').messages.edit({ message_id: messages.ghost, content: 'All is well.' });
  await as('owner').messages.edit({ message_id: messages.ghost, topic: 'spirits', propagate_mode: 'change_all' });
  await pass(world);
  const { content } = await newest(world, 'cordelia');
  assert.match(content, /#\*\*Denmark>spirits@/);
  assert.match(content, /quote\nAll is well\.\n/);
  assert.doesNotMatch(content, /rotten/);
});

const HIDDEN: Readonly<Record<string, { user: UserName; of: keyof World['messages']; hide(world: World): unknown }>> = {
  'was deleted': {
    user: 'cordelia',
    of: 'ghost',
    hide: ({ as, messages }) => as('owner').messages.delete({ message_id: messages.ghost }),
  },
  'is in a private channel the user left': {
    user: 'hamlet',
    of: 'council',
    hide: ({ as }) => as('hamlet').subscriptions.remove({ subscriptions: ['Council'] }),
  },
  'is in a private channel the user was removed from': {
    user: 'guest',
    of: 'vaultAfter',
    hide: ({ as, users }) => as('owner').subscriptions.remove({ subscriptions: ['Vault'], principals: [users.guest] }),
  },
  'was moved to a channel the user cannot read': {
    user: 'cordelia',
    of: 'ghost',
    hide: async ({ as, channels, messages }) => {
      await as('owner').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
      await as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Council' }], principals: ['owner@example.com'] });
      await as('owner').messages.edit({ message_id: messages.ghost, stream_id: channels.shared });
    },
  },
};

for (const [what, { user, of, hide }] of Object.entries(HIDDEN)) {
  inWorlds(`a reminder does not quote a message that ${what}`, async (world) => {
    await remind(world, user, world.messages[of], 'why');
    await hide(world);
    const received = await listening(world, [user]);
    await pass(world);
    const events = (await received(user)).filter(({ type }) => type === 'message' || type === 'reminders');
    assert.deepEqual(
      events.map(({ type, op }) => op ?? type),
      ['message', 'remove'],
    );
    assert.equal((await newest(world, user)).content, `${GONE} Your note:\n\`\`\`quote\nwhy\n\`\`\``);
    assert.deepEqual(await pending(world, user), []);
  });
}

inWorlds('a reminder is sent however late it is', async (world) => {
  const { clock } = world;
  await remind(world, 'hamlet', world.messages.direct);
  clock.advance({ days: 40 });
  await world.chat.runDue();
  assert.match((await newest(world, 'hamlet')).content, /Are you there\?/);
  assert.deepEqual(await pending(world, 'hamlet'), []);
});

inWorlds('the quotation of a reminder is cut to the message limit, whatever its fences', async (world) => {
  const { as, channels } = world;
  for (const content of ['x'.repeat(10_000), '`'.repeat(10_000), '🐙'.repeat(10_000)]) {
    const { id } = await as('hamlet').messages.send({ type: 'channel', to: channels.public, topic: 'long', content });
    await remind(world, 'cordelia', id, 'y'.repeat(500));
    await pass(world);
    const sent = (await newest(world, 'cordelia')).content as string;
    assert.ok([...sent].length <= 10_000, `${[...sent].length} characters`);
    assert.match(sent, /\[message truncated\]\n`+$/);
    assert.ok(sent.includes(content.slice(0, 2_500)), 'the quotation is cut at the limit');
  }
});

inWorlds('a reminder of a deactivated user fails and is listed after reactivation', async (world) => {
  const { as, users } = world;
  const id = await remind(world, 'hamlet', world.messages.ghost);
  await as('owner').users.deactivate({ user_id: users.hamlet });
  const last = await lastId(world);
  await pass(world);
  assert.equal(await lastId(world), last);
  await as('owner').users.reactivate({ user_id: users.hamlet });
  await pass(world, 3_600);
  assert.equal(await lastId(world), last, 'a failed reminder is not retried');
  assert.deepEqual(
    (await pending(world, 'hamlet')).map(({ reminder_id, failed }) => [reminder_id, failed]),
    [[id, true]],
  );
  await as('hamlet').reminders.delete({ reminder_id: id });
  assert.deepEqual(await pending(world, 'hamlet'), []);
});

inWorlds('a bot gets its reminders until it is deactivated with its owner', async (world) => {
  const { as, users, messages } = world;
  await as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Denmark' }], principals: [users.bot] });
  await remind(world, 'bot', messages.ghost);
  await pass(world);
  assert.match((await newest(world, 'bot')).content, /rotten/);
  await remind(world, 'bot', messages.ghostReply);
  await as('owner').users.deactivate({ user_id: users.hamlet });
  const last = await lastId(world);
  await pass(world);
  assert.equal(await lastId(world), last);
});

inWorlds('an incoming-webhook bot cannot create reminders, and a stored one fails', async (world) => {
  const { storage, users, messages } = world;
  assert.equal((await refusal(remind(world, 'webhook', messages.ghost))).code, 'UNAUTHORIZED');
  // Stored without the operation.
  const id = await storage.write((tx) =>
    tx.reminders.create({
      user_id: users.webhook,
      message_id: messages.ghost,
      note: '',
      content: 'x',
      rendered_content: '',
      scheduled_delivery_timestamp: soon(world),
    }),
  );
  const last = await lastId(world);
  await pass(world);
  assert.equal(await lastId(world), last);
  assert.match((await storage.read((tx) => tx.reminders.byId(id)))?.failure ?? '', /only send messages/);
});

inWorlds('an internal error in a reminder is logged, and clients get the event of the failure', async (world) => {
  const { storage, failures } = world;
  const bot = await storage.read((tx) => tx.users.byEmail('notification-bot@zulip.com'));
  const id = await remind(world, 'hamlet', world.messages.ghost);
  await storage.write((tx) => tx.users.update(bot?.id ?? 0, { delivery_email: 'nobody@example.com' }));
  const received = await listening(world, ['hamlet']);
  await pass(world);
  const [removed, added, ...more] = await received('hamlet');
  assert.deepEqual([removed, more], [{ type: 'reminders', op: 'remove', reminder_id: id }, []]);
  assert.deepEqual(
    added.reminders.map(({ reminder_id, failed }: AnyEvent) => [reminder_id, failed]),
    [[id, true]],
  );
  assert.deepEqual(added.reminders, await pending(world, 'hamlet'));
  assert.equal(failures.splice(0).length, 1);
});

inWorlds('a deleted reminder is never sent', async (world) => {
  const reminder_id = await remind(world, 'hamlet', world.messages.ghost);
  await world.as('hamlet').reminders.delete({ reminder_id });
  const last = await lastId(world);
  await pass(world, 3_600);
  assert.equal(await lastId(world), last);
});

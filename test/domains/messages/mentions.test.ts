import assert from 'node:assert/strict';
import type { UserName } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';
import { type AnyEvent, BAD_REQUEST, inWorlds, listening, message, refusal, say } from './in-worlds.ts';

const post = (world: World, content: string, user: UserName = 'hamlet') =>
  say(world, user, world.channels.public, 'acts', content);

const mention = (id: number, name: string) => `<span class="user-mention" data-user-id="${id}">@${name}</span>`;

const flagsIn = (events: AnyEvent[]) => events.filter(({ type }) => type === 'message').map(({ flags }) => flags);

async function mentionsOf(world: World, user: UserName): Promise<number[]> {
  const { unread_msgs } = await world.as(user).register({ fetch_event_types: ['message', 'update_message_flags'] });
  return (unread_msgs as { mentions: number[] }).mentions;
}

/** Subscribes `count` more members to the public channel and returns them. */
async function crowd({ as, channels }: World, size: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < size; n++) {
    const made = await as('owner').users.create({ email: `extra${n}@example.com`, full_name: `Extra ${n}` });
    ids.push(made.user_id);
  }
  const { name } = (await as('owner').channels.get({ stream_id: channels.public })).stream;
  await as('hamlet').subscriptions.add({ subscriptions: [{ name }], principals: ids });
  return ids;
}

inWorlds('a mentioned user gets the mentioned flag in the event, on the message and in register', async (world) => {
  const { users } = world;
  const heard = await listening(world, ['hamlet', 'cordelia', 'administrator']);
  const id = await post(world, 'Where is @**cordelia**?');
  assert.deepEqual(flagsIn(await heard('cordelia')), [['mentioned']]);
  assert.deepEqual(flagsIn(await heard('administrator')), [[]]);
  const found = await message(world, 'cordelia', id);
  assert.equal(found.content, `<p>Where is ${mention(users.cordelia, 'Cordelia')}?</p>`);
  assert.deepEqual(found.flags, ['mentioned']);
  assert.deepEqual((await message(world, 'administrator', id)).flags, []);
  assert.deepEqual(await mentionsOf(world, 'cordelia'), [id]);
  assert.deepEqual(await mentionsOf(world, 'administrator'), []);
});

inWorlds('a user who mentions themselves gets the read and mentioned flags', async (world) => {
  const heard = await listening(world, ['hamlet']);
  const { id } = await world.as('hamlet').messages.send({
    type: 'channel',
    to: world.channels.public,
    topic: 'acts',
    content: '@**Hamlet**',
    read_by_sender: true,
  });
  assert.deepEqual(flagsIn(await heard('hamlet')), [['read', 'mentioned']]);
  assert.deepEqual((await message(world, 'hamlet', id)).flags, ['read', 'mentioned']);
});

inWorlds('mentions that are silent, quoted or in code set no flag', async (world) => {
  const id = await post(world, '@_**Cordelia** and `@**Cordelia**`\n\n> @**Cordelia**');
  assert.deepEqual((await message(world, 'cordelia', id)).flags, []);
  assert.match((await message(world, 'cordelia', id)).content, /class="user-mention silent"/);
});

inWorlds('a mention with an ID names one of several users with the same name', async (world) => {
  const { as, users } = world;
  const second = (await as('owner').users.create({ email: 'second@example.com', full_name: 'Cordelia' })).user_id;
  const byName = await post(world, '@**Cordelia**');
  const byId = await post(world, `@**Cordelia|${second}** @**|${users.cordelia}** @**Hamlet|${users.cordelia}**`);
  assert.equal((await message(world, 'hamlet', byName)).content, `<p>${mention(users.cordelia, 'Cordelia')}</p>`);
  const { content } = await message(world, 'hamlet', byId);
  assert.ok(content.includes(`${mention(second, 'Cordelia')} ${mention(users.cordelia, 'Cordelia')} @`));
});

inWorlds('a mention finds a non-ASCII name whatever its case', async (world) => {
  const { user_id } = await world.as('owner').users.create({ email: 'o@example.com', full_name: 'Örsted Ø' });
  const id = await post(world, '@**öRSTED ø**');
  assert.equal((await message(world, 'hamlet', id)).content, `<p>${mention(user_id, 'Örsted Ø')}</p>`);
});

inWorlds('mentioned users who do not receive the message get no flag', async (world) => {
  const { users, storage, as } = world;
  const id = await post(world, '@**Mona Moderator** @**Cordelia**');
  const direct = await as('hamlet').messages.send({
    type: 'direct',
    to: [users.moderator],
    content: '@**Cordelia** @**all**',
  });
  const flags = (user: number, of: number) =>
    storage.read(async (tx) => (await tx.readState.flagsOf(user, [of])).get(of));
  assert.ok(!(await flags(users.moderator, id))?.includes('mentioned'));
  assert.ok(!(await flags(users.cordelia, direct.id))?.includes('mentioned'));
  assert.deepEqual(await flags(users.moderator, direct.id), ['wildcard_mentioned', 'stream_wildcard_mentioned']);
  assert.deepEqual(await mentionsOf(world, 'moderator'), [direct.id]);
});

inWorlds('a group mention flags members of the group and its subgroups', async (world) => {
  const { groups } = world;
  const heard = await listening(world, ['hamlet', 'cordelia', 'administrator']);
  const id = await post(world, '@*Kitchen* @_*cooks* @*disbanded*', 'administrator');
  assert.deepEqual(flagsIn(await heard('hamlet')), [['mentioned']]);
  assert.deepEqual(flagsIn(await heard('cordelia')), [['mentioned']]);
  assert.equal(
    (await message(world, 'cordelia', id)).content,
    [
      `<p><span class="user-group-mention" data-user-group-id="${groups.kitchen}">@kitchen</span>`,
      `<span class="user-group-mention silent" data-user-group-id="${groups.cooks}">cooks</span>`,
      `<span class="user-group-mention silent" data-user-group-id="${groups.disbanded}">disbanded</span></p>`,
    ].join(' '),
  );
});

inWorlds('a mention of a system group is refused unless silent', async (world) => {
  assert.deepEqual(await refusal(post(world, 'Hear, @*role:members*!')), BAD_REQUEST);
  assert.deepEqual(await refusal(post(world, 'Hear, @*role:members*!', 'owner')), BAD_REQUEST);
  const id = await post(world, 'Hear, @_*role:members*!');
  assert.match((await message(world, 'hamlet', id)).content, />Members<\/span>!/);
  assert.deepEqual(
    await refusal(world.as('hamlet').messages.edit({ message_id: id, content: '@*role:members*' })),
    BAD_REQUEST,
  );
});

const FOR_ALL = ['wildcard_mentioned', 'stream_wildcard_mentioned'];

inWorlds('any user may use a wildcard mention in a small channel', async (world) => {
  const heard = await listening(world, ['hamlet', 'cordelia']);
  const id = await post(world, '@**all** and @**Cordelia**');
  assert.deepEqual(flagsIn(await heard('cordelia')), [['mentioned', ...FOR_ALL]]);
  assert.deepEqual((await message(world, 'cordelia', id)).flags, ['mentioned', ...FOR_ALL]);
  assert.deepEqual((await message(world, 'administrator', id)).flags, FOR_ALL);
  assert.deepEqual((await message(world, 'moderator', id)).flags?.includes('wildcard_mentioned'), false);
  assert.deepEqual(await mentionsOf(world, 'administrator'), [id]);
});

inWorlds('a wildcard mention in a channel with many subscribers needs a permission', async (world) => {
  const { as } = world;
  await crowd(world, 13);
  const forbidden = { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED', status: 400 };
  for (const name of ['all', 'everyone', 'channel', 'stream']) {
    assert.deepEqual(await refusal(post(world, `@**${name}**`)), forbidden);
  }
  await post(world, '@_**all**');
  await post(world, '@**topic**');
  const id = await post(world, 'word');
  assert.deepEqual(await refusal(as('hamlet').messages.edit({ message_id: id, content: '@**all**' })), forbidden);
  await post(world, '@**all**', 'administrator');
});

inWorlds('a topic mention flags users who wrote or reacted there, and needs a permission for many', async (world) => {
  const { as, chat, channels } = world;
  const first = await post(world, 'word', 'cordelia');
  const heard = await listening(world, ['cordelia', 'administrator']);
  const id = await post(world, '@**topic**');
  assert.deepEqual(flagsIn(await heard('cordelia')), [['wildcard_mentioned', 'topic_wildcard_mentioned']]);
  assert.deepEqual(flagsIn(await heard('administrator')), [[]]);
  assert.deepEqual((await message(world, 'hamlet', id)).flags?.includes('wildcard_mentioned'), true);
  for (const extra of await crowd(world, 14)) {
    await chat.as(extra).messages.addReaction({ message_id: first, emoji_name: 'tada' });
  }
  const forbidden = { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED', status: 400 };
  assert.deepEqual(await refusal(post(world, '@**topic**')), forbidden);
  await say(world, 'hamlet', channels.public, 'another', '@**topic**');
  await as('owner').messages.send({ type: 'channel', to: channels.public, topic: 'acts', content: '@**topic**' });
});

inWorlds('(H1) an edit replaces the flags of a mention of the topic with those of a mention of all', async (world) => {
  await post(world, 'word', 'cordelia');
  const id = await post(world, '@**topic**');
  await world.as('hamlet').messages.edit({ message_id: id, content: '@**all**' });
  assert.deepEqual((await message(world, 'cordelia', id)).flags, FOR_ALL);
  await world.as('hamlet').messages.edit({ message_id: id, content: 'word' });
  assert.deepEqual((await message(world, 'cordelia', id)).flags, []);
});

inWorlds('an edit moves the mentioned flag from the former to the new mentioned user', async (world) => {
  const { as } = world;
  const id = await post(world, '@**Cordelia**');
  const heard = await listening(world, ['cordelia', 'administrator']);
  await as('cordelia').messages.updateFlags({ messages: [id], op: 'add', flag: 'starred' });
  await as('hamlet').messages.edit({ message_id: id, content: '@**Adam Administrator**' });
  const flags = async (user: UserName) =>
    (await heard(user)).filter(({ type }) => type === 'update_message').map((event: AnyEvent) => event.flags);
  assert.deepEqual(await flags('cordelia'), [['starred']]);
  assert.deepEqual(await flags('administrator'), [['mentioned']]);
  assert.deepEqual(await mentionsOf(world, 'cordelia'), []);
  assert.deepEqual(await mentionsOf(world, 'administrator'), [id]);
});

inWorlds("a restricted guest's mention of a hidden user stays text", async (world) => {
  const { settings, channels, users } = world;
  await settings({ can_access_all_users_group: 6 });
  const id = await say(world, 'guest', channels.default, 'acts', '@**Hamlet** @**Mona Moderator**');
  assert.equal(
    (await message(world, 'hamlet', id)).content,
    `<p>${mention(users.hamlet, 'Hamlet')} @<strong>Mona Moderator</strong></p>`,
  );
});

inWorlds('links to archived channels and channels the sender cannot see stay text', async (world) => {
  const { channels } = world;
  const links = '#**Norway** #**Vault** #**Ruins** #**Norway>fjords**';
  const { content } = await message(world, 'hamlet', await post(world, links));
  assert.ok(content.includes(`data-stream-id="${channels.quiet}"`));
  assert.ok(content.includes('#Norway &gt; fjords'));
  assert.ok(content.includes('#<strong>Vault</strong> #<strong>Ruins</strong>'));
});

inWorlds('mentions in a topic name set no flag when the notification bot repeats the name', async (world) => {
  const { as, channels } = world;
  const id = await post(world, 'word');
  const topic = 'x** @**all** @**Cordelia';
  await as('hamlet').messages.edit({ message_id: id, topic, propagate_mode: 'change_all' });
  await as('hamlet').messages.edit({
    message_id: id,
    topic: 'y',
    propagate_mode: 'change_all',
    send_notification_to_new_thread: true,
  });
  const { messages } = await as('cordelia').messages.list({
    anchor: 'newest',
    num_before: 2,
    narrow: [{ operator: 'channel', operand: channels.public }],
  });
  for (const one of messages) assert.deepEqual(one.flags, []);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as v from 'valibot';
import { png } from '../world/pictures.ts';
import { FormClient } from './form-client.ts';
import {
  channelTopics,
  emojiData,
  fetchedMessage,
  initialSnapshot,
  ownUser,
  sentMessage,
  updatedFlags,
} from './mobile-answers.ts';
import { decode, MobileApp } from './mobile-app.ts';
import { decodeEvent } from './mobile-events.ts';
import { ServerProcess } from './server-process.ts';

const PEOPLE = ['desdemona', 'iago', 'shiva', 'hamlet', 'cordelia', 'othello', 'zoe', 'aaron', 'polonius'];

const server = await ServerProcess.start({ after });

const signIn = (name: string) =>
  MobileApp.signIn(server.url, server.account(name).email, server.account(name).password);
const owner = () => new FormClient({ url: server.url, ...server.account('desdemona') });

test('the app logs in to the demo and decodes the initial state of every user', async () => {
  for (const name of PEOPLE) {
    const app = await signIn(name);
    const state = await app.register();
    assert.equal(
      state.realm_users.some((one: { user_id: number }) => one.user_id === app.userId),
      true,
      name,
    );
    decode(ownUser, await app.client.get('users/me'), 'users/me');
  }
});

test('the decoders refuse states and events that the app cannot decode', async () => {
  const state = await (await signIn('hamlet')).register();
  for (const change of [
    { alert_words: undefined },
    { realm_icon_url: null },
    { last_event_id: '-1' },
    { subscriptions: [{ ...state.subscriptions[0], color: '#ABCDEF' }] },
    { realm_users: [{ ...state.realm_users[0], role: 'member' }] },
    { unread_msgs: { ...state.unread_msgs, pms: [{ sender_id: 4, unread_message_ids: [] }] } },
    { presences: { 'iago@zulip.com': { active_timestamp: 1, idle_timestamp: 1 } } },
  ]) {
    assert.equal(v.is(initialSnapshot, { ...state, ...change }), false, JSON.stringify(change));
  }
  assert.throws(() => decodeEvent({ type: 'realm_user', op: 'update', id: 1, person: {} }));
  assert.throws(() => decodeEvent({ type: 'no such type' }));
  assert.throws(() => decodeEvent({ type: 'subscription', id: 1 }));
});

test('images and emoji data named by the server can be fetched with the right type', async () => {
  const app = await signIn('hamlet');
  const state = await app.register();
  const emoji = await fetch(new URL(state.server_emoji_data_url, server.url));
  assert.equal(emoji.status, 200);
  const { code_to_names } = decode(emojiData, await emoji.json(), 'emoji data');
  assert.ok(Object.keys(code_to_names).length > 0);
  for (const [code, names] of Object.entries<string[]>(code_to_names)) {
    assert.match(code, /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/);
    assert.ok(names.length > 0);
  }
  const pictures = [
    app.settings.realm_icon,
    state.realm_icon_url,
    state.realm_logo_url,
    state.realm_night_logo_url,
    '/static/unknown-user-avatar.png',
    ...[...state.realm_users, ...state.cross_realm_bots]
      .map((user: { avatar_url: string | null }) => user.avatar_url)
      .filter((url: string | null) => url !== null && new URL(url, server.url).origin === server.url),
  ];
  for (const address of new Set(pictures)) {
    const picture = await fetch(new URL(address, server.url));
    assert.equal(picture.status, 200, address);
    assert.match(picture.headers.get('content-type') ?? '', /^image\//, address);
    assert.ok((await picture.arrayBuffer()).byteLength > 0);
  }
});

test('the app lists messages with each of its narrows and anchors', async () => {
  const app = await signIn('cordelia');
  const state = await app.register();
  const verona = state.streams.find((one: { name: string }) => one.name === 'Verona').stream_id;
  const hamlet = server.account('hamlet').user_id;
  const { messages } = await app.messages([{ operator: 'channel', operand: verona }], 'newest');
  const some = messages[0].id;
  const narrows = [
    [],
    [{ operator: 'channel', operand: verona }],
    [
      { operator: 'channel', operand: verona },
      { operator: 'topic', operand: 'welcome' },
    ],
    [
      { operator: 'channel', operand: verona },
      { operator: 'topic', operand: 'welcome' },
      { operator: 'with', operand: some },
    ],
    [
      { operator: 'channel', operand: verona },
      { operator: 'topic', operand: '' },
    ],
    [
      { operator: 'channel', operand: verona },
      { operator: 'topic', operand: 'no such topic' },
    ],
    [{ operator: 'dm', operand: [hamlet, app.userId] }],
    [{ operator: 'dm', operand: [hamlet] }],
    [{ operator: 'dm', operand: [app.userId] }],
    [{ operator: 'dm', operand: [hamlet, server.account('zoe').user_id, app.userId] }],
    [{ operator: 'is', operand: 'dm' }],
    [{ operator: 'is', operand: 'mentioned' }],
    [{ operator: 'is', operand: 'starred' }],
    [{ operator: 'is', operand: 'unread' }],
    [{ operator: 'id', operand: some }],
    [{ operator: 'search', operand: 'lamp' }],
  ];
  for (const narrow of narrows) {
    for (const anchor of ['newest', 'oldest', 'first_unread', String(some)]) await app.messages(narrow, anchor);
  }
  const direct = await app.messages([{ operator: 'dm', operand: [hamlet, app.userId] }], 'newest');
  assert.equal(direct.messages.length, 2);
  assert.equal(direct.found_newest, true);
  const welcome = [
    { operator: 'channel', operand: verona },
    { operator: 'topic', operand: 'welcome' },
  ];
  const [first] = (await app.messages(welcome, 'oldest')).messages as { id: number }[];
  const conversation = await app.messages([...welcome, { operator: 'with', operand: first?.id }], 'first_unread');
  assert.equal(conversation.messages.length, 3);
  decode(
    fetchedMessage,
    await app.client.get(`messages/${some}`, { allow_empty_topic_name: true, apply_markdown: false }),
    'messages/{id}',
  );
  decode(channelTopics, await app.client.get(`users/me/${verona}/topics`, { allow_empty_topic_name: true }), 'topics');
});

test('the app decodes events of messages and flags', async () => {
  const [app, other] = [await signIn('cordelia'), await signIn('hamlet')];
  const state = await app.register();
  await other.register();
  const denmark = state.streams.find((one: { name: string }) => one.name === 'Denmark').stream_id;
  const echo = { queue_id: app.reader.queueId, local_id: '7.01', read_by_sender: true };
  const { id } = decode(
    sentMessage,
    await app.client.post('messages', {
      type: 'channel',
      to: denmark,
      topic: 'castle',
      content: 'Is the *lamp* lit?',
      ...echo,
    }),
    'POST messages',
  );
  const people = [app.userId, other.userId];
  decode(
    sentMessage,
    await other.client.post('messages', { type: 'direct', to: people, content: 'It is.', read_by_sender: true }),
    'POST messages',
  );
  const seen = await app.events();
  const mine = seen.find((event) => event.message?.id === id);
  assert.equal(mine.local_message_id, '7.01');
  assert.deepEqual(mine.flags, ['read']);
  const theirs = (await other.events()).find((event) => event.message?.id === id);
  assert.equal('local_message_id' in theirs, false);
  for (const [op, flag] of [
    ['add', 'starred'],
    ['add', 'read'],
    ['remove', 'read'],
    ['remove', 'starred'],
  ]) {
    decode(updatedFlags, await other.client.post('messages/flags', { messages: [id], op, flag }), 'messages/flags');
  }
  const flags = (await other.events()).filter((event) => event.type === 'update_message_flags');
  assert.deepEqual(
    flags.map((event) => `${event.op} ${event.flag}`),
    ['add starred', 'add read', 'remove read', 'remove starred'],
  );
});

test('the app decodes events of edits, moves, reactions, deletions and custom emoji', async () => {
  const [app, hamlet] = [await signIn('cordelia'), (await signIn('hamlet')).client];
  const state = await app.register();
  const [denmark, verona] = ['Denmark', 'Verona'].map(
    (name) => state.streams.find((one: { name: string }) => one.name === name).stream_id,
  );
  const send = async (content: string, topic = 'play') =>
    (await hamlet.post('messages', { type: 'channel', to: denmark, topic, content })).id;
  const ids = [await send("To be @**Cordelia, Lear's daughter**"), await send('or not'), await send('alone', 'aside')];
  const [first, second, third] = ids;
  await hamlet.patch(`messages/${first}`, { content: 'To *be*' });
  await hamlet.patch(`messages/${first}`, { topic: 'plays', propagate_mode: 'change_all' });
  await hamlet.patch(`messages/${second}`, { topic: 'negations', content: 'or *not*' });
  await hamlet.patch(`messages/${third}`, { topic: '✔ aside' });
  await owner().patch(`messages/${first}`, { stream_id: verona, topic: 'stage', propagate_mode: 'change_later' });
  const form = new FormData();
  form.append('file', png, 'gruel.png');
  const { email, api_key } = server.account('desdemona');
  const uploaded = await fetch(`${server.url}/api/v1/realm/emoji/gruel`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}` },
    body: form,
  });
  assert.equal(uploaded.status, 200);
  await hamlet.post(`messages/${first}/reactions`, { emoji_name: 'gruel' });
  await hamlet.post(`messages/${first}/reactions`, { emoji_name: 'tada' });
  await hamlet.delete(`messages/${first}/reactions`, { emoji_name: 'tada' });
  await owner().delete('realm/emoji/gruel');
  const before = await app.messages([{ operator: 'sender', operand: server.account('hamlet').user_id }], 'newest');
  assert.ok(before.messages.find((one: { id: number }) => one.id === first).edit_history.length >= 3);
  await owner().delete(`messages/${second}`);
  const kinds = new Set((await app.events()).map((event) => `${event.type} ${event.op}`));
  for (const kind of ['update_message', 'delete_message'].map((type) => `${type} undefined`))
    assert.ok(kinds.has(kind));
  for (const kind of ['reaction add', 'reaction remove', 'realm_emoji update']) assert.ok(kinds.has(kind), kind);
  await app.register();
});

test('the app decodes events of creating, changing, joining, leaving and archiving a channel', async () => {
  const admin = owner();
  const apps = [await signIn('hamlet'), await signIn('polonius')];
  for (const app of apps) await app.register();
  const [hamlet, polonius] = apps as [MobileApp, MobileApp];
  const secret = await admin.post('channels/create', {
    name: 'Élysée 🏰',
    description: '**Plans** for <b>later</b>',
    subscribers: [hamlet.userId, server.account('desdemona').user_id],
    invite_only: true,
    history_public_to_subscribers: false,
    can_send_message_group: { direct_members: [hamlet.userId], direct_subgroups: [] },
  });
  await admin.post('users/me/subscriptions', { subscriptions: [{ name: 'Élysée 🏰' }], principals: [polonius.userId] });
  for (const change of [
    { new_name: 'Versailles' },
    { description: '' },
    { topics_policy: 'allow_empty_topic' },
    { message_retention_days: 30 },
    { message_retention_days: 'realm_default' },
    { can_send_message_group: { new: { direct_members: [polonius.userId, hamlet.userId], direct_subgroups: [] } } },
    { is_private: false },
    { is_private: true, history_public_to_subscribers: true },
  ]) {
    await admin.patch(`streams/${secret.id}`, change);
  }
  await hamlet.client.post('users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: secret.id, property: 'color', value: '#ABCDEF' },
      { stream_id: secret.id, property: 'is_muted', value: true },
      { stream_id: secret.id, property: 'pin_to_top', value: true },
      { stream_id: secret.id, property: 'push_notifications', value: false },
    ],
  });
  await hamlet.client.post('messages', { type: 'channel', to: secret.id, topic: '', content: '/me opens a window' });
  await hamlet.register();
  await admin.delete('users/me/subscriptions', { subscriptions: ['Versailles'], principals: [polonius.userId] });
  await admin.delete(`streams/${secret.id}`);
  const kinds = new Set((await polonius.events()).map((event) => `${event.type} ${event.op}`));
  for (const kind of [
    'stream create',
    'stream update',
    'stream delete',
    'subscription add',
    'subscription remove',
    'message undefined',
  ]) {
    assert.ok(kinds.has(kind), kind);
  }
  await hamlet.events();
  for (const app of apps) await app.register();
});

test('the app decodes events and state of created and deactivated users and bots', async () => {
  const admin = owner();
  const app = await signIn('iago');
  await app.register();
  const { user_id } = await admin.post('users', {
    email: 'gone@example.com',
    full_name: 'Gone Soon',
    password: 'a long password',
  });
  const bot = await admin.post('bots', { full_name: 'Herald', short_name: 'herald', bot_type: 1 });
  const heard = new FormClient({ url: server.url, email: bot.email, api_key: bot.api_key, userAgent: 'Herald/1.0' });
  await heard.post('messages', { type: 'direct', to: [app.userId], content: 'Hear ye' });
  await admin.delete(`users/${user_id}`);
  await admin.delete(`bots/${bot.user_id}`);
  const kinds = (await app.events()).map((event) => `${event.type} ${event.op}`);
  for (const kind of ['realm_user add', 'realm_user update', 'subscription peer_add', 'subscription peer_remove'])
    assert.ok(kinds.includes(kind), kind);
  const state = await app.register();
  const gone = state.realm_non_active_users.map((one: { user_id: number }) => one.user_id);
  assert.deepEqual(gone.sort(), [user_id, bot.user_id].sort());
  const { messages } = await app.messages([{ operator: 'is', operand: 'dm' }], 'newest');
  assert.equal(messages.at(-1).sender_id, bot.user_id);
  assert.equal(messages.at(-1).client, 'Herald');
});

test('the app decodes empty topics, messages to yourself and group messages, with unread counts', async () => {
  const app = await signIn('aaron');
  await app.register();
  const sender = await signIn('shiva');
  const state = await sender.register();
  const sandbox = state.streams.find((one: { name: string }) => one.name === 'sandbox').stream_id;
  await sender.client.post('messages', { type: 'channel', to: sandbox, topic: '', content: 'No topic at all' });
  const everybody = PEOPLE.map((name) => server.account(name).user_id);
  await sender.client.post('messages', { type: 'direct', to: everybody, content: 'All of you' });
  await sender.client.post('messages', { type: 'direct', to: [app.userId], content: 'You' });
  await app.client.post('messages', { type: 'direct', to: [app.userId], content: 'Me', read_by_sender: false });
  await sender.client.post('messages', { type: 'direct', to: [sender.userId], content: 'Note', read_by_sender: true });
  const events = (await app.events()).filter((event) => event.type === 'message');
  assert.deepEqual(
    events.map((event) => event.message.subject),
    ['', '', '', ''],
  );
  assert.equal(events.find((event) => event.message.type === 'stream').message.display_recipient, 'sandbox');
  const { unread_msgs, recent_private_conversations } = await app.register();
  assert.deepEqual(
    [
      unread_msgs.pms,
      unread_msgs.streams.filter((one: { stream_id: number }) => one.stream_id === sandbox),
      unread_msgs.huddles,
    ].map((one) => one.length),
    // The second topic is the opening message of the channel.
    [2, 2, 1],
  );
  assert.ok(
    unread_msgs.streams.some(
      (one: { stream_id: number; topic: string }) => one.stream_id === sandbox && one.topic === '',
    ),
  );
  assert.ok(recent_private_conversations.some((one: { user_ids: number[] }) => one.user_ids.length === 0));
  for (const narrow of [
    [],
    [
      { operator: 'channel', operand: sandbox },
      { operator: 'topic', operand: '' },
    ],
    [{ operator: 'dm', operand: everybody }],
  ]) {
    assert.ok((await app.messages(narrow, 'newest')).messages.length > 0);
  }
});

test('a guest in one private channel receives and decodes only its events', async () => {
  const admin = owner();
  const { user_id } = await admin.post('users', {
    email: 'guest@example.com',
    full_name: 'A Guest',
    password: 'a long password',
    role: 600,
  });
  await admin.delete('users/me/subscriptions', {
    subscriptions: ['Denmark', 'Verona', 'Venice'],
    principals: [user_id],
  });
  const { id } = await admin.post('channels/create', {
    name: 'cellar',
    subscribers: [user_id, server.account('desdemona').user_id],
    invite_only: true,
  });
  const app = await MobileApp.signIn(server.url, 'guest@example.com', 'a long password');
  const state = await app.register();
  assert.deepEqual(
    state.streams.map((one: { stream_id: number }) => one.stream_id),
    [id],
  );
  await admin.patch(`streams/${id}`, { description: 'Below the house' });
  await admin.post('messages', { type: 'channel', to: id, topic: 'steps', content: 'Mind them' });
  await admin.post('channels/create', { name: 'attic', subscribers: [], description: 'Not for guests' });
  const events = await app.events();
  assert.deepEqual(
    events.map((event) => event.type),
    ['stream', 'message', 'message'],
  );
  await app.messages([], 'first_unread');
});

test('an expired queue, a wrong key and a deactivated account are refused as the app expects', async () => {
  const app = await signIn('othello');
  const { api_key: _, ...login } = app.client.login;
  const refused = await new FormClient({ ...login, api_key: 'A'.repeat(32) }).send('POST', 'register');
  assert.equal(refused.status, 401);
  const lost = await app.client.send('GET', 'events', { queue_id: 'gone', last_event_id: 3 });
  assert.deepEqual([lost.status, lost.body.result, lost.body.code], [400, 'error', 'BAD_EVENT_QUEUE_ID']);
  await owner().delete(`users/${app.userId}`);
  assert.equal((await app.client.send('POST', 'register')).status, 401);
  await owner().post(`users/${app.userId}/reactivate`);
  await app.register();
});

test('the app decodes presence, status, typing, topic policies and groups', async () => {
  const [app, other] = [await signIn('cordelia'), await signIn('hamlet')];
  const state = await app.register();
  const denmark = state.streams.find((one: { name: string }) => one.name === 'Denmark').stream_id;
  await other.register();
  const report = { status: 'active', new_user_input: true, ping_only: false, slim_presence: true };
  const { presences } = await other.client.post('users/me/presence', report);
  assert.deepEqual(Object.keys(presences[other.userId]).sort(), ['active_timestamp', 'idle_timestamp']);
  await other.client.post('users/me/status', {
    status_text: 'At sea',
    emoji_name: 'boat',
    emoji_code: '26f5',
    reaction_type: 'unicode_emoji',
  });
  await other.client.post('typing', { op: 'start', type: 'direct', to: [app.userId] });
  await other.client.post('typing', { op: 'start', type: 'channel', stream_id: denmark, topic: 'castle' });
  for (const visibility_policy of [3, 1, 0]) {
    await app.client.post('user_topics', { stream_id: denmark, topic: 'castle', visibility_policy });
  }
  const desdemona = owner();
  await desdemona.post('user_groups/create', { name: 'sailors', description: '', members: [other.userId] });
  await desdemona.patch(`users/${other.userId}`, { role: 300 });
  const told = (await app.events()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
  for (const expected of [
    ...[
      'user_status',
      'typing/start',
      'user_topic',
      'user_group/add',
      'user_group/remove_members',
      'realm_user/update',
    ],
  ]) {
    assert.ok(told.includes(expected), `${expected} among ${told}`);
  }
  const again = await app.register();
  assert.equal(again.user_status[other.userId].status_text, 'At sea');
  assert.ok(again.presences[other.userId].active_timestamp > 0);
});

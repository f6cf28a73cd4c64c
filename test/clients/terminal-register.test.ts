import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Body, FormClient } from './form-client.ts';
import { ServerProcess } from './server-process.ts';
import { TerminalClient } from './terminal-client.ts';

/** Its value for "after everything", which no JSON library may round. */
const AFTER_EVERYTHING = 10_000_000_000_000_000;

const server = await ServerProcess.start({ after });

const client = (name: string) => new TerminalClient({ url: server.url, ...server.account(name) });
const owner = () => new FormClient({ url: server.url, ...server.account('desdemona') });
const address = (name: string) =>
  client(name)
    .client.get('users/me')
    .then((me) => me.email);

test('the terminal client starts for every demo user, who is listed among the accounts', async () => {
  for (const { user_id, email, api_key } of server.accounts.values()) {
    const state = await new TerminalClient({ url: server.url, email, api_key }).start();
    const own = state.realm_users.find((one: { user_id: number }) => one.user_id === user_id);
    assert.deepEqual([own.email, own.full_name, state.user_id], [state.email, state.full_name, user_id]);
    const known = new Set(
      [...state.realm_users, ...state.cross_realm_bots].map((one: { user_id: number }) => one.user_id),
    );
    for (const channel of state.subscriptions) {
      assert.ok(channel.subscribers.includes(user_id));
      for (const id of channel.subscribers) assert.ok(known.has(id));
    }
  }
});

test('the terminal client logs in with a password without a zuliprc', async () => {
  const nobody = new FormClient({ url: server.url });
  const settings = await nobody.get('server_settings');
  assert.deepEqual([settings.require_email_format_usernames, settings.email_auth_enabled], [true, true]);
  const { email, password, api_key } = server.account('zoe');
  const answer = await new FormClient({ url: settings.realm_uri }).post('fetch_api_key', { username: email, password });
  assert.equal(answer.api_key, api_key);
});

test('registering again without state returns the ID of the newest message', async () => {
  const zoe = client('zoe');
  const { max_message_id } = await zoe.start();
  await owner().post('messages', { type: 'stream', to: 'Verona', subject: 'again', content: 'One more' });
  const again = await zoe.registerAgain();
  assert.ok(again.max_message_id > max_message_id);
});

test('the terminal client registers for users without messages, channels or other users', async () => {
  const { user_id } = await owner().post('users', { email: 'new@example.com', full_name: 'Brand New', role: 600 });
  await owner().delete('users/me/subscriptions', {
    subscriptions: ['Denmark', 'Verona', 'Venice'],
    principals: [user_id],
  });
  const { api_key } = await new FormClient({ url: server.url }).post('dev_fetch_api_key', {
    username: 'new@example.com',
  });
  const terminal = new TerminalClient({ url: server.url, email: 'new@example.com', api_key });
  const state = await terminal.start();
  assert.deepEqual([state.subscriptions, state.max_message_id], [[], -1]);
  const { anchor, messages } = await terminal.messages([], { anchor: 0, use_first_unread_anchor: true });
  assert.deepEqual([anchor, messages], [AFTER_EVERYTHING, []]);
});

test('the terminal client lists messages with narrows in the older form', async () => {
  const cordelia = client('cordelia');
  await cordelia.start();
  const start = { anchor: 0, use_first_unread_anchor: true };
  const hamlet = await address('hamlet');
  const others = `${await address('othello')}, ${await address('iago')}`;
  for (const [narrow, least] of [
    [[], 5],
    [[['stream', 'Verona']], 3],
    [
      [
        ['stream', 'Verona'],
        ['topic', 'welcome'],
      ],
      3,
    ],
    [[['is', 'private']], 2],
    [[['pm-with', hamlet]], 2],
    [[['pm-with', others]], 1],
    [[['is', 'starred']], 0],
    [[['is', 'mentioned']], 0],
    [[['search', 'lamp']], 1],
  ] as const) {
    const { messages } = await cordelia.messages([...narrow], start);
    assert.ok(messages.length >= least, JSON.stringify(narrow));
  }
});

test('the terminal client finds the newest message of a topic from the end of all messages', async () => {
  const cordelia = client('cordelia');
  const { subscriptions } = await cordelia.start();
  const { stream_id } = subscriptions.find((one: { name: string }) => one.name === 'Verona');
  const narrow = [
    { operator: 'stream', operand: stream_id },
    { operator: 'topic', operand: 'welcome' },
  ];
  const { messages } = await cordelia.messages(narrow, { anchor: AFTER_EVERYTHING }, 1, 0);
  assert.equal(messages.length, 1);
  assert.match(messages[0].content, /castle/);
});

test('the terminal client sends messages and reads new events', async () => {
  const [iago, othello] = [client('iago'), client('othello')];
  await iago.start();
  const { stream_id } = (await othello.start()).subscriptions.find((one: { name: string }) => one.name === 'Venice');
  const { id } = await iago.client.post('messages', {
    type: 'stream',
    to: 'Venice',
    subject: 'news',
    content: 'I hate the *moor*',
    read_by_sender: true,
  });
  const people = [server.account('othello').user_id];
  await iago.client.post('messages', {
    type: 'private',
    to: people,
    content: 'Honest, my lord?',
    read_by_sender: true,
  });
  await othello.client.post('messages/flags', { messages: [id], flag: 'read', op: 'add' });
  await othello.client.post('messages/flags', { messages: [id], flag: 'starred', op: 'add' });
  await othello.client.post('messages/flags', { messages: [id], flag: 'starred', op: 'remove' });
  for (const property of ['is_muted', 'pin_to_top', 'desktop_notifications']) {
    await othello.client.post('users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property, value: true }],
    });
  }
  await owner().post('users/me/subscriptions', { subscriptions: [{ name: 'Cyprus' }], principals: people });
  await owner().delete('users/me/subscriptions', { subscriptions: ['Cyprus'], principals: people });
  const kinds = (await othello.events()).map((event) => (event.op ? `${event.type} ${event.op}` : event.type));
  for (const kind of [
    'message',
    'update_message_flags add',
    'update_message_flags remove',
    'subscription update',
    'subscription add',
    'subscription remove',
  ]) {
    assert.ok(kinds.includes(kind), kind);
  }
  const own = (await iago.events()).filter((event) => event.message?.id === id);
  assert.deepEqual(
    own.map((event) => [event.flags, event.message.client]),
    [[['read'], 'ZulipTerminal']],
  );
  const topics = await othello.client.get(`users/me/${stream_id}/topics`);
  assert.equal(topics.topics[0].name, 'news');
  const message = await othello.client.get(`messages/${id}`);
  assert.equal(message.raw_content, 'I hate the *moor*');
});

test('the terminal client shows reactions of others and removes its own', async () => {
  const [iago, othello] = [client('iago'), client('othello')];
  await iago.start();
  const people = new Map((await othello.start()).realm_users.map((one: Body) => [one.user_id, one.full_name]));
  const { id } = await othello.client.post('messages', {
    type: 'stream',
    to: 'Venice',
    subject: 'masks',
    content: 'Who is behind it?',
  });
  // It sends the ID of the message in the form too.
  const tada = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', message_id: String(id) };
  await iago.client.post(`messages/${id}/reactions`, tada);
  await othello.client.post(`messages/${id}/reactions`, tada);
  await othello.client.delete(`messages/${id}/reactions`, tada);
  const events = (await othello.events()).filter((event) => event.type === 'reaction');
  assert.deepEqual(
    events.map(({ op, user }) => [op, user.full_name, people.get(user.user_id)]),
    ['add', 'add', 'remove'].map((op, at) => {
      const name = at === 0 ? 'Iago' : 'Othello, the Moor of Venice';
      return [op, name, name];
    }),
  );
});

test('users in peer_remove events were listed as subscribers before, also after reactivation', async () => {
  const zoe = client('zoe');
  const state = await zoe.start();
  const members = new Map<number, Set<number>>(
    state.subscriptions.map((one: { stream_id: number; subscribers: number[] }) => [
      one.stream_id,
      new Set(one.subscribers),
    ]),
  );
  const { user_id } = await owner().post('users', {
    email: 'brief@example.com',
    full_name: 'Brief',
    password: 'a long password',
  });
  await owner().delete(`users/${user_id}`);
  await owner().delete('users/me/subscriptions', {
    subscriptions: ['Verona'],
    principals: [server.account('aaron').user_id],
  });
  await owner().post(`users/${user_id}/reactivate`);
  await owner().post('users/me/subscriptions', { subscriptions: [{ name: 'Verona' }], principals: [user_id] });
  for (const { op, stream_ids = [], user_ids = [] } of await zoe.events()) {
    for (const stream of stream_ids) {
      for (const id of user_ids) {
        const list = members.get(stream);
        if (op === 'peer_remove' && list)
          assert.ok(list.delete(id), `${id} leaves ${stream} without having been subscribed`);
        if (op === 'peer_add') list?.add(id);
      }
    }
  }
  for (const { stream_id, subscribers } of (await zoe.start()).subscriptions) {
    assert.deepEqual([...(members.get(stream_id) ?? [])].sort(), [...subscribers].sort());
  }
});

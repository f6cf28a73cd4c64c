import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { registered } from '../../lib/internal.ts';
import { EventReader } from './event-reader.ts';
import { type Body, FormClient } from './form-client.ts';
import { checkChannel, checkError, checkEvent, checkSnapshot, checkSubscription, checkUserGroup } from './go-keys.ts';
import { ServerProcess } from './server-process.ts';

const USER_AGENT = 'parlance-suite (tests; 1.0)';

const server = await ServerProcess.start({ after });

const as = (name: string) => new FormClient({ url: server.url, ...server.account(name), userAgent: USER_AGENT });
const idOf = (name: string) => server.account(name).user_id;

/** Queues of every kind of account, with and without the options of clients. */
async function readers(clients: FormClient[]): Promise<EventReader[]> {
  const made: EventReader[] = [];
  for (const client of clients) {
    for (const options of [
      {},
      { include_subscribers: true, client_gravatar: false, apply_markdown: true, all_public_streams: false },
      { client_capabilities: { notification_settings_null: true, linkifier_url_template: true } },
    ]) {
      made.push(new EventReader(client, checkState(await client.post('register', options))));
    }
  }
  return made;
}

function checkState(state: Body): Body {
  for (const channel of [...state.streams, ...state.never_subscribed]) checkChannel(channel);
  for (const subscription of [...state.subscriptions, ...state.unsubscribed]) checkSubscription(subscription);
  for (const group of state.realm_user_groups) checkUserGroup(group);
  return state;
}

/** A long scenario with every change of the catalogue. */
async function longDay(owner: FormClient, hamlet: FormClient): Promise<void> {
  const settings = { direct_members: [idOf('hamlet'), idOf('zoe')], direct_subgroups: [] };
  const { id } = await owner.post('channels/create', {
    name: 'Wittenberg',
    description: 'Lectures',
    subscribers: [idOf('hamlet'), idOf('polonius'), idOf('desdemona')],
    announce: true,
    can_send_message_group: settings,
    can_remove_subscribers_group: settings,
  });
  const hidden = await owner.post('channels/create', {
    name: 'vault',
    subscribers: [idOf('desdemona')],
    invite_only: true,
  });
  for (const change of [
    { new_name: 'Wittenberg 1517' },
    { description: 'Theses, *nailed*' },
    { is_default_stream: true },
    { topics_policy: 'disable_empty_topic' },
    { message_retention_days: 7 },
    { can_add_subscribers_group: { new: settings } },
    { can_send_message_group: { new: { direct_members: [], direct_subgroups: [] } } },
    { can_send_message_group: { new: { direct_members: [idOf('desdemona'), idOf('hamlet')], direct_subgroups: [] } } },
    { is_default_stream: false, is_private: true },
    { is_private: false },
  ]) {
    await owner.patch(`streams/${id}`, change);
  }
  await owner.patch(`streams/${hidden.id}`, { is_private: false });
  await owner.post('default_streams', { stream_id: id });
  await owner.delete('default_streams', { stream_id: id });
  await owner.post('users/me/subscriptions', {
    subscriptions: [{ name: 'vault' }, { name: 'fresh', color: '#FFF' }],
    principals: [idOf('hamlet'), idOf('polonius')],
  });
  await owner.patch(`streams/${hidden.id}`, { is_private: true });
  await hamlet.post('users/me/subscriptions', { subscriptions: [{ name: 'my own' }] });
  const properties = [
    'color',
    'is_muted',
    'in_home_view',
    'pin_to_top',
    'desktop_notifications',
    'audible_notifications',
  ];
  for (const property of [...properties, 'push_notifications', 'email_notifications', 'wildcard_mentions_notify']) {
    const value = property === 'color' ? '#0AF' : true;
    await hamlet.post('users/me/subscriptions/properties', { subscription_data: [{ stream_id: id, property, value }] });
  }
  const sent = await hamlet.post('messages', {
    type: 'channel',
    to: id,
    topic: 'theses',
    content: 'One of ninety-five, for @**Desdemona**',
  });
  await hamlet.post('messages', { type: 'direct', to: [idOf('desdemona'), idOf('polonius')], content: 'A word' });
  await hamlet.post('messages', { type: 'direct', to: [idOf('hamlet')], content: '/me ponders' });
  for (const [op, flag] of [
    ['add', 'starred'],
    ['remove', 'starred'],
    ['add', 'collapsed'],
    ['add', 'read'],
    ['remove', 'read'],
    ['add', 'read'],
  ]) {
    await owner.post('messages/flags', { messages: [sent.id], op, flag });
  }
  await owner.post(`messages/${sent.id}/reactions`, { emoji_name: 'tada' });
  await owner.delete(`messages/${sent.id}/reactions`, { emoji_name: 'tada' });
  await hamlet.patch(`messages/${sent.id}`, { content: 'One of ninety-six' });
  await owner.patch(`messages/${sent.id}`, { topic: 'more theses', propagate_mode: 'change_all' });
  const { user_id } = await owner.post('users', {
    email: 'martin@example.com',
    full_name: 'Martin',
    password: 'a long password',
    role: 300,
  });
  await owner.delete(`users/${user_id}`);
  await owner.post(`users/${user_id}/reactivate`);
  const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' };
  const { id: filter } = await owner.post('realm/filters', linkifier);
  await owner.patch(`realm/filters/${filter}`, linkifier);
  const bot = await hamlet.post('bots', { full_name: 'Town Crier', short_name: 'crier' });
  await hamlet.post(`bots/${bot.user_id}/api_key/regenerate`);
  await hamlet.post('users/me/subscriptions', { subscriptions: [{ name: 'Verona' }], principals: [bot.user_id] });
  await hamlet.delete(`bots/${bot.user_id}`);
  const changed = await hamlet.patch('users/me/subscriptions', {
    add: [{ name: 'Halle', description: 'A university too' }],
    delete: ['my own'],
  });
  assert.deepEqual([changed.subscribed, changed.removed], [{ [idOf('hamlet')]: ['Halle'] }, ['my own']]);
  await owner.delete('users/me/subscriptions', {
    subscriptions: ['Wittenberg 1517', 'vault'],
    principals: [idOf('hamlet'), idOf('polonius')],
  });
  await owner.delete(`streams/${id}`);
  await owner.patch(`streams/${id}`, { is_archived: false });
  await owner.delete(`streams/${id}`);
}

test('no declared event has a key that the Go client refuses', () => {
  for (const { eventName, fields } of registered.events) {
    const [type, op] = eventName.split('/');
    // local_message_id is present only if the client sent one.
    const keys = Object.keys(fields as object).filter((key) => key !== 'local_message_id');
    checkEvent({ id: 1, type, op, ...Object.fromEntries(keys.map((key) => [key, undefined])) });
  }
});

test('events, channels, subscriptions and edits of a long scenario have no key that the Go client refuses', async () => {
  const bot = await as('hamlet').post('bots', { full_name: 'Watcher', short_name: 'watcher' });
  const clients = ['desdemona', 'iago', 'shiva', 'hamlet', 'zoe', 'polonius'].map(as);
  clients.push(new FormClient({ url: server.url, email: bot.email, api_key: bot.api_key, userAgent: USER_AGENT }));
  const all = await readers(clients);
  await longDay(as('desdemona'), as('hamlet'));
  const kinds = new Set<string>();
  for (const reader of all) {
    const events = await reader.drain();
    assert.ok(events.length > 0, reader.client.login.email);
    for (const event of events) kinds.add(checkEvent(event));
  }
  for (const kind of [
    'message',
    'reaction add',
    'reaction remove',
    'default_streams',
    'realm_bot add',
    'realm_bot update',
    'realm_linkifiers',
    'realm_user add',
    'realm_user update',
    'stream create',
    'stream delete',
    'stream update',
    'subscription add',
    'subscription peer_add',
    'subscription peer_remove',
    'subscription remove',
    'subscription update',
    'update_message_flags add',
    'update_message_flags remove',
  ]) {
    assert.ok(kinds.has(kind), `the scenario lacks ${kind}`);
  }
  await readers(clients);
  let edits = 0;
  for (const client of clients) {
    for (const channel of (await client.get('streams', { include_default: true, exclude_archived: false })).streams) {
      checkChannel(channel);
      checkChannel((await client.get(`streams/${channel.stream_id}`)).stream);
    }
    const { subscriptions } = await client.get('users/me/subscriptions', { include_subscribers: true });
    for (const subscription of subscriptions) checkSubscription(subscription);
    const { messages } = await client.get('messages', { anchor: 'newest', num_before: 100, num_after: 0 });
    for (const message of messages) for (const snapshot of message.edit_history ?? []) checkSnapshot(snapshot);
    edits += messages.flatMap((message: Body) => message.edit_history ?? []).length;
  }
  assert.ok(edits > 0, 'the scenario lacks edited messages');
});

test('local_message_id is sent only to the queue that sent the message', async () => {
  const hamlet = as('hamlet');
  const [sender, other] = [
    new EventReader(hamlet, await hamlet.post('register')),
    new EventReader(hamlet, await hamlet.post('register')),
  ];
  await hamlet.post('messages', {
    type: 'stream',
    to: 'Verona',
    topic: 'echo',
    content: 'Echo',
    queue_id: sender.queueId,
    local_id: '1.5',
  });
  // The message starts a topic, which its sender follows.
  const [muted, followed, own] = await sender.drain();
  checkEvent(muted);
  checkEvent(followed);
  checkEvent(own, { hasLocalId: true });
  assert.equal(own.local_message_id, '1.5');
  for (const event of await other.drain()) checkEvent(event);
});

test('no error has a field that the Go client does not know for its code', async () => {
  const [owner, hamlet, polonius] = [as('desdemona'), as('hamlet'), as('polonius')];
  const stranger = new FormClient({ url: server.url, email: 'iago@zulip.com', api_key: 'A'.repeat(32) });
  const refusals: [FormClient, string, string, object?][] = [
    [stranger, 'GET', 'users/me'],
    [new FormClient({ url: server.url }), 'POST', 'register'],
    [new FormClient({ url: server.url }), 'POST', 'fetch_api_key', { username: 'iago@zulip.com', password: 'wrong' }],
    [hamlet, 'GET', 'no/such/path'],
    [hamlet, 'GET', 'events', { queue_id: 'no such queue', last_event_id: 0 }],
    [hamlet, 'DELETE', 'events', { queue_id: 'no such queue' }],
    [hamlet, 'GET', 'messages', { anchor: 'newest', narrow: [{ operator: 'colour', operand: 'blue' }] }],
    [hamlet, 'POST', 'messages', {}],
    [hamlet, 'POST', 'messages', { type: 'stream', to: 'no such channel', topic: 'x', content: 'x' }],
    [hamlet, 'POST', 'messages', { type: 'stream', to: 4711, topic: 'x', content: 'x' }],
    [hamlet, 'POST', 'messages', { type: 'stream', to: 'Verona', topic: 'x', subject: 'y', content: 'x' }],
    [hamlet, 'POST', 'messages', { type: 'direct', to: [4711], content: 'x' }],
    [hamlet, 'POST', 'messages/flags', { messages: 'x', op: 'add', flag: 'read' }],
    [hamlet, 'DELETE', 'users/me/subscriptions', { subscriptions: ['no such channel'] }],
    [hamlet, 'POST', 'channels/create', { name: 'verona', subscribers: [] }],
    [hamlet, 'POST', 'channels/create', { name: 'x'.repeat(61), subscribers: [] }],
    [hamlet, 'POST', 'users', { email: 'x@example.com', full_name: 'Xerxes' }],
    [hamlet, 'PATCH', 'streams/4711', { new_name: 'x' }],
    [hamlet, 'GET', 'get_stream_id', { stream: 'no such channel' }],
    [owner, 'DELETE', 'users/me'],
    [polonius, 'POST', 'channels/create', { name: 'x', subscribers: [] }],
    [polonius, 'POST', 'register', { all_public_streams: true }],
  ];
  const codes = new Set<string>();
  for (const [client, method, path, parameters = {}] of refusals) {
    const { status, body } = await client.send(method, path, parameters as Record<string, unknown>);
    assert.ok(status >= 400 && status < 500, `${method} ${path} ${JSON.stringify(parameters)}: ${status}`);
    checkError(body);
    codes.add(body.code);
  }
  for (const code of [
    'BAD_EVENT_QUEUE_ID',
    'BAD_NARROW',
    'STREAM_DOES_NOT_EXIST',
    'REQUEST_VARIABLE_MISSING',
    'UNAUTHORIZED',
  ]) {
    assert.ok(codes.has(code), code);
  }
});

test("the Go client's development login sends the name in the query of a POST without a body", async () => {
  const response = await fetch(`${server.url}/api/v1/dev_fetch_api_key?username=hamlet%40zulip.com`, {
    method: 'POST',
  });
  const body = (await response.json()) as Body;
  assert.deepEqual([body.email, body.api_key], ['hamlet@zulip.com', server.account('hamlet').api_key]);
});

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { EventReader } from './event-reader.ts';
import { type Body, FormClient } from './form-client.ts';
import { ServerProcess } from './server-process.ts';

const USER_AGENT = 'ZulipPython/0.9.1 (Debian GNU/Linux; 12)';

const server = await ServerProcess.start({ after });

const as = (name: string, userAgent = USER_AGENT) =>
  new FormClient({ url: server.url, ...server.account(name), userAgent });
const idOf = (name: string) => server.account(name).user_id;

/** A request whose path and headers are sent unchanged. */
function raw(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  body = '',
): Promise<{ status: number; body: Body }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }));
    });
    sent.on('error', reject).end(body);
  });
}

function authorization(name: string, key = server.account(name).api_key): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${server.account(name).email}:${key}`).toString('base64')}` };
}

test('the first call of the Python client returns the settings with any credentials', async () => {
  for (const headers of [authorization('hamlet'), authorization('hamlet', 'wrong'), { authorization: 'Basic ???' }]) {
    const { status, body } = await raw('/api/v1/server_settings', { ...headers, 'user-agent': USER_AGENT });
    assert.deepEqual([status, typeof body.zulip_version, typeof body.zulip_feature_level], [200, 'string', 'number']);
  }
});

test('urlencoded bodies are accepted with every method', async () => {
  const hamlet = as('hamlet');
  const iago = as('iago');
  await hamlet.post('users/me/subscriptions', {
    subscriptions: [{ name: 'python', description: 'ünïcode & signs = +' }],
  });
  const { stream_id } = await hamlet.get('get_stream_id', { stream: 'python' });
  await iago.patch(`streams/${stream_id}`, { description: 'Changed' });
  const { subscriptions } = await hamlet.get('users/me/subscriptions');
  assert.equal(subscriptions.find((one: Body) => one.stream_id === stream_id).description, 'Changed');
  assert.deepEqual((await hamlet.get(`streams/${stream_id}/members`)).subscribers, [idOf('hamlet')]);
  assert.deepEqual((await hamlet.delete('users/me/subscriptions', { subscriptions: ['python'] })).removed, ['python']);
  const { queue_id } = await hamlet.post('register', { narrow: [], event_types: ['message'] });
  await hamlet.delete('events', { queue_id });
});

test('dont_block of a repeated request is ignored and reported', async () => {
  const hamlet = as('hamlet');
  const again = { dont_block: true };
  const calls: [string, string, object][] = [
    ['GET', 'users/me', {}],
    ['GET', 'users', { client_gravatar: true }],
    ['GET', 'streams', {}],
    ['GET', 'users/me/subscriptions', {}],
    ['GET', 'messages', { anchor: 'newest', num_before: 1, num_after: 0 }],
    ['POST', 'messages', { type: 'stream', to: 'Verona', topic: 'again', content: 'Once more' }],
    ['POST', 'register', { narrow: [] }],
    ['POST', 'users/me/subscriptions', { subscriptions: [{ name: 'Verona' }] }],
    ['DELETE', 'users/me/subscriptions', { subscriptions: ['sandbox'] }],
  ];
  for (const [method, path, parameters] of calls) {
    const body = await hamlet.ask(method, path, { ...parameters, ...again });
    assert.deepEqual(body.ignored_parameters_unsupported, ['dont_block'], `${method} ${path}`);
  }
  const { queue_id } = await hamlet.post('register', { narrow: [], event_types: ['message'] });
  const { events, ignored_parameters_unsupported } = await hamlet.get('events', {
    queue_id,
    last_event_id: -1,
    ...again,
  });
  assert.deepEqual([events, ignored_parameters_unsupported], [[], undefined]);
});

test('double slashes in a path are ignored', async () => {
  const headers = { ...authorization('hamlet'), 'user-agent': USER_AGENT };
  for (const path of ['/api/v1//users/me', '/api//v1/users//me', '//api/v1/users/me', '/api/v1/users/me/']) {
    const { status, body } = await raw(path, headers);
    assert.deepEqual([status, body.user_id], [200, idOf('hamlet')], path);
  }
});

test('the client of a message is the first word of the User-Agent', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const message = new URLSearchParams({ type: 'stream', to: 'Verona', subject: 'programs', content: 'x' }).toString();
  for (const [userAgent, expected, isRead] of [
    [USER_AGENT, 'ZulipPython', false],
    ['ZulipTerminal/0.7.0+git Linux-6.1 (Debian GNU/Linux; 12)', 'ZulipTerminal', true],
    ['ZulipFlutter/30.0.274+274 (Android 14)', 'ZulipFlutter', true],
    ['ZulipMobile/flutter', 'ZulipMobile', true],
    ['my bot/2', 'my', false],
    ['curl/8.5.0', 'curl', false],
    ['A-name-longer-than-any-program-should-have/1', 'A-name-longer-than-any-program', false],
    ['', 'Unspecified', false],
    [undefined, 'Unspecified', false],
  ] as const) {
    const headers = {
      ...authorization('hamlet'),
      ...form,
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    };
    const { body } = await raw('/api/v1/messages', headers, 'POST', message);
    assert.equal(body.result, 'success', JSON.stringify(body));
    const { message: stored } = await as('hamlet').get(`messages/${body.id}`);
    assert.deepEqual([stored.client, stored.flags.includes('read')], [expected, isRead], String(userAgent));
  }
});

// `examples/edit-message` of the package sends it.
test('the old name subject is accepted for the topic', async () => {
  const hamlet = as('hamlet');
  const { stream_id } = await hamlet.get('get_stream_id', { stream: 'Verona' });
  const { id } = await hamlet.post('messages', { type: 'stream', to: 'Verona', subject: 'old name', content: 'x' });
  const edited = await hamlet.patch(`messages/${id}`, { subject: 'newer name', content: 'y' });
  assert.equal(edited.ignored_parameters_unsupported, undefined);
  const { message } = await hamlet.get(`messages/${id}`, { apply_markdown: false });
  assert.deepEqual([message.subject, message.content], ['newer name', 'y']);
  const later = { content: 'x', scheduled_delivery_timestamp: 4102444800 };
  const { scheduled_message_id } = await hamlet.post('scheduled_messages', {
    type: 'stream',
    to: stream_id,
    subject: 'old name',
    ...later,
  });
  await hamlet.patch(`scheduled_messages/${scheduled_message_id}`, { subject: 'newer name' });
  const { scheduled_messages } = await hamlet.get('scheduled_messages');
  assert.equal(scheduled_messages[0].topic, 'newer name');
  await hamlet.delete(`scheduled_messages/${scheduled_message_id}`);
  const typing = await hamlet.post('typing', { type: 'stream', op: 'start', stream_id, subject: 'newer name' });
  assert.equal(typing.ignored_parameters_unsupported, undefined);
  const both = await hamlet.patch(`messages/${id}`, { subject: 'ignored', topic: 'newest name' });
  assert.deepEqual(both.ignored_parameters_unsupported, ['subject']);
});

test('recipients are accepted as name, address or list, bare or as JSON', async () => {
  const hamlet = as('hamlet');
  const zoe = await as('zoe').get('users/me');
  const reader = new EventReader(as('zoe'), await as('zoe').post('register', { narrow: [], event_types: ['message'] }));
  const sent: number[] = [];
  for (const [type, to] of [
    ['stream', 'Verona'],
    ['stream', ['Verona']],
    ['stream', '"Verona"'],
    ['private', zoe.email],
    ['private', [zoe.email]],
    ['private', `${zoe.email}, ${server.account('aaron').email}`],
    ['private', [zoe.user_id]],
    ['direct', [zoe.user_id, idOf('aaron')]],
  ] as const) {
    const { id } = await hamlet.post('messages', {
      type,
      to,
      ...(type === 'stream' ? { topic: 'to' } : {}),
      content: 'To you',
    });
    sent.push(id);
  }
  const events = await reader.drain();
  assert.deepEqual(
    events.map((event) => event.message.id),
    sent,
  );
  for (const { message } of events) {
    assert.deepEqual(
      [message.sender_id, message.sender_full_name, typeof message.sender_email],
      [idOf('hamlet'), 'King Hamlet', 'string'],
    );
    if (message.type === 'private')
      for (const { id, email } of message.display_recipient)
        assert.deepEqual([typeof id, typeof email], ['number', 'string']);
  }
});

test('a bot reads its profile, receives a mention in its channel and responds with a direct message', async () => {
  const made = await as('iago').post('bots', { full_name: 'Echo Bot', short_name: 'echo' });
  const bot = new FormClient({
    url: server.url,
    email: made.email,
    api_key: made.api_key,
    userAgent: 'ZulipBotEcho/0.9.1 (Debian GNU/Linux; 12)',
  });
  const profile = await bot.get('users/me');
  assert.deepEqual([profile.user_id, profile.full_name, profile.email], [made.user_id, 'Echo Bot', made.email]);
  const reader = new EventReader(bot, await bot.post('register', { narrow: [], event_types: ['message'] }));
  await as('hamlet').post('messages', { type: 'private', to: [made.email], content: 'Hello?' });
  const [{ message }] = await reader.drain();
  await bot.post('messages', {
    type: 'private',
    to: message.display_recipient.map((one: Body) => one.id),
    content: message.content,
  });
  const [{ message: echo }] = await reader.drain();
  assert.deepEqual([echo.sender_id, echo.client], [made.user_id, 'ZulipBotEcho']);
});

test('an expired queue and wrong parameters are refused with a message that the Python client shows', async () => {
  const hamlet = as('hamlet');
  const lost = await hamlet.send('GET', 'events', { queue_id: 'long gone', last_event_id: 7 });
  assert.deepEqual([lost.status, lost.body.code, typeof lost.body.msg], [400, 'BAD_EVENT_QUEUE_ID', 'string']);
  for (const [path, parameters] of [
    ['messages', { type: 'stream', to: 'Verona', topic: 'x' }],
    ['messages/flags', { messages: 'all of them', op: 'add', flag: 'read' }],
    ['users/me/subscriptions', { subscriptions: 'Verona' }],
  ] as const) {
    const { status, body } = await hamlet.send('POST', path, parameters);
    assert.deepEqual([status, body.result, typeof body.code], [400, 'error', 'string'], path);
  }
});

test('a word in a parameter that also accepts other types may be bare or JSON', async () => {
  const hamlet = as('hamlet');
  for (const idle_queue_timeout of ['mobile', '"mobile"', 900])
    await hamlet.post('register', { narrow: [], event_types: [], idle_queue_timeout });
  for (const include_subscribers of ['partial', '"partial"', true, false]) {
    await hamlet.get('users/me/subscriptions', { include_subscribers });
    await hamlet.post('register', { narrow: [], event_types: ['subscription'], include_subscribers });
  }
  const { status } = await hamlet.send('POST', 'register', { idle_queue_timeout: 'desktop' });
  assert.equal(status, 400);
});

test('bot storage is set from one JSON object and read by keys in the query', async () => {
  const hamlet = as('hamlet');
  const set = (storage: object) => hamlet.ask('PUT', 'bot_storage', { storage });
  await set({ 'entry 1': JSON.stringify({ count: 1 }), 'entry 2': '"two"', constructor: '3' });
  await set({ 'entry 2': '"zwei"' });
  const { storage } = await hamlet.get('bot_storage', { keys: ['entry 1', 'entry 2'] });
  assert.deepEqual(storage, { 'entry 1': '{"count":1}', 'entry 2': '"zwei"' });
  const unknown = await hamlet.send('GET', 'bot_storage', { keys: ['entry 3'] });
  assert.deepEqual([unknown.status, unknown.body.result, unknown.body.code], [400, 'error', 'BAD_REQUEST']);
  await hamlet.delete('bot_storage', { keys: ['entry 1', 'constructor'] });
  assert.deepEqual((await hamlet.get('bot_storage')).storage, { 'entry 2': '"zwei"' });
  await hamlet.delete('bot_storage');
  assert.deepEqual((await hamlet.get('bot_storage')).storage, {});
});

test('removing a user group deactivates it', async () => {
  const iago = as('iago');
  await iago.post('user_groups/create', { name: 'players', description: 'On tour', members: [idOf('hamlet')] });
  const { user_groups } = await iago.get('user_groups');
  const { id } = user_groups.find((group: Body) => group.name === 'players');
  await iago.delete(`user_groups/${id}`);
  const all = await iago.get('user_groups', { include_deactivated_groups: true });
  assert.equal(all.user_groups.find((group: Body) => group.id === id).deactivated, true);
});

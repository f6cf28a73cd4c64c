import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../support/until.ts';
import type { Body } from './form-client.ts';
import { ServerProcess } from './server-process.ts';
import { zulip } from './zulip-js.ts';
import { Listening } from './zulip-js-listening.ts';

const server = await ServerProcess.start({ after });

const withPassword = (name: string) => ({
  realm: server.url,
  username: server.account(name).email,
  password: server.account(name).password,
});

function ok(body: Body): Body {
  assert.equal(body.result, 'success', JSON.stringify(body));
  assert.equal(body.ignored_parameters_unsupported, undefined);
  return body;
}

const idsOf = (messages: { id: number }[]) => messages.map((message) => message.id);

test('zulip-js logs in with a password, with a key and from a zuliprc', async (t) => {
  const { email, api_key, user_id } = server.account('hamlet');
  const byPassword = await zulip(withPassword('hamlet'));
  assert.equal(byPassword.config.apiKey, api_key);
  const byKey = await zulip({ realm: `${server.url}/api`, username: email, apiKey: api_key });
  const folder = await mkdtemp(join(tmpdir(), 'parlance-zuliprc-'));
  t.after(() => rm(folder, { recursive: true }));
  const zuliprc = join(folder, 'zuliprc');
  await writeFile(zuliprc, `[api]\nemail=${email}\nkey=${api_key}\nsite=${server.url}\n`);
  for (const client of [byPassword, byKey, await zulip({ zuliprc })]) {
    assert.equal(ok(await client.users.me.getProfile()).user_id, user_id);
  }
});

test('a wrong password returns no key, and calls without one are refused in JSON', async () => {
  const client = await zulip({ ...withPassword('hamlet'), password: 'wrong' });
  assert.equal(client.config.apiKey, undefined);
  const answer = await client.users.me.getProfile();
  assert.deepEqual([answer.result, answer.code], ['error', 'UNAUTHORIZED']);
  assert.equal(ok(await client.server.settings()).realm_uri, server.url);
});

test('zulip-js creates an account that can be found and can log in', async () => {
  const iago = await zulip(withPassword('iago'));
  const made = { email: 'fortinbras@example.com', full_name: 'Fortinbras', password: 'a long password' };
  const { user_id } = ok(await iago.users.create(made));
  const { members } = ok(await iago.users.retrieve({ client_gravatar: true }));
  const found = members.find((member: { user_id: number }) => member.user_id === user_id);
  assert.deepEqual(
    [found.full_name, found.delivery_email, found.is_active, found.role],
    ['Fortinbras', made.email, true, 400],
  );
  const fortinbras = await zulip({ realm: server.url, username: made.email, password: made.password });
  assert.equal(ok(await fortinbras.users.me.getProfile()).user_id, user_id);
  const again = await iago.users.create(made);
  assert.deepEqual([again.result, again.code], ['error', 'EMAIL_ALREADY_IN_USE']);
});

test('zulip-js subscribes users, sends to the channel and unsubscribes', async () => {
  const hamlet = await zulip(withPassword('hamlet'));
  const zoe = server.account('zoe').user_id;
  const joined = ok(
    await hamlet.users.me.subscriptions.add({
      subscriptions: [{ name: 'Elsinore', description: 'Ramparts, & more' }],
      principals: [zoe],
    }),
  );
  assert.deepEqual(joined.subscribed, { [zoe]: ['Elsinore'] });
  ok(await hamlet.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'Elsinore' }]) }));
  const { subscriptions } = ok(await hamlet.streams.subscriptions.retrieve({ include_subscribers: true }));
  const elsinore = subscriptions.find((one: { name: string }) => one.name === 'Elsinore');
  assert.deepEqual(elsinore.subscribers.sort(), [server.account('hamlet').user_id, zoe].sort());
  assert.equal(elsinore.description, 'Ramparts, & more');
  assert.equal(ok(await hamlet.streams.getStreamId('Elsinore')).stream_id, elsinore.stream_id);
  const { streams } = ok(await hamlet.streams.retrieve());
  assert.ok(streams.some((one: { stream_id: number }) => one.stream_id === elsinore.stream_id));
  const text = 'Who\'s there? "Nay", 100% & more + 🏰';
  const { id } = ok(
    await hamlet.messages.send({ to: 'Elsinore', type: 'stream', subject: 'ghosts & such', content: text }),
  );
  const byId = ok(
    await hamlet.messages.send({
      to: elsinore.stream_id,
      type: 'channel',
      topic: 'ghosts & such',
      content: 'By number',
    }),
  );
  const { messages } = ok(
    await hamlet.messages.retrieve({
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      apply_markdown: false,
      narrow: [
        { operator: 'stream', operand: 'Elsinore' },
        { operator: 'topic', operand: 'ghosts & such' },
      ],
    }),
  );
  assert.deepEqual(idsOf(messages), [id, byId.id]);
  assert.equal(messages[0].content, text);
  const { topics } = ok(await hamlet.streams.topics.retrieve({ stream_id: elsinore.stream_id }));
  assert.deepEqual(topics[0], { name: 'ghosts & such', max_id: byId.id });
  const left = ok(await hamlet.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['Elsinore']) }));
  assert.deepEqual(left.removed, ['Elsinore']);
  const iago = await zulip(withPassword('iago'));
  ok(
    await iago.callEndpoint(`/streams/${elsinore.stream_id}`, 'PATCH', {
      description: 'Empty & cold',
      is_private: false,
    }),
  );
  ok(await iago.streams.deleteById({ stream_id: elsinore.stream_id }));
  const after = ok(await iago.streams.retrieve());
  assert.equal(
    after.streams.some((one: { stream_id: number }) => one.stream_id === elsinore.stream_id),
    false,
  );
});

test('zulip-js sends direct messages by address and by ID, and reads them', async () => {
  const [hamlet, cordelia] = [await zulip(withPassword('hamlet')), await zulip(withPassword('cordelia'))];
  const { email, user_id } = server.account('cordelia');
  const sent = [
    ok(await hamlet.messages.send({ to: email, type: 'private', content: 'By address' })),
    ok(await hamlet.messages.send({ to: [email], type: 'private', content: 'By a list of addresses' })),
    ok(await hamlet.messages.send({ to: [user_id], type: 'direct', content: 'By number' })),
  ].map((answer) => answer.id);
  const read = (client: typeof hamlet, operand: unknown) =>
    client.messages.retrieve({ anchor: 'newest', num_before: 3, num_after: 0, narrow: [{ operator: 'dm', operand }] });
  assert.deepEqual(idsOf(ok(await read(cordelia, [server.account('hamlet').user_id])).messages), sent);
  assert.deepEqual(idsOf(ok(await read(hamlet, email)).messages), sent);
  const one = ok(await cordelia.messages.getById({ message_id: sent[2] }));
  assert.equal(one.raw_content, 'By number');
  assert.deepEqual(
    one.message.display_recipient.map((person: { id: number }) => person.id).sort(),
    [server.account('hamlet').user_id, user_id].sort(),
  );
});

test('zulip-js marks messages as read and unread through flags', async () => {
  const [hamlet, othello] = [await zulip(withPassword('hamlet')), await zulip(withPassword('othello'))];
  const { id } = ok(await hamlet.messages.send({ to: 'Verona', type: 'stream', topic: 'flags', content: 'Read me' }));
  const flags = async () => ok(await othello.messages.getById({ message_id: id })).message.flags;
  assert.deepEqual(await flags(), []);
  assert.deepEqual(ok(await othello.messages.flags.add({ messages: [id], flag: 'read' })).messages, [id]);
  assert.deepEqual(await flags(), ['read']);
  ok(await othello.messages.flags.remove({ messages: [id], flag: 'read' }));
  ok(await othello.messages.flags.add({ messages: [id], flag: 'starred' }));
  assert.deepEqual(await flags(), ['starred']);
});

test('a POST with an empty form is accepted as a call without parameters', async () => {
  const iago = await zulip(withPassword('iago'));
  const { user_id } = ok(
    await iago.users.create({ email: 'yorick@example.com', full_name: 'Yorick', password: 'a long password' }),
  );
  ok(await iago.callEndpoint(`users/${user_id}`, 'DELETE'));
  ok(await iago.callEndpoint(`users/${user_id}/reactivate`, 'POST', {}));
  const missing = await iago.callEndpoint('/messages', 'POST', {});
  assert.deepEqual([missing.code, missing.var_name], ['REQUEST_VARIABLE_MISSING', 'type']);
  const absent = await iago.callEndpoint('/no/such/thing', 'POST', { a: 1 });
  assert.equal(absent.result, 'error');
});

test('zulip-js lists the linkifiers as filters', async () => {
  const iago = await zulip(withPassword('iago'));
  const linkifier = { pattern: 'play-(?P<id>[0-9]+)', url_template: 'https://plays.example.com/{id}' };
  const { id } = ok(await iago.callEndpoint('/realm/filters', 'POST', linkifier));
  const { linkifiers } = ok(await iago.filters.retrieve());
  assert.deepEqual(
    linkifiers.find((one: { id: number }) => one.id === id),
    { id, ...linkifier },
  );
  ok(await iago.callEndpoint(`/realm/filters/${id}`, 'DELETE'));
});

test('zulip-js registers a queue, polls it, waits on it and deletes it', async () => {
  const [hamlet, zoe] = [await zulip(withPassword('hamlet')), await zulip(withPassword('zoe'))];
  const { queue_id, last_event_id, max_message_id } = ok(
    await zoe.queues.register({ event_types: ['message', 'realm_user'] }),
  );
  const retrieve = (last: number, more: object = {}) => zoe.events.retrieve({ queue_id, last_event_id: last, ...more });
  assert.deepEqual(ok(await retrieve(last_event_id, { dont_block: true })).events, []);
  const waiting = retrieve(last_event_id);
  const { id } = ok(await hamlet.messages.send({ to: 'Verona', type: 'stream', topic: 'queues', content: 'One' }));
  assert.ok(id > max_message_id);
  const [first] = ok(await waiting).events;
  assert.deepEqual([first.type, first.message.id, first.flags], ['message', id, []]);
  const second = ok(await hamlet.messages.send({ to: 'Verona', type: 'stream', topic: 'queues', content: 'Two' }));
  const { events } = ok(await retrieve(first.id, { dont_block: true }));
  assert.deepEqual(
    events.map((event: { message: { id: number } }) => event.message.id),
    [second.id],
  );
  ok(await zoe.queues.deregister({ queue_id }));
  const gone = await retrieve(events[0].id);
  assert.deepEqual([gone.result, gone.code, gone.queue_id], ['error', 'BAD_EVENT_QUEUE_ID', queue_id]);
});

test('callOnEachEvent passes every message once, in order, also to the sender', async (t) => {
  const aaron = new Listening(t, withPassword('aaron'), ['message', 'subscription', 'realm_user']);
  const [shiva, own] = [await zulip(withPassword('shiva')), await zulip(withPassword('aaron'))];
  const verona = { to: 'Verona', type: 'stream', topic: 'listening' };
  // The listener misses messages from before it has its queue.
  let knocks = 0;
  await until('the listener gets a message', async () => {
    if (aaron.events.length > 0) return true;
    knocks++;
    const { id } = ok(await shiva.messages.send({ ...verona, content: `knock ${knocks}` }));
    await aaron.until((event) => event.message?.id === id, 500).catch(() => undefined);
  });
  const sent: number[] = [];
  for (let i = 0; i < 20; i++) {
    const sender = i % 4 === 0 ? own : shiva;
    sent.push(
      ok(
        await sender.messages.send(
          i % 5 === 0
            ? { to: [server.account('aaron').user_id], type: 'direct', content: `${i}` }
            : { ...verona, content: `${i}` },
        ),
      ).id,
    );
  }
  ok(await own.users.me.subscriptions.add({ subscriptions: [{ name: 'aerie' }] }));
  await aaron.until((event) => event.type === 'subscription' && event.op === 'add');
  const heard = aaron.events.filter((event) => event.type === 'message').map((event) => event.message.id);
  assert.deepEqual(
    heard.filter((id) => id >= (sent[0] as number) && id <= (sent.at(-1) as number)),
    sent,
  );
  assert.equal(new Set(heard).size, heard.length);
  const ids = aaron.events.map((event) => event.id);
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  );
});

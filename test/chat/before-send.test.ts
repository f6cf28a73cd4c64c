import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as v from 'valibot';
import { nonEmptyText, secret } from '../../lib/base/schemas.ts';
import { ChatError, HookFailed, type Hooks, type Logger, type ProposedMessage } from '../../lib/index.ts';
import { BadRequest, repeatable, transportOf } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { serve } from '../../server/index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

async function open(t: TestContext, beforeSend: Hooks['beforeSend'], logger: Logger = silent, timeoutMs = 5_000) {
  const hooks: Hooks = { timeoutMs, ...(beforeSend ? { beforeSend } : {}) };
  const made = await testChat({ hooks, logger });
  t.after(() => made.close());
  const { people, channels } = made;
  const send = (content: string) => people.dora.messages.send({ type: 'channel', to: 'general', topic: 'a', content });
  const newest = async () => {
    const { messages } = await people.ada.messages.list({ anchor: 'newest', num_before: 1, apply_markdown: false });
    return messages[0];
  };
  return { ...made, send, newest, channels };
}

const refusal = (msg: string | RegExp) => (error: unknown) =>
  error instanceof ChatError &&
  error.code === 'BAD_REQUEST' &&
  (typeof msg === 'string' ? error.message === msg : msg.test(error.message));

test('a beforeSend hook refuses a message with its reason or changes its content', async (t) => {
  const seen: (ProposedMessage & { by: number })[] = [];
  const { people, channels, send, newest } = await open(t, (message, { sender }) => {
    seen.push({ ...message, by: sender.user_id });
    if (message.content.includes('hunter2')) return { refuse: 'No passwords here.' };
    return message.content.includes('duck') ? { content: message.content.replace('duck', '****') } : undefined;
  });
  await assert.rejects(send('it is hunter2'), refusal('No passwords here.'));
  await send('what the duck');
  assert.equal((await newest())?.content, 'what the ****');
  const by = people.dora.user_id;
  const place = { type: 'channel', channel_id: channels.general, topic: 'a' };
  assert.deepEqual(seen, [
    { kind: 'send', ...place, content: 'it is hunter2', by },
    { kind: 'send', ...place, content: 'what the duck', by },
  ]);
  const { id } = await people.dora.messages.send({ type: 'direct', to: ['ada@example.com'], content: 'plain' });
  assert.deepEqual(seen[2]?.user_ids, [people.ada.user_id, by]);
  await assert.rejects(
    people.dora.messages.edit({ message_id: id, content: 'hunter2' }),
    refusal('No passwords here.'),
  );
  await people.dora.messages.edit({ message_id: id, content: 'a duck' });
  const edit = { kind: 'edit', type: 'direct', user_ids: [people.ada.user_id, by], message_id: id };
  assert.deepEqual(seen.slice(3), [
    { ...edit, content: 'hunter2', previous_content: 'plain', by },
    { ...edit, content: 'a duck', previous_content: 'plain', by },
  ]);
  assert.equal((await newest())?.content, 'a ****');
});

test('a call that is repeated while the hook decides gets the answer of the first one', async (t) => {
  let calls = 0;
  let sendFirst: () => Promise<unknown> = async () => undefined;
  const { people, newest } = await open(t, async () => {
    if (++calls === 2) return undefined;
    await sendFirst();
    return { refuse: 'Sent twice.' };
  });
  const call = (idempotency_key: string) =>
    people.dora.messages.send({ type: 'channel', to: 'general', topic: 'a', content: 'b', idempotency_key });
  let first: unknown;
  sendFirst = async () => {
    first = await call('one');
  };
  assert.deepEqual(await call('one'), first);
  assert.equal((await newest())?.id, (first as { id: number }).id);
  assert.equal(calls, 2);
  sendFirst = async () => undefined;
  await assert.rejects(call('two'), refusal('Sent twice.'));
});

test('a call with a token gets no secret from the stored answer of a call that a hook has checked', async (t) => {
  let asked = 0;
  const { chat, people } = await open(t, () => void asked++);
  const sendLink = defineOperation({
    name: 'club.sendLink',
    http: 'POST /club/link',
    summary: 'Send a link to the club',
    access: 'user',
    effect: 'append',
    params: { content: nonEmptyText(), ...repeatable },
    result: v.object({ count: v.number(), link: v.optional(secret(v.string(), 'Link that joins the club.')) }),
    propose: async (_, { content }) => ({
      message: { kind: 'send', type: 'direct', user_ids: [], content },
      pinned: {},
    }),
    run: async () => ({ count: 1, link: '/join/secret' }),
  });
  const { engine, checkLogin } = transportOf(chat);
  const { user_id: userId } = people.dora;
  const { token } = await chat.tokens.create({ user: userId, ttlSeconds: 60 });
  const withToken = { ...(await checkLogin('token', token)), client: 'Tests' };
  const values = { content: 'Join us', idempotency_key: 'one' };
  assert.deepEqual(await engine.call(sendLink, { userId, client: 'Tests' }, values), {
    count: 1,
    link: '/join/secret',
  });
  assert.deepEqual(await engine.call(sendLink, withToken, values), { count: 1 });
  assert.equal(asked, 1);
});

test('a beforeSend hook is not called for refused messages, dry runs and messages of the server', async (t) => {
  let asked = 0;
  const { people, channels, chat, clock } = await open(t, () => {
    asked++;
    return { refuse: 'no' };
  });
  const { id } = await people.ada.channels.create({
    name: 'secret',
    subscribers: [people.ada.user_id],
    invite_only: true,
  });
  const toBoard = { type: 'channel', to: id, topic: 'a', content: 'b' } as const;
  await assert.rejects(people.dora.messages.send(toBoard), { code: 'STREAM_DOES_NOT_EXIST' });
  await assert.rejects(people.dora.messages.send({ ...toBoard, to: channels.general, content: ' ' }), /empty/);
  await people.ada.dryRun.messages.send(toBoard);
  assert.equal((await chat.why(people.ada, 'messages.send', toBoard)).allowed, true);
  assert.equal(asked, 0);
  await assert.rejects(people.ada.messages.send(toBoard), refusal('no'));
  await people.ada.channels.create({ name: 'new', subscribers: [people.ben.user_id], announce: true });
  clock.advance({ minutes: 1 });
  await chat.runDue();
  assert.equal(asked, 1);
});

test('a beforeSend hook that throws, times out or returns an invalid value refuses with 500', async (t) => {
  const said: string[] = [];
  const logger = { ...silent, error: (_: object, message: string) => void said.push(message) };
  const answers: Hooks['beforeSend'] = ({ content }, { signal }) => {
    if (content === 'throw') throw new BadRequest('from a chat that it asked');
    if (content === 'wait') return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    return content === 'false' ? (false as never) : undefined;
  };
  const { chat, people, send, newest } = await open(t, answers, logger, 50);
  for (const content of ['throw', 'wait', 'false']) await assert.rejects(send(content), HookFailed);
  assert.deepEqual(said, [
    'The hook beforeSend failed.',
    'The hook beforeSend took longer than 50 ms.',
    'The hook beforeSend must return undefined, { content } or { refuse } with a reason.',
  ]);
  await send('fine');
  assert.equal((await newest())?.content, 'fine');
  const server = await serve(chat, { port: 0 });
  t.after(() => server.close());
  const { email } = people.dora;
  const response = await fetch(`${server.url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${email}:${await chat.apiKeyOf(email)}`)}` },
    body: new URLSearchParams({ type: 'channel', to: '"general"', topic: 'a', content: 'throw' }),
  });
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /hook/i);
});

test('changes made while a beforeSend hook runs are checked afterwards', async (t) => {
  let meanwhile: () => Promise<unknown> = async () => undefined;
  const { people, channels, send } = await open(t, () => meanwhile().then(() => undefined));
  const { id } = await send('before');
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await people.dora.messages.edit({ message_id: id, content: 'by another client' });
  };
  await assert.rejects(people.dora.messages.edit({ message_id: id, content: 'mine' }), {
    code: 'EXPECTATION_MISMATCH',
  });
  meanwhile = () => people.ada.channels.archive({ stream_id: channels.general });
  await assert.rejects(send('too late'), /archived/);
});

test('a message is not sent by an account that gets the external ID of the sender while a beforeSend hook runs', async (t) => {
  let meanwhile: () => Promise<unknown> = async () => undefined;
  const { chat, people } = await open(t, () => meanwhile().then(() => undefined));
  const { storage } = transportOf(chat).engine;
  const name = (account: number, external_id: string) =>
    storage.write((tx) => tx.users.update(account, { external_id }));
  const [dora, ada] = [people.dora.user_id, people.ada.user_id];
  await name(dora, 'first');
  meanwhile = async () => {
    await name(dora, 'second');
    await name(ada, 'first');
  };
  const session = chat.as({ external_id: 'first' });
  await assert.rejects(session.messages.send({ type: 'channel', to: 'general', topic: 'a', content: 'x' }), {
    code: 'UNAUTHORIZED',
  });
});

test('a scheduled message refused by a beforeSend hook fails with the reason', async (t) => {
  const seen: unknown[] = [];
  const { people, chat, clock, newest } = await open(t, ({ kind, user_ids, content }) => {
    seen.push([kind, user_ids]);
    return content === 'bad' ? { refuse: 'Not any more.' } : { content: `${content}!` };
  });
  const schedule = (content: string) =>
    people.dora.scheduledMessages.create({
      type: 'direct',
      to: [people.ada.user_id],
      content,
      scheduled_delivery_timestamp: clock.now() / 1000 + 60,
    });
  await schedule('bad');
  await schedule('good');
  clock.advance({ minutes: 1 });
  await chat.runDue();
  const proposed = ['scheduled', [people.ada.user_id, people.dora.user_id]];
  assert.deepEqual(seen, [proposed, proposed], 'the hook gets the users in ascending order');
  assert.equal((await newest())?.content, 'good!');
  const { scheduled_messages } = await people.dora.scheduledMessages.list();
  assert.deepEqual(
    scheduled_messages.map(({ content, failed }) => [content, failed]),
    [['bad', true]],
  );
  const { messages } = await people.dora.messages.list({ anchor: 'newest', num_before: 5, apply_markdown: false });
  assert.ok(messages.some(({ content }) => content.includes('Not any more.')));
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { setPasswordCost } from '../../lib/domains/users/passwords.ts';
import { ChatError, connect } from '../../lib/index.ts';
import { type Caller, transportOf } from '../../lib/internal.ts';
import { sendEmail } from '../../lib/jobs/outbox.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
import { TestClock } from '../../lib/testing/testing.ts';
import { basic, running, runningOperations } from './running.ts';

test('a dry run returns response and events of an operation and changes nothing', async (t) => {
  const { send, chat, owner, state } = await running(t);
  const before = await state();
  const form = { name: 'harbour', subscribers: JSON.stringify([owner.user_id]) };
  const tried = await send('POST', '/api/v1/dry_run/channels/create', { form });
  assert.equal(tried.status, 200, tried.text);
  assert.equal(tried.headers['parlance-trial'], 'dry_run');
  assert.equal(tried.body.result, 'success');
  assert.deepEqual(Object.keys(tried.body.answer), ['id']);
  const names = tried.body.events.map((event: { type: string; op?: string }) => [event.type, event.op].join('/'));
  assert.ok(names.includes('stream/create'), names.join());
  assert.deepEqual(tried.body.side_effects, []);
  assert.deepEqual(await state(), before);
  assert.deepEqual((await chat.as(owner).channels.list()).streams, []);
});

test('a dry run of a refused operation returns the same error', async (t) => {
  const { send } = await running(t);
  const done = await send('DELETE', '/api/v1/streams/99');
  const tried = await send('DELETE', '/api/v1/dry_run/streams/99');
  assert.deepEqual([tried.status, tried.body], [done.status, done.body]);
  assert.equal(tried.headers['parlance-trial'], 'dry_run');
  assert.equal((await send('POST', '/api/v1/dry_run/channels/create', { auth: null })).status, 401);
});

test('a dry run of an unknown address returns 404', async (t) => {
  const { send } = await running(t);
  for (const path of ['/api/v1/dry_run', '/api/v1/dry_run/nothing', '/api/v1/why/4', '/api/v1/why/4/nothing']) {
    const answer = await send('POST', path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers['parlance-trial'], undefined);
  }
  assert.equal((await send('PUT', '/api/v1/dry_run/users')).status, 405);
});

test('a dry run does not wake waiting polls', async (t) => {
  const { send, chat, owner } = await running(t);
  const { queue_id } = await chat.as(owner).register({ event_types: ['stream'], fetch_event_types: [] });
  let isAnswered = false;
  const poll = send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await send('POST', '/api/v1/dry_run/channels/create', { form: { name: 'harbour', subscribers: '[]' } });
  await sleep(200);
  assert.equal(isAnswered, false);
  await send('POST', '/api/v1/channels/create', { form: { name: 'quay', subscribers: '[]' } });
  const { body } = await poll;
  const made = body.events.filter(({ op }: { op: string }) => op === 'create');
  assert.deepEqual(
    made.map((event: { streams: { name: string }[] }) => event.streams[0]?.name),
    ['quay'],
  );
});

test('a dry run of a new API key returns a key that is never used', async (t) => {
  const { send, chat, owner } = await running(t);
  const tried = await send('POST', '/api/v1/dry_run/users/me/api_key/regenerate');
  const { api_key } = await chat.as(owner).users.regenerateApiKey();
  assert.match(tried.body.answer.api_key, /^[A-Za-z0-9]{32}$/);
  assert.notEqual(tried.body.answer.api_key, api_key);
});

test('a dry run hashes no password', async (t) => {
  const { chat, owner } = await running(t);
  const ada = chat.as(owner);
  const { user_id } = await ada.users.create({ email: 'ben@example.com', full_name: 'Ben' });
  const lastPart = (link: string | undefined) => link?.split('/').filter(Boolean).at(-1) ?? '';
  const { invite_link } = await ada.invites.createMultiuse({});
  const { reset_link } = await ada.users.createResetLink({ user_id });
  const password = 'a long one here';
  const cy = { email: 'cy@example.com', full_name: 'Cy', password };
  // With this cost, scrypt fails for lack of memory.
  setPasswordCost(30);
  t.after(() => setPasswordCost(4));
  await assert.rejects(ada.users.create(cy), /memory/i);
  await ada.dryRun.users.create(cy);
  await ada.dryRun.users.setPassword({ user_id, password });
  const anonymous = chat.anonymous().dryRun;
  await anonymous.invites.accept({ key: lastPart(invite_link), ...cy });
  await anonymous.passwords.reset({ token: lastPart(reset_link), new_password: password });
});

test('dry run and why refuse login and polls', async (t) => {
  const { send, owner } = await running(t);
  const form = { username: owner.email, password: 'guess' };
  for (const kind of ['dry_run', `why/${owner.user_id}`]) {
    const signIn = await send('POST', `/api/v1/${kind}/fetch_api_key`, { form });
    assert.deepEqual([signIn.status, signIn.body.code], [400, 'BAD_REQUEST'], signIn.text);
    const poll = await send('GET', `/api/v1/${kind}/events?queue_id=x&last_event_id=-1`);
    assert.deepEqual([poll.status, poll.body.code], [400, 'BAD_REQUEST'], poll.text);
  }
});

/** Sends an e-mail, and runs the given work in several transactions. */
const write = defineOperation({
  name: 'letters.write',
  http: 'POST /letters',
  summary: 'Write a letter',
  access: 'user',
  effect: 'manual',
  params: { letters: v.number() },
  result: v.object({}),
  errors: [],
  async run({ transact }, { letters }) {
    for (let letter = 1; letter <= letters; letter++) {
      await transact('write', async ({ enqueue, afterCommit }) => {
        enqueue(sendEmail({ to: 'hidden@example.com', subject: `Letter ${letter}`, text: 'Hello' }));
        afterCommit(() => committed.push(letter));
      });
    }
    return {};
  },
});

const committed: number[] = [];

test('a dry run lists side effects by type, and their data for the code of the host', async (t) => {
  const { send, chat, owner } = await runningOperations(t, [write]);
  const effectsFor = async (caller: Pick<Caller, 'userId' | 'isSystem'>) =>
    (await transportOf(chat).dryRun(write, { ...caller, client: 'test' }, { letters: 1 })).side_effects;
  assert.deepEqual(await effectsFor({ isSystem: true }), [
    { kind: 'mail', payload: { to: 'hidden@example.com', subject: 'Letter 1', text: 'Hello' } },
  ]);
  assert.deepEqual(await effectsFor({ userId: owner.user_id }), [{ kind: 'mail' }]);
  const tried = await send('POST', '/api/v1/dry_run/letters', { form: { letters: '1' } });
  assert.deepEqual(tried.body.side_effects, [{ kind: 'mail' }]);
  assert.deepEqual(committed, []);
  assert.equal(await chat.runDue(), 0);
});

test('a dry run refuses an operation of several transactions', async (t) => {
  const { send, chat } = await runningOperations(t, [write]);
  const tried = await send('POST', '/api/v1/dry_run/letters', { form: { letters: '2' } });
  assert.deepEqual([tried.status, tried.body.code], [400, 'BAD_REQUEST']);
  assert.match(tried.body.msg, /several steps/);
  assert.deepEqual(committed, []);
  assert.equal(await chat.runDue(), 0);
});

test('why explains other users only to administrators, by ID or address', async (t) => {
  const { chat, owner, send } = await running(t);
  const { user_id } = await chat.as(owner).users.create({ email: 'ben@example.com', full_name: 'Ben' });
  for (const who of [user_id, 'ben%40example.com']) {
    const { status, body, headers } = await send('POST', `/api/v1/why/${who}/users`, {
      form: { email: 'cy@example.com', full_name: 'Cy' },
    });
    assert.equal(status, 200);
    assert.equal(headers['parlance-trial'], 'why');
    assert.deepEqual([body.allowed, body.refusal.code, body.user.role], [false, 'UNAUTHORIZED_PRINCIPAL', 'member']);
  }
  const auth = basic('ben@example.com', await chat.apiKeyOf(user_id));
  const form = { name: 'harbour', subscribers: '[]' };
  const own = await send('POST', `/api/v1/why/${user_id}/channels/create`, { auth, form });
  assert.equal(own.body.allowed, true, own.text);
  const other = await send('POST', `/api/v1/why/${owner.user_id}/channels/create`, { auth, form });
  assert.deepEqual([other.status, other.body.code], [400, 'UNAUTHORIZED_PRINCIPAL']);
  const nobody = await send('POST', `/api/v1/why/${user_id}/channels/create`, { auth: null, form });
  assert.equal(nobody.status, 401);
  const absent = await send('POST', '/api/v1/why/99/channels/create', { form });
  assert.deepEqual([absent.status, absent.body.code], [400, 'BAD_REQUEST']);
});

test('why of an operation open to anyone needs credentials', async (t) => {
  const { send, owner } = await running(t);
  assert.equal((await send('GET', `/api/v1/why/${owner.user_id}/server_settings`, { auth: null })).status, 401);
  assert.equal((await send('GET', `/api/v1/why/${owner.user_id}/server_settings`)).body.allowed, true);
});

test('dry run and why return the same over HTTP as in the process', async (t) => {
  const { chat, owner, url } = await running(t, {}, { clock: new TestClock() });
  const session = connect({ site: url, email: owner.email, api_key: owner.api_key, client: 'Parlance' });
  t.after(() => session.close());
  const parameters = { name: 'harbour', subscribers: [owner.user_id] };
  assert.deepEqual(
    JSON.parse(JSON.stringify(await session.dryRun.channels.create(parameters))),
    JSON.parse(JSON.stringify(await chat.as(owner).dryRun.channels.create(parameters))),
  );
  const asked = await session.why(owner.user_id, 'channels.create', parameters);
  assert.deepEqual(asked, await chat.as(owner).why(owner.email, 'channels.create', parameters));
  assert.deepEqual(asked, await chat.why(owner.user_id, 'channels.create', parameters));
});

test('a dry run on a server without dry runs fails without executing the operation', async (t) => {
  const asked: string[] = [];
  const older = createServer((req, res) => {
    asked.push(req.url ?? '');
    res.writeHead(404, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ result: 'error', msg: 'Not found', code: 'BAD_REQUEST' }));
  });
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
  t.after(() => older.close());
  const site = `http://127.0.0.1:${(older.address() as AddressInfo).port}`;
  const session = connect({ site, email: 'ada@example.com', api_key: 'x' });
  t.after(() => session.close());
  const saysSo = (error: unknown) => error instanceof ChatError && /has no dry runs/.test(error.message);
  await assert.rejects(session.dryRun.channels.archive({ stream_id: 4 }), saysSo);
  await assert.rejects(session.why(4, 'channels.archive', { stream_id: 4 }), saysSo);
  assert.deepEqual(asked, ['/api/v1/dry_run/streams/4', '/api/v1/why/4/streams/4']);
});

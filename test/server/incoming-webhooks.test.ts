import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import express from 'express';
import type { ChatOptions, ProposedMessage } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { issueEvent, pingEvent } from '../domains/messages/incoming-webhooks/samples.ts';
import { basic, listening, running, type SendOptions } from './running.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const jsonBody = (payload: unknown) => ({ headers: JSON_TYPE, body: JSON.stringify(payload) });

/** A server with a channel and an incoming-webhook bot. */
async function receiving(
  t: TestContext,
  options: Parameters<typeof running>[1] = {},
  chatOptions: Partial<ChatOptions> = {},
) {
  const server = await running(t, options, chatOptions);
  const { chat, owner, send } = server;
  const session = chat.as(owner.user_id);
  await session.channels.create({ name: 'general', subscribers: [owner.user_id] });
  const bot = await session.bots.create({ full_name: 'Alerts', short_name: 'alerts', bot_type: 2 });
  const newest = async () => {
    const { messages } = await session.messages.list({ anchor: 'newest', num_before: 1, apply_markdown: false });
    const [message] = messages;
    return message && [message.subject, message.content, message.sender_id === bot.user_id, message.client];
  };
  const post = (path: string, query: object, request: SendOptions) =>
    send('POST', `/api/v1/external/${path}?${new URLSearchParams({ ...query })}`, { auth: null, ...request });
  return { ...server, session, bot, newest, post, url: { api_key: bot.api_key, channel: 'general', topic: 'alerts' } };
}

test('a URL with the key of a webhook bot takes the body of each sender', async (t) => {
  const { post, newest, url } = await receiving(t);
  const headers = { ...JSON_TYPE, 'user-agent': 'Grafana/12.0' };
  const posted = await post('slack_incoming', url, { headers, body: '{"text": "Disk *full*"}' });
  assert.deepEqual([posted.status, posted.body.ok, posted.body.ignored_parameters_unsupported], [200, true, undefined]);
  assert.deepEqual(await newest(), ['alerts', 'Disk **full**', true, 'Grafana']);

  assert.equal((await post('slack_incoming', url, { form: { payload: '{"text": "a form"}' } })).status, 200);
  assert.equal((await newest())?.[1], 'a form');

  const event = { headers: { ...JSON_TYPE, 'x-github-event': 'ping' }, body: JSON.stringify(pingEvent) };
  const { topic: _, ...withoutTopic } = url;
  assert.equal((await post('github', withoutTopic, event)).status, 200);
  assert.equal((await newest())?.[0], 'site');

  // The members of the body are not parameters, whatever their names are.
  const named = { method: 'GET', channel: '#other', topic: 'x', api_key: 'y', format: 'z', payload: 1 };
  assert.equal((await post('json', url, jsonBody(named))).status, 200);
  assert.match(String((await newest())?.[1]), /"method": "GET"/);

  assert.equal((await post('json', url, { body: '"without a type"' })).status, 200);
  assert.equal((await newest())?.[1], '```json\n"without a type"\n```');

  const listed = { headers: { 'content-type': 'application/vnd.example+json; charset=utf-8' }, body: '[null]' };
  assert.equal((await post('json', url, listed)).status, 200);
  assert.equal((await newest())?.[1], '```json\n[\n  null\n]\n```');
});

test('patterns in the URL choose the events of GitHub', async (t) => {
  const { post, url } = await receiving(t);
  const headers = { ...JSON_TYPE, 'x-github-event': 'issues' };
  const event = { headers, body: JSON.stringify(issueEvent('opened')) };
  const isSent = async (patterns: object) => 'id' in (await post('github', { ...url, ...patterns }, event)).body;
  assert.equal(await isSent({ only_events: '["push"]' }), false);
  assert.equal(await isSent({ exclude_events: '["*.opened"]' }), false);
  assert.equal(await isSent({ only_events: '["push","issues"]', exclude_events: '["*.closed"]' }), true);
  assert.equal((await post('github', { ...url, only_events: 'push' }, event)).body.code, 'BAD_REQUEST');
});

test('the body may have been parsed by the framework of the host', async (t) => {
  const { chat, newest, url } = await receiving(t);
  const app = express().use(express.json(), requestListener(chat));
  const port = await listening(t, createServer(app));
  const address = `http://127.0.0.1:${port}/api/v1/external/slack_incoming?${new URLSearchParams(url)}`;
  const { status } = await fetch(address, { method: 'POST', headers: JSON_TYPE, body: '{"text": "parsed"}' });
  assert.deepEqual([status, (await newest())?.[1]], [200, 'parsed']);
});

test('GitHub may deliver an event twice: each URL of the bot sends it once', async (t) => {
  const { post, url, session, newest } = await receiving(t);
  const headers = { ...JSON_TYPE, 'x-github-event': 'issues', 'x-github-delivery': '72d3162e-cc78-11e3' };
  const event = { headers, body: JSON.stringify(issueEvent('opened')) };
  const [first, second] = [await post('github', url, event), await post('github', url, event)];
  assert.deepEqual([first.status, second.body], [200, first.body]);
  const { messages } = await session.messages.list({ anchor: 'newest', num_before: 9, narrow: [['topic', 'alerts']] });
  assert.equal(messages.length, 1);
  // GitHub sends an event to all its webhooks with the same ID.
  const third = await post('github', { ...url, topic: 'all' }, event);
  assert.deepEqual([third.status, (await newest())?.[0]], [200, 'all']);
});

test('no other key, account or login uses a webhook, and the key in the URL opens nothing else', async (t) => {
  const { post, send, url, owner, bot, session, auth, state } = await receiving(t);
  const { api_key: _, ...place } = url;
  const generic = await session.bots.create({ full_name: 'Clerk', short_name: 'clerk' });
  const { token } = await session.tokens.create({ ttl_seconds: 3_600, scopes: ['read', 'write'] });
  const before = await state();
  const text = jsonBody({ text: 'x' });
  for (const [name, status, query, headers] of [
    ['without a key', 401, place, {}],
    ['with an empty key', 401, { ...place, api_key: '' }, {}],
    ['with the key of a person', 401, { ...place, api_key: owner.api_key }, {}],
    ['with the key of a generic bot', 401, { ...place, api_key: generic.api_key }, {}],
    [
      'with a wrong key beside the credentials of a person',
      401,
      { ...place, api_key: 'A'.repeat(32) },
      { authorization: auth },
    ],
    ['with the credentials of a person', 400, place, { authorization: auth }],
    ['with the credentials of a generic bot', 400, place, { authorization: basic(generic.email, generic.api_key) }],
    ['with a token', 403, place, { authorization: `Bearer ${token}` }],
  ] as const) {
    const answer = await post('slack_incoming', query, { ...text, headers: { ...JSON_TYPE, ...headers } });
    assert.equal(answer.status, status, name);
  }
  const key = new URLSearchParams({ api_key: bot.api_key });
  for (const [method, path] of [
    ['GET', 'users/me'],
    ['GET', 'messages'],
    ['POST', 'messages'],
  ] as const) {
    assert.equal((await send(method, `/api/v1/${path}?${key}`, { auth: null })).status, 401, path);
  }
  assert.deepEqual(await state(), before);
  const own = { ...text, headers: { ...JSON_TYPE, authorization: basic(bot.email, bot.api_key) } };
  assert.equal((await post('slack_incoming', place, own)).status, 200);
});

test('a hook of the host decides about the message of a webhook, in its channel or to the owner', async (t) => {
  const seen: object[] = [];
  const beforeSend = ({ type, channel_id, topic, content }: ProposedMessage) => {
    seen.push({ type, isInChannel: channel_id !== undefined, topic, content });
    return content.includes('secret') ? { refuse: 'No secrets.' } : { content: `${content}!` };
  };
  const { post, url, newest } = await receiving(t, {}, { hooks: { beforeSend } });
  assert.equal((await post('slack_incoming', url, jsonBody({ text: '*a*' }))).status, 200);
  assert.deepEqual((await newest())?.slice(0, 2), ['alerts', '**a**!']);
  const { channel, ...old } = url;
  assert.equal((await post('slack_incoming', { ...old, stream: channel }, jsonBody({ text: 'b' }))).status, 200);
  assert.equal((await post('slack_incoming', { api_key: url.api_key }, jsonBody({ text: 'c' }))).status, 200);
  assert.equal((await newest())?.[1], 'c!');
  const refused = await post('slack_incoming', url, jsonBody({ text: 'a secret' }));
  assert.deepEqual([refused.status, refused.body.msg], [400, 'No secrets.']);
  const inChannel = { type: 'channel', isInChannel: true, topic: 'alerts' };
  assert.deepEqual(seen, [
    { ...inChannel, content: '**a**' },
    { ...inChannel, content: 'b' },
    { type: 'direct', isInChannel: false, topic: undefined, content: 'c' },
    { ...inChannel, content: 'a secret' },
  ]);
});

test('a URL ends with its key, and with the account of the bot', async (t) => {
  const { post, url, session, bot } = await receiving(t);
  const statusOf = async (api_key: string) =>
    (await post('slack_incoming', { ...url, api_key }, jsonBody({ text: 'x' }))).status;
  assert.equal(await statusOf(url.api_key), 200);
  const { api_key } = await session.bots.regenerateApiKey({ bot_id: bot.user_id });
  assert.deepEqual([await statusOf(url.api_key), await statusOf(api_key)], [401, 200]);
  await session.bots.deactivate({ bot_id: bot.user_id });
  assert.equal(await statusOf(api_key), 401);
});

test('a malformed body is refused with the field, and nothing is stored', async (t) => {
  const { post, url, state } = await receiving(t);
  const before = await state();
  for (const [body, code, says] of [
    ['', 'REQUEST_VARIABLE_MISSING', /payload/],
    ['text', 'BAD_REQUEST', /^payload must be JSON/],
    ['{"text": ', 'BAD_REQUEST', /^payload must be JSON/],
    ['{"text": {}}', 'BAD_REQUEST', /^payload\["text"\]/],
    ['[]', 'BAD_REQUEST', /^payload must be a JSON object/],
    [Buffer.from([0x22, 0xff, 0x22]), 'BAD_REQUEST', /UTF-8/],
  ] as const) {
    const answer = await post('slack_incoming', url, { headers: JSON_TYPE, body: body as string });
    assert.deepEqual([answer.status, answer.body.code], [400, code], String(body));
    assert.match(answer.body.msg, says);
  }
  const missing = await post('slack_incoming', url, { form: { text: 'x' } });
  assert.deepEqual([missing.status, missing.body.code], [400, 'REQUEST_VARIABLE_MISSING']);
  assert.equal((await post('xml', url, jsonBody({ text: 'x' }))).status, 400);
  assert.deepEqual(await state(), before);
});

test('the key in a URL is not logged', async (t) => {
  const lines: string[] = [];
  const log = (...entry: unknown[]) => void lines.push(JSON.stringify(entry));
  const { post, url } = await receiving(t, { logger: { debug: log, info: log, warn: log, error: log } as never });
  await post('slack_incoming', url, jsonBody({ text: 'x' }));
  await post('slack_incoming', { ...url, api_key: 'B'.repeat(32) }, jsonBody({ text: 'x' }));
  assert.ok(lines.some((line) => line.includes('/api/v1/external/{format}')));
  assert.ok(!lines.some((line) => line.includes(url.api_key) || line.includes('B'.repeat(32))));
});

test('wrong keys in URLs are limited for each network address', async (t) => {
  const { post, url } = await receiving(t, { rateLimits: { refused_by_ip: { seconds: 60, max: 3 } } });
  const statuses: number[] = [];
  for (let at = 0; at < 5; at++) {
    const { status } = await post('json', { ...url, api_key: `${at}`.padStart(32, 'A') }, jsonBody({ text: 'x' }));
    statuses.push(status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
});

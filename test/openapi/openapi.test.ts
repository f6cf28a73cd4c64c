import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { AuthenticationFailed, ChannelAlreadyExists } from '../../lib/base/errors.ts';
import { catalogue, registered } from '../../lib/catalogue.ts';
import { openApiDocument } from '../../lib/internal.ts';
import { describeOperations } from '../../lib/openapi/openapi.ts';
import { STATES } from '../../lib/openapi/state-schemas.ts';
import { defineOperation, type Operation, routesOf } from '../../lib/operation/operation.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { idempotencyKeyOf } from '../../server/idempotency-key.ts';
import { describedRoute } from '../world/described-answers.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document has no type
type Document = any;

const note = defineOperation({
  name: 'notes.edit',
  http: ['PATCH /notes/{note_id}', 'PATCH /memos/{note_id}'],
  summary: 'Edit a note',
  description: 'Everything given is applied.',
  access: 'user',
  effect: 'write',
  params: {
    note_id: v.pipe(v.number(), v.safeInteger()),
    title: v.pipe(v.string(), v.description('One line.')),
    tags: v.optional(v.array(v.string())),
  },
  result: v.object({ id: v.number() }),
  errors: [ChannelAlreadyExists],
  run: async () => ({ id: 1 }),
}) as unknown as Operation;

const search = defineOperation({
  name: 'find',
  http: 'GET /find',
  summary: 'Find notes',
  access: 'anyone',
  effect: 'read',
  params: { words: v.optional(v.array(v.string())), limit: v.number() },
  result: v.object({}),
  errors: [AuthenticationFailed],
  run: async () => ({}),
}) as unknown as Operation;

const document: Document = describeOperations([note, search]);

test('path parameters and body fields are described separately', () => {
  const { parameters, requestBody, security } = document.paths['/notes/{note_id}'].patch;
  assert.deepEqual(
    parameters.map((parameter: Document) => [parameter.name, parameter.in, parameter.required]),
    [['note_id', 'path', true]],
  );
  assert.equal(requestBody.required, true);
  assert.deepEqual(Object.keys(requestBody.content), ['application/json']);
  const { properties, required } = requestBody.content['application/json'].schema;
  assert.deepEqual(Object.keys(properties), ['title', 'tags']);
  assert.equal(properties.title.description, 'One line.');
  assert.deepEqual(required, ['title']);
  assert.deepEqual(security, [{ basic: [] }, { bearer: [] }]);
});

test('lists in a query are described as JSON', () => {
  const [words, limit] = document.paths['/find'].get.parameters;
  assert.deepEqual(words.content['application/json'].schema, { type: 'array', items: { type: 'string' } });
  assert.equal(words.required, undefined);
  assert.equal(limit.schema.type, 'integer');
  assert.equal(limit.required, true);
});

test('a second route is described as deprecated', () => {
  assert.equal(document.paths['/notes/{note_id}'].patch.operationId, 'notesEdit');
  const legacy = document.paths['/memos/{note_id}'].patch;
  assert.equal(legacy.operationId, 'notesEditLegacy');
  assert.equal(legacy.deprecated, true);
});

test('results are described with their envelope, and refusals with their codes', () => {
  const { responses } = document.paths['/notes/{note_id}'].patch;
  const result = responses[200].content['application/json'].schema;
  assert.deepEqual(Object.keys(result.properties), ['result', 'msg', 'ignored_parameters_unsupported', 'id']);
  assert.deepEqual(result.required, ['result', 'msg', 'id']);
  assert.equal(responses[400].description, 'BAD_REQUEST, CHANNEL_ALREADY_EXISTS, REQUEST_VARIABLE_MISSING');
  const tokens = 'TOKEN_EXPIRED, TOKEN_FROM_OTHER_ORGANIZATION, TOKEN_INVALID, TOKEN_REVOKED';
  assert.equal(responses[401].description, `${tokens}, UNAUTHORIZED`);
  assert.equal(responses[429].description, 'RATE_LIMIT_HIT');
  const open = document.paths['/find'].get;
  assert.deepEqual(open.security, []);
  assert.equal(open.responses[401].description, 'AUTHENTICATION_FAILED');
});

test('every route of the catalogue is described with a unique operationId', () => {
  const ids = new Set<string>();
  let routes = 0;
  for (const operation of catalogue as readonly Operation[]) {
    for (const { method, path } of routesOf(operation)) {
      const entry = describedRoute({ method, path });
      assert.ok(entry, `${method} ${path}`);
      ids.add(entry.operationId);
      routes++;
    }
  }
  // An account is read and edited by ID and by address at one path.
  assert.equal(ids.size, routes - 2);
});

test('parameters are described as strictly as the server reads them', () => {
  const { paths }: Document = openApiDocument();
  const named = (list: Document[], wanted: string) => list.find(({ name }) => name === wanted)?.schema;
  const bodyOf = ({ requestBody }: Document) => requestBody.content['application/json'].schema.properties;
  assert.deepEqual(named(paths['/users/me/subscriptions'].get.parameters, 'include_subscribers').enum, [
    'true',
    'false',
    'partial',
  ]);
  const key = new RegExp(named(paths['/messages'].post.parameters, 'Idempotency-Key').pattern, 'u');
  for (const header of ['8e03978e', '"8e03978e"', '"a, b"', '"a \\"b\\""', 'a'.repeat(255)]) {
    assert.match(header, key);
    assert.ok(idempotencyKeyOf(header, undefined));
  }
  for (const header of ['', '""', '"a', 'a, b', '"a" "b"', 'a'.repeat(256)]) {
    assert.doesNotMatch(header, key);
    assert.throws(() => idempotencyKeyOf(header, undefined), { code: 'BAD_REQUEST' });
  }
  assert.equal(bodyOf(paths['/tokens'].post).scopes.minItems, 1);
  const language = new RegExp(bodyOf(paths['/settings'].patch).default_language.pattern, 'u');
  for (const code of ['de', 'pt-BR', 'zh-Hans', 'pt_BR']) assert.match(code, language);
  for (const code of ['', 'd', '1', 'de ', 'german']) assert.doesNotMatch(code, language);
});

test('the response of register is described with the fields of all fetch types and no others', () => {
  const { paths, components }: Document = openApiDocument();
  const [own, state] = paths['/register'].post.responses[200].content['application/json'].schema.allOf;
  assert.ok(own.properties.queue_id);
  assert.deepEqual(state, { $ref: '#/components/schemas/InitialState' });
  const { properties, required } = components.schemas.InitialState;
  assert.equal(required, undefined);
  const described = new Set<string>();
  const parts = Object.values<Document>(components.schemas).filter((schema) => schema['x-fetch-type']);
  assert.deepEqual(parts.map((schema) => schema['x-fetch-type']).sort(), Object.keys(registered.initialState).sort());
  for (const part of parts) for (const name of Object.keys(part.properties)) described.add(name);
  assert.deepEqual(Object.keys(properties).sort(), [...described].sort());
});

test('the state of register matches its description for three users', async (t) => {
  const { people, channels, chat, close } = await testChat();
  t.after(close);
  const { ada, dora, emil, finn } = people;
  const { id } = await dora.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup' });
  await dora.messages.send({ type: 'direct', to: [emil.user_id, finn.user_id], content: 'Soup @**Emil**' });
  await emil.messages.addReaction({ message_id: id, emoji_name: 'tada' });
  await emil.messages.updateFlags({ messages: [id], op: 'add', flag: 'starred' });
  await emil.userTopics.set({ stream_id: channels.general, topic: 'lunch', visibility_policy: 3 });
  await emil.drafts.create({ drafts: [{ type: 'stream', to: [channels.general], topic: 'x', content: 'y' }] });
  await emil.alertWords.add({ alert_words: ['soup'] });
  await ada.userGroups.create({ name: 'cooks', description: '', members: [emil.user_id] });
  await ada.linkifiers.create({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' });
  await ada.bots.create({ full_name: 'Echo', short_name: 'echo' });
  await chat.runDue();
  const known = new Set(['queue_id', 'last_event_id', 'zulip_version', 'zulip_feature_level', 'zulip_merge_base']);
  const described = v.object(Object.assign({}, ...Object.values(STATES).map(({ entries }) => entries)));
  for (const person of [ada, emil, finn]) {
    const answer = await person.register({ include_subscribers: true });
    const state = Object.fromEntries(Object.entries(answer).filter(([name]) => !known.has(name)));
    // As JSON: absent values are omitted.
    const received = JSON.parse(JSON.stringify(state));
    assert.deepEqual(v.parse(described, received), received, person.full_name);
  }
});

test('web hook requests and responses are described for both interfaces', () => {
  const { 'x-webhooks': webhooks, components }: Document = openApiDocument();
  const { zulip, slack } = webhooks;
  const schemaOf = ({ content }: Document) => {
    const [{ schema }] = Object.values<Document>(content) as [Document];
    return components.schemas[schema.$ref.split('/').at(-1)];
  };
  const { properties, required } = schemaOf(zulip.post.requestBody);
  assert.deepEqual(required, Object.keys(properties));
  assert.equal(properties.message.$ref, '#/components/schemas/WebhookMessage');
  assert.ok(slack.post.requestBody.content['application/x-www-form-urlencoded']);
  assert.equal(schemaOf(slack.post.requestBody).properties.service_id.type, 'string');
  const said = ({ post }: Document) => Object.keys(schemaOf(post.responses[200]).properties);
  assert.deepEqual([said(zulip)[0], said(slack)], ['content', ['text']]);
});

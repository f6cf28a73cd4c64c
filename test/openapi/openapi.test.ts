import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { openApiDocument } from '../../lib/internal.ts';
import { catalogue } from '../../lib/kernel/catalogue.ts';
import { AuthenticationFailed, ChannelAlreadyExists } from '../../lib/kernel/errors.ts';
import { defineOperation, type Operation, routesOf } from '../../lib/kernel/operation.ts';
import { describeOperations } from '../../lib/openapi/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at freely
type Document = any;

const note = defineOperation({
  name: 'notes.edit',
  http: ['PATCH /notes/{note_id}', 'PATCH /memos/{note_id}'],
  summary: 'Edit a note',
  description: 'Everything given is applied.',
  access: 'user',
  effect: 'write',
  params: v.object({
    note_id: v.pipe(v.number(), v.safeInteger()),
    title: v.pipe(v.string(), v.description('One line.')),
    tags: v.optional(v.array(v.string())),
  }),
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
  params: v.object({ words: v.optional(v.array(v.string())), limit: v.number() }),
  result: v.object({}),
  errors: [AuthenticationFailed],
  run: async () => ({}),
}) as unknown as Operation;

const document: Document = describeOperations([note, search]);

test('path parameters, form fields and their encodings are told apart', () => {
  const { parameters, requestBody, security } = document.paths['/notes/{note_id}'].patch;
  assert.deepEqual(
    parameters.map((parameter: Document) => [parameter.name, parameter.in, parameter.required]),
    [['note_id', 'path', true]],
  );
  const form = requestBody.content['application/x-www-form-urlencoded'];
  assert.deepEqual(Object.keys(form.schema.properties), ['title', 'tags']);
  assert.equal(form.schema.properties.title.description, 'One line.');
  assert.deepEqual(form.schema.required, ['title']);
  assert.deepEqual(form.encoding, { tags: { contentType: 'application/json' } });
  assert.deepEqual(security, [{ basic: [] }]);
});

test('values that are no text in a query are JSON', () => {
  const [words, limit] = document.paths['/find'].get.parameters;
  assert.deepEqual(words.content['application/json'].schema, { type: 'array', items: { type: 'string' } });
  assert.equal(words.required, undefined);
  assert.equal(limit.schema.type, 'number');
  assert.equal(limit.required, true);
});

test('a second route is the deprecated address of the same operation', () => {
  assert.equal(document.paths['/notes/{note_id}'].patch.operationId, 'notes.edit');
  const legacy = document.paths['/memos/{note_id}'].patch;
  assert.equal(legacy.operationId, 'notes.edit.legacy');
  assert.equal(legacy.deprecated, true);
});

test('results carry the envelope, refusals their codes', () => {
  const { responses } = document.paths['/notes/{note_id}'].patch;
  const result = responses[200].content['application/json'].schema;
  assert.deepEqual(Object.keys(result.properties), ['result', 'msg', 'ignored_parameters_unsupported', 'id']);
  assert.deepEqual(result.required, ['result', 'msg', 'id']);
  assert.equal(responses[400].description, 'BAD_REQUEST, CHANNEL_ALREADY_EXISTS, REQUEST_VARIABLE_MISSING');
  assert.equal(responses[401].description, 'UNAUTHORIZED');
  assert.equal(responses[429].description, 'RATE_LIMIT_HIT');
  const open = document.paths['/find'].get;
  assert.deepEqual(open.security, []);
  assert.equal(open.responses[401].description, 'AUTHENTICATION_FAILED');
});

test('every route of the catalogue is described, with an id of its own', () => {
  const { paths }: Document = openApiDocument();
  const ids = new Set<string>();
  let routes = 0;
  for (const operation of catalogue as readonly Operation[]) {
    for (const { method, path } of routesOf(operation)) {
      const entry = paths[path.replace('*}', '}')]?.[method.toLowerCase()];
      assert.ok(entry, `${method} ${path}`);
      for (const name of path.match(/(?<=\{)\w+(?=\})/g) ?? []) {
        assert.ok(entry.parameters.some((parameter: Document) => parameter.in === 'path' && parameter.name === name));
      }
      ids.add(entry.operationId);
      routes++;
    }
  }
  assert.equal(ids.size, routes);
});

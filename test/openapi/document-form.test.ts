import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as v from 'valibot';
import { flag, groupSetting, id, list, optional, text } from '../../lib/base/schemas.ts';
import { catalogue, registered } from '../../lib/catalogue.ts';
import { openApiDocument } from '../../lib/internal.ts';
import { describeOperations } from '../../lib/openapi/openapi.ts';
import { defineOperation, type Operation } from '../../lib/operation/operation.ts';

/** Rules for the form that code generators need, for the whole document and for schemas that it does not have yet. */

// biome-ignore lint/suspicious/noExplicitAny: the document has no type
type Document = any;
type Node = Readonly<Record<string, unknown>>;

const unusual = defineOperation({
  name: 'forms.try',
  http: 'POST /forms/{form_id}',
  summary: 'Try a form',
  access: 'user',
  effect: 'write',
  params: {
    form_id: text(),
    pair: v.strictTuple([text(), v.strictTuple([id, flag])]),
    when: optional(v.nullable(v.picklist(['now', 'later'])), 'Null: never.'),
    group: v.nullable(groupSetting),
    either: v.nullable(v.union([id, list(id)])),
    nothing: v.null(),
    limits: v.record(text(), v.nullable(id)),
  },
  result: v.object({
    done: v.literal(true),
    undone: v.nullable(v.literal(false)),
    steps: v.array(v.nullable(v.tuple([v.number(), v.string()]))),
    nothing: v.nullish(v.null()),
    kind: v.nullable(v.literal('form')),
    all: v.strictObject({ any: v.optional(v.unknown()) }),
  }),
  run: async () => ({ done: true as const, undone: null, steps: [], nothing: null, kind: null, all: {} }),
}) as unknown as Operation;

const query = defineOperation({
  name: 'forms.find',
  http: 'GET /forms/{form_id}',
  summary: 'Find a form',
  access: 'user',
  params: {
    form_id: text(),
    pairs: v.optional(list(v.strictTuple([text(), id]))),
    limits: v.record(text(), v.nullable(id)),
    scalar: v.optional(v.union([flag, v.picklist(['partial']), v.nullable(id)])),
  },
  run: async () => undefined,
}) as unknown as Operation;

const byName = defineOperation({
  name: 'forms.tryByName',
  http: 'POST /forms/{name}',
  summary: 'Try a form, found by its name',
  access: 'user',
  effect: 'write',
  params: { name: text() },
  run: async () => undefined,
}) as unknown as Operation;

/** Every nested object with its path. */
function nodesOf(value: unknown, place: string): [place: string, node: Node][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, child]) => nodesOf(child, `${place}/${key}`));
  return Array.isArray(value) ? inside : [[place, value as Node], ...inside];
}

/** Schemas, without examples, which may contain anything. */
const schemasIn = (document: Document) =>
  nodesOf(document, '#').filter(([place]) => !/\/(default|examples?|x-codeSamples)(\/|$)/.test(place));

const operationsIn = (document: Document): [path: string, method: string, operation: Document][] =>
  Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]): [string, string, Document] => [
      path,
      method,
      operation,
    ]),
  );

const isProperties = (place: string) => /\/properties$/.test(place) && !/\/properties\/properties$/.test(place);

/** Rules, each with a function that returns its violations. */
const RULES: Record<string, (document: Document) => string[]> = {
  'C1: no schema is true or false': (document) =>
    schemasIn(document).flatMap(([place, node]) =>
      Object.entries(node).flatMap(([key, value]) => {
        const children = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key) ? (value as unknown[]) : [value];
        const isSchema = ['items', 'not', 'schema'].includes(key) || Array.isArray(value) || isProperties(place);
        return isSchema && children.some((child) => typeof child === 'boolean') ? [`${place}/${key}`] : [];
      }),
    ),
  'C1: no constant is a boolean or null': (document) =>
    schemasIn(document).flatMap(([place, node]) =>
      !isProperties(place) && 'const' in node && !/^(string|number)$/.test(typeof node.const) ? [place] : [],
    ),
  'C1: no schema has the type null alone': (document) =>
    schemasIn(document).flatMap(([place, { type }]) => (`${type}` === 'null' ? [place] : [])),
  'C1: a list of types is one type and null': (document) =>
    schemasIn(document).flatMap(([place, { type }]) =>
      Array.isArray(type) && (type.length !== 2 || type[1] !== 'null') ? [place] : [],
    ),
  'C1: an enum of a nullable type contains null': (document) =>
    schemasIn(document).flatMap(([place, { type, enum: values }]) =>
      Array.isArray(type) && Array.isArray(values) && !values.includes(null) ? [place] : [],
    ),
  'C1: every reference is to an existing component': (document) =>
    schemasIn(document).flatMap(([place, { $ref }]) => {
      if (typeof $ref !== 'string') return [];
      const [, kind = '', name = ''] = /^#\/components\/(schemas|responses)\/([A-Z][A-Za-z0-9]*)$/.exec($ref) ?? [];
      return document.components[kind]?.[name] ? [] : [`${place}: ${$ref}`];
    }),
  'C1: every array has items': (document) =>
    schemasIn(document).flatMap(([place, { type, items }]) =>
      [type].flat().includes('array') && typeof items !== 'object' ? [place] : [],
    ),
  'C1: required properties exist, and no list of them is empty': (document) =>
    schemasIn(document).flatMap(([place, { required, properties, type }]) => {
      if (!Array.isArray(required) || type !== 'object') return [];
      return required.length > 0 && required.every((name) => name in (properties as object)) ? [] : [place];
    }),
  'C2: query parameters are JSON only if they are arrays or objects': (document) =>
    operationsIn(document).flatMap(([path, method, { parameters = [] }]) =>
      parameters.flatMap(({ name, schema, content }: Document) => {
        const kinds = kindsOf(document, schema ?? content['application/json'].schema);
        const isScalar = kinds.every((kind) => /^(string|integer|number|boolean|null)$/.test(kind));
        return isScalar === (schema !== undefined) ? [] : [`${method} ${path}: ${name} is ${kinds}`];
      }),
    ),
  'C2: a body is JSON, or multipart with only arrays and objects as JSON': (document) =>
    operationsIn(document).flatMap(([path, method, { requestBody }]) => {
      const [[type, { schema, encoding = {} }] = ['application/json', {}], ...others] = Object.entries<Document>(
        requestBody?.content ?? {},
      );
      if (others.length > 0) return [`${method} ${path} has several forms of body`];
      if (type === 'application/json') return [];
      return Object.keys(schema.properties).flatMap((field) => {
        const kinds = kindsOf(document, schema.properties[field]);
        const isScalar = kinds.every((kind) => /^(string|integer|number|boolean|null)$/.test(kind));
        return isScalar === (encoding[field] === undefined) ? [] : [`${method} ${path}: ${field} is ${kinds}`];
      });
    }),
  'C3: the names of schemas are in PascalCase': (document) =>
    Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name)),
  'C3: every refusal is an Error with a code, except 405': (document) => {
    const { required, properties } = document.components.schemas.Error;
    assert.ok(required.includes('code') && properties.code.type === 'string');
    return operationsIn(document).flatMap(([path, method, { responses }]) =>
      Object.entries<Document>(responses).flatMap(([status, response]) => {
        const { content, ...rest } = response.$ref
          ? document.components.responses[response.$ref.split('/').at(-1)]
          : response;
        const { $ref } = content['application/json'].schema;
        // As in the reference, the response to another method has no code.
        const hasCode = status !== '405';
        const schema = `#/components/schemas/${hasCode ? 'Error' : 'MethodError'}`;
        const isError = $ref === schema && rest['x-error-codes'].length > 0 === hasCode;
        return isError === (status !== '200') ? [] : [`${method} ${path} ${status}`];
      }),
    );
  },
  'C3: no shared schema is repeated': (document) => {
    const textOf = ({ properties, required }: Node) => JSON.stringify([properties, required]);
    const shared = new Map<string, string>();
    for (const [name, schema] of Object.entries<Document>(document.components.schemas))
      if (Object.keys(schema.properties ?? {}).length > 3) shared.set(textOf(schema), name);
    return schemasIn(document).flatMap(([place, node]) => {
      const name = shared.get(textOf(node));
      // Two fetch types may have the same state.
      const isItself = place === `#/components/schemas/${name}` || node['x-fetch-type'] !== undefined;
      return name === undefined || isItself ? [] : [`${place} repeats ${name}`];
    });
  },
  'C1: alternatives in JSON query parameters are named schemas': (document) =>
    operationsIn(document).flatMap(([path, method, { parameters = [] }]) =>
      parameters.flatMap(({ name, content }: Document) => {
        const schema = content?.['application/json'].schema ?? {};
        return schema.anyOf || schema.items?.anyOf ? [`${method} ${path}: ${name}`] : [];
      }),
    ),
  'C1: alternatives and objects have no default': (document) =>
    schemasIn(document).flatMap(([place, node]) => {
      const { anyOf, default: fallback } = node as Document;
      const isObject = typeof fallback === 'object' && fallback !== null && !Array.isArray(fallback);
      return (anyOf && fallback !== undefined) || (isObject && !isProperties(place)) ? [place] : [];
    }),
  'C4: no two paths differ only in the names of parameters': (document) => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    return shapes.filter((shape, at) => shapes.indexOf(shape) !== at);
  },
  'C4: the parameters in a path are those of its operations': (document) =>
    operationsIn(document).flatMap(([path, method, { parameters = [] }]) => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = parameters.filter((each: Document) => each.in === 'path').map((each: Document) => each.name);
      return `${named.sort()}` === `${described.sort()}` ? [] : [`${method} ${path}`];
    }),
  'C4: operationIds are unique and valid names in every language': (document) => {
    const ids = operationsIn(document).map(([, , { operationId }]) => operationId);
    const all = ids.map((name) => name.toLowerCase());
    return ids.filter((name, at) => !/^[a-z][A-Za-z0-9]*$/.test(name) || all.indexOf(name.toLowerCase()) !== at);
  },
  'C4: text in a path is not empty': (document) =>
    operationsIn(document).flatMap(([path, method, { parameters = [] }]) =>
      parameters
        .filter(({ schema, in: place }: Document) => place === 'path' && schema.type === 'string' && !schema.minLength)
        .map(({ name }: Document) => `${method} ${path}: ${name}`),
    ),
};

/** The types that a value may have. */
function kindsOf(document: Document, schema: Document): string[] {
  if (schema.$ref) return kindsOf(document, document.components.schemas[schema.$ref.split('/').at(-1)]);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.flatMap((each: Document) => kindsOf(document, each));
  return schema.type === undefined ? ['anything'] : [schema.type].flat();
}

const document: Document = openApiDocument();
const unusualDocument: Document = describeOperations([unusual, query, byName]);

for (const [rule, offenders] of Object.entries(RULES)) {
  test(rule, () => {
    assert.deepEqual(offenders(document), []);
    assert.deepEqual(offenders(unusualDocument), []);
  });
}

test('C1: schemas that tools do not understand are described in other forms', () => {
  const { post } = unusualDocument.paths['/forms/{form_id}'];
  const { properties } = post.requestBody.content['application/json'].schema;
  const { minItems, maxItems, prefixItems, items } = properties.pair;
  assert.deepEqual([minItems, maxItems, prefixItems.length, items], [2, 2, 2, {}]);
  assert.deepEqual(properties.when, {
    type: ['string', 'null'],
    enum: ['now', 'later', null],
    description: 'Null: never.',
  });
  assert.deepEqual(properties.group.anyOf[0].type, ['integer', 'null']);
  assert.equal(properties.group.anyOf[1].type, 'object');
  assert.deepEqual(properties.either.anyOf[0].type, ['integer', 'null']);
  assert.deepEqual(properties.nothing, { description: 'Always null.' });
  assert.deepEqual(properties.limits.additionalProperties.type, ['integer', 'null']);
  const result = post.responses[200].content['application/json'].schema;
  assert.deepEqual(result.properties.done, { type: 'boolean', description: 'Always true.' });
  assert.deepEqual(result.properties.undone, { type: ['boolean', 'null'], description: 'Always false.' });
  assert.deepEqual(result.properties.kind, { type: ['string', 'null'], enum: ['form', null] });
});

test('C1: whole numbers are 64-bit integers, and other numbers are doubles', () => {
  const { User, PresenceEvent, Draft } = document.components.schemas;
  assert.equal(User.properties.user_id.type, 'integer');
  assert.equal(User.properties.user_id.format, 'int64');
  assert.equal(PresenceEvent.properties.server_timestamp.format, 'double');
  assert.equal(Draft.properties.timestamp.type, 'integer');
  const { drafts } = document.paths['/drafts'].post.requestBody.content['application/json'].schema.properties;
  assert.deepEqual(drafts.items.properties.timestamp.type, ['number', 'null']);
});

test('C2: a query parameter with alternatives is a string, with its words if there are no others', () => {
  const [anchor] = document.paths['/messages'].get.parameters;
  assert.deepEqual([anchor.name, anchor.schema], ['anchor', { type: 'string' }]);
  const { parameters } = document.paths['/users/me/subscriptions'].get;
  const { schema } = parameters.find(({ name }: Document) => name === 'include_subscribers');
  assert.deepEqual(schema, { type: 'string', enum: ['true', 'false', 'partial'] });
  const unusualParameters = unusualDocument.paths['/forms/{form_id}'].get.parameters;
  const scalar = unusualParameters.find(({ name }: Document) => name === 'scalar');
  assert.deepEqual(scalar.schema, { type: 'string' });
});

test('C3: shared schemas keep the names that clients use', () => {
  const names = new Set(Object.keys(document.components.schemas));
  for (const name of [
    ...['Message', 'User', 'Bot', 'Channel', 'Subscription', 'UserGroup', 'ScheduledMessage', 'Event', 'Error'],
    ...['Success', 'AllowedDomain', 'Attachment', 'ChannelFolder', 'CustomEmoji', 'Draft', 'GroupSetting', 'Linkifier'],
    ...[
      'NavigationView',
      'NarrowTerm',
      'Playground',
      'ProfileField',
      'Reminder',
      'SavedSnippet',
      'UserStatus',
      'InitialState',
    ],
    ...['ReactionAddEvent', 'MessageEvent', 'UpdateMessageFlagsAddEvent', 'RealmUserState'],
  ])
    assert.ok(names.has(name), name);
  const { get } = document.paths['/messages'];
  const { messages } = get.responses[200].content['application/json'].schema.properties;
  assert.deepEqual(messages.items, { $ref: '#/components/schemas/Message' });
  assert.equal(document.components.schemas.Event.oneOf.length, registered.events.length);
});

test('C4: users by ID and by address are described at one path', () => {
  for (const method of ['get', 'patch']) {
    const { parameters, description } = document.paths['/users/{user_id}'][method];
    const [{ schema }] = parameters;
    assert.deepEqual(
      schema.oneOf.map(({ type }: Document) => type),
      ['integer', 'string'],
    );
    assert.match(description, /`user_id` may also be `email`/);
  }
  assert.equal(document.paths['/users/{email}'], undefined);
  const { parameters } = unusualDocument.paths['/forms/{form_id}'].post;
  assert.equal(parameters[0].schema.oneOf.length, 2);
});

test('C4: tags have descriptions, and the document has a license and a contact', () => {
  const texts = new Map<string, string>(document.tags.map(({ name, description }: Document) => [name, description]));
  const used = operationsIn(document).flatMap(([, , { tags }]) => tags);
  for (const tag of used) assert.ok((texts.get(tag) ?? tag) !== tag, tag);
  assert.equal(texts.size, new Set(used).size);
  assert.equal(document.info.license.identifier, 'MIT');
  assert.ok(document.info.contact.name);
});

describe('C3: operations have unique names', () => {
  test('each operation has the function of a session and a name without dots', () => {
    const functions = operationsIn(document).map(([, , operation]) => operation['x-function']);
    const joined = ['users.getByEmail', 'users.editByEmail'];
    const names = (catalogue as readonly Operation[]).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !functions.includes(name)),
      joined,
    );
    assert.equal(document.paths['/messages'].post.operationId, 'messagesSend');
  });
});

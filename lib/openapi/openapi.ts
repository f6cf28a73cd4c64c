import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { groupBy } from '../base/lists.ts';
import { present } from '../base/present.ts';
import { isOptional, textKind } from '../base/text-codec.ts';
import { VERSION } from '../base/version.ts';
import { operations, registered } from '../catalogue.ts';
import {
  slackReply,
  slackRequest,
  zulipReply,
  zulipRequest,
} from '../domains/messages/outgoing-webhooks/webhook-calls.ts';
import { type EventDeclaration, eventSchema } from '../events/define-event.ts';
import { type Operation, routesOf } from '../operation/operation.ts';
import { GROUP_TITLES } from './components.ts';
import { jsonSchema, pascalCase, refTo, sharedSchemas } from './json-schema.ts';
import { COMMON_RESPONSES, ERROR_SCHEMA, errorResponses, METHOD_ERROR_SCHEMA } from './openapi-errors.ts';
import { samplesOf } from './samples.ts';
import { STATES } from './state-schemas.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** Schemas of the state in the `register` response, by fetch type. */
type States = Readonly<Record<string, v.ObjectSchema<v.ObjectEntries, undefined>>>;

type Field = [name: string, schema: v.GenericSchema];

interface Route {
  operation: Operation;
  method: string;
  path: string;
  /** 0: the current route. Others are for older clients. */
  index: number;
}

let document: object | undefined;

/** The OpenAPI 3.1 description of all operations. The result is cached: do not modify it. */
export function openApiDocument(): object {
  document ??= describeOperations(operations, registered.events, STATES, WEBHOOKS);
  return document;
}

/** All routes, in the order of the operations. The description joins those that differ only in the name of a parameter. */
export function describedRoutes() {
  return routesIn(operations).map((route) => ({ ...route, ...describeRoute(route) }));
}

/**
 * The OpenAPI 3.1 description of operations, events of queues, state in the `register` response, and outgoing webhooks.
 */
export function describeOperations(
  operations: readonly Operation[],
  events: readonly EventDeclaration[] = [],
  states: States = {},
  webhooks: object = {},
): object {
  const paths: Record<string, Record<string, object>> = {};
  const byPath = groupBy(routesIn(operations), ({ path }) => path.replace(/\{\w+\}/g, '{}'));
  for (const routes of byPath.values()) {
    const methods = groupBy(routes, ({ method }) => method.toLowerCase());
    const { path } = present(routes[0]);
    paths[path] = Object.fromEntries([...methods].map(([name, those]) => [name, describeRoute(those.reduce(joined))]));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parlance',
      version: VERSION,
      description:
        'Team chat over the Zulip HTTP API. Send parameters in the query, in a JSON object or in a form, with any ' +
        'method. Forms and queries have strings as they are, and all other values as JSON text.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The Parlance authors' },
    },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(operations.map(groupOf))].map((name) => ({ name, description: GROUP_TITLES[name] ?? name })),
    paths,
    // Not `webhooks`: the code that generators make of it does not compile.
    'x-webhooks': webhooks,
    components: {
      schemas: {
        Success: SUCCESS_SCHEMA,
        Error: ERROR_SCHEMA,
        MethodError: METHOD_ERROR_SCHEMA,
        ...sharedSchemas(),
        ...describeEvents(events),
        ...describeStates(states),
      },
      responses: COMMON_RESPONSES,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: "An account's e-mail address and its API key." },
        bearer: { type: 'http', scheme: 'bearer', description: 'A token from `POST /tokens`.' },
        webhook: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'The API key of an incoming-webhook bot.',
        },
      },
    },
  };
}

function routesIn(operations: readonly Operation[]): Route[] {
  return operations.flatMap((operation) =>
    // OpenAPI has no syntax for a parameter that matches the rest of the path.
    routesOf(operation).map(({ method, path }, index) => ({ operation, method, path: path.replace('*}', '}'), index })),
  );
}

/** Tools refuse `/users/{user_id}` together with `/users/{email}`: the first has the values of both. */
function joined(first: Route, second: Route): Route {
  const [name = '', other = ''] = [first, second].map(({ path }) => /\{(\w+)\}/.exec(path)?.[1]);
  const { params, errors, description = '' } = first.operation;
  const operation = {
    ...first.operation,
    description: `${description} \`${name}\` may also be \`${other}\`.`.trim(),
    params: { ...params, [name]: v.union([present(params[name]), present(second.operation.params[other])]) },
    errors: [...errors, ...second.operation.errors],
  };
  return { ...first, operation };
}

/** Schemas of events, for example `ReactionAddEvent`. `Event` is the union. */
function describeEvents(events: readonly EventDeclaration[]): Record<string, object> {
  const schemas = events.map((declaration): [string, object] => {
    const schema = jsonSchema(eventSchema(declaration));
    return [`${pascalCase(declaration.eventName)}Event`, { description: declaration.summary, ...schema }];
  });
  return { Event: { oneOf: schemas.map(([name]) => refTo(name)) }, ...Object.fromEntries(schemas) };
}

/** Schemas of the state for each fetch type, for example `RealmUserState`. `InitialState` has the fields of all. */
function describeStates(states: States): Record<string, object> {
  const parts = Object.entries(states).map(([type, schema]) => ({
    description: `State of the fetch type \`${type}\`.`,
    'x-fetch-type': type,
    ...jsonSchema(schema),
  }));
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  const description = 'Depends on the requested fetch types.';
  return {
    InitialState: { type: 'object', description, properties },
    ...Object.fromEntries(parts.map((part) => [`${pascalCase(part['x-fetch-type'])}State`, part])),
  };
}

function describeRoute({ operation, method, path, index }: Route) {
  const { parameters, fields } = inputsOf(operation, method, path);
  // Without dots, which are not part of names in most languages.
  const name = `${pascalCase(operation.name)}${index === 0 ? '' : 'Legacy'}${index > 1 ? index : ''}`;
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    'x-function': operation.name,
    tags: [groupOf(operation)],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(index > 0 ? { deprecated: true } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(fields.length > 0 ? { requestBody: describeBody(fields, operation.incoming ? FORM : JSON_TYPE) } : {}),
    responses: {
      200: { description: 'Success', content: { [JSON_TYPE]: { schema: describeResult(operation) } } },
      ...errorResponses(operation, method, path),
    },
    'x-codeSamples': samplesOf(operation, method, path),
  };
}

/** The parameters of the path, the query and the headers, and the fields of the body. */
function inputsOf({ params, incoming }: Operation, method: string, path: string) {
  const hasNoBody = method === 'GET' || method === 'DELETE';
  const fields: Field[] = [];
  const parameters: DescribedParameter[] = [];
  for (const [name, schema] of Object.entries(params)) {
    if (path.includes(`{${name}}`)) parameters.push(describeParameter(name, schema, 'path'));
    else if (hasNoBody || (incoming && name !== incoming.body))
      parameters.push(describeParameter(name, schema, 'query'));
    else fields.push([name, schema]);
    if (name === 'idempotency_key') parameters.push(IDEMPOTENCY_HEADER);
  }
  return { parameters, fields };
}

interface DescribedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: JsonSchema;
  content?: Record<string, { schema: JsonSchema }>;
}

/** The same as the parameter `idempotency_key`. */
const IDEMPOTENCY_HEADER: DescribedParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The parameter `idempotency_key` as a header: a text in quotation marks, for example `"8e03978e"`.',
  // A quoted text, or a plain one without quotation mark and comma.
  schema: { type: 'string', pattern: '^(?:"(?:[^"\\\\]|\\\\["\\\\]){1,255}"|[^",][^,]{0,254})$' },
};

function describeParameter(name: string, schema: v.GenericSchema, place: 'path' | 'query'): DescribedParameter {
  const { description, ...value } = jsonSchema(schema);
  const described = isScalar(value)
    ? { schema: scalarIn(place, value) }
    : { content: { [JSON_TYPE]: { schema: value } } };
  return {
    name,
    in: place,
    ...(place === 'path' || !isOptional(schema) ? { required: true } : {}),
    ...(description ? { description } : {}),
    ...described,
  };
}

/** Generators cannot write alternatives to a query, where all values are text. A text in a path is not empty. */
function scalarIn(place: 'path' | 'query', { anyOf, ...schema }: JsonSchema): JsonSchema {
  if (anyOf && place === 'path') return { ...schema, oneOf: anyOf };
  if (anyOf) return { ...schema, type: 'string', ...wordsOf(anyOf as JsonSchema[]) };
  return place === 'path' && schema.type === 'string' ? { ...schema, minLength: 1 } : schema;
}

/** The texts of alternatives, if they are few: booleans and words. */
function wordsOf(alternatives: readonly JsonSchema[]): JsonSchema {
  const words = alternatives.map(({ type, enum: values }) => (type === 'boolean' ? ['true', 'false'] : values));
  return words.every((some) => some !== undefined) ? { enum: words.flat() } : {};
}

/** Lists and objects travel as JSON text. */
function isScalar({ type, anyOf }: JsonSchema): boolean {
  if (anyOf) return (anyOf as JsonSchema[]).every(isScalar);
  return type !== undefined && [type].flat().every((each) => each !== 'array' && each !== 'object');
}

/**
 * Generators support only one form of a body, and JSON can have lists and objects. Files need a multipart form, with
 * lists and objects as JSON text.
 */
function describeBody(fields: readonly Field[], type: string) {
  const properties = Object.fromEntries(fields.map(([name, schema]) => [name, jsonSchema(schema)]));
  const required = fields.filter(([, schema]) => !isOptional(schema)).map(([name]) => name);
  const schema: JsonSchema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  const json = Object.keys(properties).filter((name) => !isScalar(present(properties[name])));
  const encoding = Object.fromEntries(json.map((name) => [name, { contentType: JSON_TYPE }]));
  const isForm = fields.some(([, schema]) => textKind(schema) === 'file');
  const media = isForm && json.length > 0 ? { schema, encoding } : { schema };
  return { ...(required.length > 0 ? { required: true } : {}), content: { [isForm ? MULTIPART : type]: media } };
}

const ENVELOPE = {
  result: { type: 'string', const: 'success' },
  msg: { type: 'string', description: 'Always empty.' },
  ignored_parameters_unsupported: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of unknown parameters in the request. Absent if there are none.',
  },
} as const;

const SUCCESS_SCHEMA: JsonSchema = { type: 'object', properties: ENVELOPE, required: ['result', 'msg'] };

function describeResult({ name, result }: Operation): JsonSchema {
  const { type, properties = {}, required = [], ...rest } = jsonSchema(result);
  if (type !== 'object') return { allOf: [refTo('Success'), jsonSchema(result)] };
  if (Object.keys({ ...properties, ...rest }).length === 0) return refTo('Success');
  const all = { properties: { ...ENVELOPE, ...properties }, required: ['result', 'msg', ...required] };
  const own: JsonSchema = { type, ...all, ...rest };
  return name === 'register' ? { allOf: [own, refTo('InitialState')] } : own;
}

function securityOf(operation: Operation): object[] {
  if (operation.access === 'anyone') return [];
  if (operation.incoming) return [{ basic: [] }, { webhook: [] }];
  const schemes = operation.scope === 'login' ? [{ basic: [] }] : [{ basic: [] }, { bearer: [] }];
  return operation.access === 'spectator' ? [...schemes, {}] : schemes;
}

/** The tag of an operation, such as `messages`. */
export function groupOf({ name }: Pick<Operation, 'name'>): string {
  const [group = '', action] = name.split('.');
  return action === undefined ? 'general' : group;
}

/** OpenAPI descriptions of outgoing webhooks, by interface of the bot. */
const WEBHOOKS = {
  zulip: describeCall('Zulip', 1, { type: JSON_TYPE, request: zulipRequest, reply: zulipReply }),
  slack: describeCall('Slack, which knows channels alone', 2, { type: FORM, request: slackRequest, reply: slackReply }),
};

function describeCall(
  form: string,
  interfaceType: number,
  { type, request, reply }: { type: string; request: v.GenericSchema; reply: v.GenericSchema },
): object {
  return {
    post: {
      summary: `A message for a bot, in the form of ${form}`,
      description: `The server posts it to the \`payload_url\` of a bot with \`bot_type\` 3 and \`interface_type\` ${interfaceType}. This happens when a message mentions the bot by name or goes to it directly. After no response within ten seconds, 5xx or 429, the server retries the call for ten minutes.`,
      security: [],
      requestBody: { required: true, content: { [type]: { schema: jsonSchema(request) } } },
      responses: {
        200: {
          description: 'What the bot says, 256 KiB at most; an empty body: nothing.',
          content: { [JSON_TYPE]: { schema: jsonSchema(reply) } },
        },
      },
    },
  };
}

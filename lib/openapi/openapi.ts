import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { isOptional, textKind } from '../base/text-codec.ts';
import { VERSION } from '../base/version.ts';
import { catalogue, registered } from '../catalogue.ts';
import {
  slackReply,
  slackRequest,
  zulipReply,
  zulipRequest,
} from '../domains/messages/outgoing-webhooks/webhook-calls.ts';
import { anyEvent, type EventDeclaration, eventSchema } from '../events/define-event.ts';
import { type Operation, routesOf } from '../operation/operation.ts';
import { COMMON_RESPONSES, errorResponses } from './openapi-errors.ts';
import { samplesOf } from './samples.ts';
import { STATES } from './state-schemas.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** Schemas of the state in the `register` response, by fetch type. */
type States = Readonly<Record<string, v.ObjectSchema<v.ObjectEntries, undefined>>>;

let document: object | undefined;

/** The OpenAPI 3.1 description of all operations. The result is cached: do not modify it. */
export function openApiDocument(): object {
  document ??= describeOperations(catalogue as readonly Operation[], registered.events, STATES, WEBHOOKS);
  return document;
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
  const groups = new Set<string>();
  for (const operation of operations) {
    groups.add(groupOf(operation));
    for (const [index, { method, path }] of routesOf(operation).entries()) {
      // OpenAPI has no syntax for a parameter that matches the rest of the path.
      const described = path.replace('*}', '}');
      paths[described] ??= {};
      paths[described][method.toLowerCase()] = describeRoute(operation, method, described, index, states);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parlance',
      version: VERSION,
      description:
        'Team chat over the Zulip HTTP API. Parameters may come in the query or in a form body of any method; ' +
        'strings travel as they are, everything else as JSON text.',
    },
    servers: [{ url: '/api/v1' }],
    tags: [...groups].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: { ...describeEvents(events), ...describeStates(states) },
      responses: COMMON_RESPONSES,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: "An account's e-mail address and its API key." },
      },
    },
  };
}

/** Schemas of events, for example `event.reaction.add`. `Event` is the union. */
function describeEvents(events: readonly EventDeclaration[]): Record<string, object> {
  const schemas = events.map((declaration): [string, object] => {
    const { description: _, ...schema } = jsonSchema(eventSchema(declaration)) as { description?: string };
    return [`event.${declaration.eventName.replace('/', '.')}`, { description: declaration.summary, ...schema }];
  });
  const refs = schemas.map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
  return { Event: { oneOf: refs }, ...Object.fromEntries(schemas) };
}

/** Schemas of the state for each fetch type, for example `state.realm_user`. */
function describeStates(states: States): Record<string, object> {
  return Object.fromEntries(
    Object.entries(states).map(([type, schema]) => [
      `state.${type}`,
      { description: `State of the fetch type \`${type}\`.`, ...jsonSchema(schema) },
    ]),
  );
}

function describeRoute(operation: Operation, method: string, path: string, index: number, states: States): object {
  const entries = Object.entries(operation.params);
  const isInPath = (name: string) => path.includes(`{${name}}`);
  const inQuery = method === 'GET' || method === 'DELETE';
  const parameters: object[] = [];
  const fields: [string, v.GenericSchema][] = [];
  for (const [name, schema] of entries) {
    if (isInPath(name)) parameters.push(describeParameter(name, schema, 'path'));
    else if (inQuery) parameters.push(describeParameter(name, schema, 'query'));
    else fields.push([name, schema]);
  }
  return {
    operationId: index === 0 ? operation.name : `${operation.name}.legacy${index === 1 ? '' : index}`,
    tags: [groupOf(operation)],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(index > 0 ? { deprecated: true } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(fields.length > 0 ? { requestBody: describeForm(fields) } : {}),
    responses: {
      200: {
        description: 'Success',
        content: {
          [JSON_TYPE]: { schema: describeResult(operation, operation.name === 'register' ? fieldsOf(states) : {}) },
        },
      },
      ...errorResponses(operation, method, path),
    },
    'x-codeSamples': samplesOf(operation, method, path),
  };
}

function describeParameter(name: string, schema: v.GenericSchema, place: 'path' | 'query'): object {
  const { description, ...value } = jsonSchema(schema);
  return {
    name,
    in: place,
    ...(place === 'path' || !isOptional(schema) ? { required: true } : {}),
    ...(description ? { description } : {}),
    ...(travelsAsJson(schema) ? { content: { [JSON_TYPE]: { schema: value } } } : { schema: value }),
  };
}

function describeForm(fields: readonly [string, v.GenericSchema][]): object {
  const required = fields.filter(([, schema]) => !isOptional(schema)).map(([name]) => name);
  const json = fields.filter(([, schema]) => travelsAsJson(schema)).map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, schema]) => [name, jsonSchema(schema)])),
    ...(required.length > 0 ? { required } : {}),
  };
  const type = fields.some(([, schema]) => textKind(schema) === 'file') ? MULTIPART : FORM;
  const encoding = Object.fromEntries(json.map((name) => [name, { contentType: JSON_TYPE }]));
  return {
    ...(required.length > 0 ? { required: true } : {}),
    content: { [type]: { schema, ...(json.length > 0 ? { encoding } : {}) } },
  };
}

/** All fields are optional: they depend on the requested fetch types. */
function fieldsOf(states: States): Record<string, object> {
  const fields = Object.entries(states).flatMap(([type, { entries }]) =>
    Object.keys(entries).map((name) => [name, { $ref: `#/components/schemas/state.${type}/properties/${name}` }]),
  );
  return Object.fromEntries(fields);
}

/** @param further fields that are not in the declaration of the operation */
function describeResult(operation: Operation, further: Record<string, object>): object {
  const common = {
    result: { const: 'success' },
    msg: { const: '' },
    ignored_parameters_unsupported: {
      type: 'array',
      items: { type: 'string' },
      description: 'Names given that the operation does not know; absent when there are none.',
    },
  };
  const { type, properties = {}, required = [], ...rest } = jsonSchema(operation.result);
  if (type === 'object') {
    return {
      type,
      properties: { ...common, ...properties, ...further },
      required: ['result', 'msg', ...required],
      ...rest,
    };
  }
  const envelope = { type: 'object', properties: common, required: ['result', 'msg'] };
  return { allOf: [envelope, jsonSchema(operation.result)] };
}

function securityOf({ access }: Operation): object[] {
  if (access === 'anyone') return [];
  return access === 'spectator' ? [{ basic: [] }, {}] : [{ basic: [] }];
}

function travelsAsJson(schema: v.GenericSchema): boolean {
  return textKind(schema).endsWith('json');
}

/** The tag of an operation, such as `messages`. */
export function groupOf({ name }: Pick<Operation, 'name'>): string {
  return name.includes('.') ? (name.split('.', 1)[0] as string) : 'general';
}

/** Converts a schema of the library to JSON Schema for OpenAPI. */
function jsonSchema(schema: v.GenericSchema): JsonSchema {
  if (textKind(schema) === 'file') {
    const description = v.getDescription(schema as never);
    return { type: 'string', format: 'binary', ...(description ? { description } : {}) };
  }
  const options = { errorMode: 'ignore', target: 'draft-2020-12', definitions: { Event: anyEvent } } as const;
  const { $schema, $defs, ...converted } = toJsonSchema(schema as v.GenericSchema<never>, options);
  if ($defs === undefined) return converted;
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** OpenAPI descriptions of outgoing webhooks, by interface of the bot. */
const WEBHOOKS = {
  zulip: describeCall('Zulip', 1, JSON_TYPE, zulipRequest, zulipReply),
  slack: describeCall('Slack, which knows channels alone', 2, FORM, slackRequest, slackReply),
};

function describeCall(
  form: string,
  interfaceType: number,
  type: string,
  request: v.GenericSchema,
  reply: v.GenericSchema,
): object {
  return {
    post: {
      summary: `A message for a bot, in the form of ${form}`,
      description: `Posted to the \`payload_url\` of a bot with \`bot_type\` 3 and \`interface_type\` ${interfaceType}, when a message mentions it by name or is sent to it directly. After no response within ten seconds, 5xx or 429, the call is retried for ten minutes.`,
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

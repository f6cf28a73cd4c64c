import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '@valibot/to-json-schema';
import { ChatError, type Session } from '../../lib/index.ts';
import { catalogue, hasDryRun, type Operation, routesOf, textKind } from '../../lib/internal.ts';
import { jsonSchema } from '../../lib/openapi/json-schema.ts';
import { plainParams } from '../domains/tables.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { UNUSED_MAIL } from '../world/unchanged-worlds.ts';
import type { World } from '../world/world.ts';

const CALLERS: readonly (UserName | 'anonymous')[] = ['owner', 'cordelia', 'hamlet', 'anonymous'];

type Method = (params: object) => Promise<unknown>;

function methodOf(session: Session | Session['dryRun'], { name }: Operation): Method {
  const [group = '', action] = name.split('.');
  const found = (session as unknown as Record<string, Method | Record<string, Method>>)[group];
  return (typeof found === 'function' ? found : found?.[action ?? '']) as Method;
}

/** Whether the call is refused. Changes nothing. */
async function refusal(world: World, caller: UserName | 'anonymous', operation: Operation, params: object) {
  const session = caller === 'anonymous' ? (world.chat.anonymous() as unknown as Session) : world.as(caller);
  const attempt = methodOf(hasDryRun(operation) && caller !== 'anonymous' ? session.dryRun : session, operation);
  return attempt(params).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ChatError) return error;
      throw error;
    },
  );
}

type Place = readonly (string | number)[];

/** Texts with a value inside a list or an object, without those that have few possible values. */
function textsIn(schema: JsonSchema, value: unknown, place: Place = []): { schema: JsonSchema; place: Place }[] {
  if (Array.isArray(value)) {
    const { items } = schema as { items?: JsonSchema };
    return items ? value.slice(0, 1).flatMap((item) => textsIn(items, item, [...place, 0])) : [];
  }
  if (typeof value === 'object' && value !== null) {
    const properties = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
    return properties.flatMap(([name, inside]) => textsIn(inside, (value as Body)[name], [...place, name]));
  }
  const isText = typeof value === 'string' && schema.type === 'string' && !schema.enum && !schema.pattern;
  return isText && place.length > 1 ? [{ schema, place }] : [];
}

type Body = Readonly<Record<string | number, unknown>>;

/** A copy with an empty text at the position. */
function emptied(value: unknown, [key, ...inside]: Place): unknown {
  if (key === undefined) return '';
  const changed = emptied((value as Body)[key], inside);
  return Array.isArray(value) ? [changed, ...value.slice(1)] : { ...(value as Body), [key]: changed };
}

/** They refuse unknown keys, and a key may be empty. */
const BOT_STORAGE = ['botStorage.get', 'botStorage.remove'];

test('C4: exactly the texts that are refused when empty have minLength 1', async () => {
  const [refused, described]: [string[], string[]] = [[], []];
  for (const operation of catalogue as readonly Operation[]) {
    const texts = Object.entries(operation.params).filter(([, schema]) => textKind(schema) === 'text');
    if (Object.keys(operation.params).length === 0) continue;
    for (const caller of CALLERS) {
      const world = await sqliteEngine.world({
        ...(operation.limitedBy?.rule.endsWith('email') ? { mail: UNUSED_MAIL } : {}),
        development: operation.name.startsWith('dev'),
      });
      const params: object = await plainParams(operation.name, world, caller);
      const isRefused = await refusal(world, caller, operation, params);
      for (const [name, schema] of isRefused ? [] : texts) {
        // A text in a path is never empty.
        const isInPath = routesOf(operation).every(({ path }) => new RegExp(`\\{${name}\\*?\\}`).test(path));
        if (!(name in params) || isInPath || 'enum' in jsonSchema(schema)) continue;
        const place = `${operation.name} ${name}`;
        if (jsonSchema(schema).minLength === 1) described.push(place);
        if (await refusal(world, caller, operation, { ...params, [name]: '' })) refused.push(place);
      }
      const all = {
        properties: Object.fromEntries(Object.entries(operation.params).map(([n, s]) => [n, jsonSchema(s)])),
      };
      const skipsInside = isRefused || BOT_STORAGE.includes(operation.name);
      for (const { schema, place } of skipsInside ? [] : textsIn(all as JsonSchema, params)) {
        const name = `${operation.name} ${place.join('.')}`;
        if (schema.minLength === 1) described.push(name);
        if (await refusal(world, caller, operation, emptied(params, place) as object)) refused.push(name);
      }
      await world.chat.close();
      if (!isRefused) break;
    }
  }
  assert.deepEqual(described.sort(), refused.sort());
});

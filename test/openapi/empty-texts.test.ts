import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatError, type Session } from '../../lib/index.ts';
import { catalogue, mayBeTried, type Operation, routesOf, textKind } from '../../lib/internal.ts';
import { jsonSchema } from '../../lib/openapi/json-schema.ts';
import { plainParams } from '../domains/tables.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { UNUSED_MAIL } from '../world/run-cases.ts';
import type { World } from '../world/world.ts';

const CALLERS: readonly (UserName | 'nobody')[] = ['owner', 'cordelia', 'hamlet', 'nobody'];

type Method = (params: object) => Promise<unknown>;

function methodOf(session: Session | Session['dryRun'], { name }: Operation): Method {
  const [group = '', action] = name.split('.');
  const found = (session as unknown as Record<string, Method | Record<string, Method>>)[group];
  return (typeof found === 'function' ? found : found?.[action ?? '']) as Method;
}

/** Whether it is refused; nothing is changed. */
async function refusal(world: World, caller: UserName | 'nobody', operation: Operation, params: object) {
  const session = caller === 'nobody' ? (world.chat.anonymous() as unknown as Session) : world.as(caller);
  const attempt = methodOf(mayBeTried(operation) && caller !== 'nobody' ? session.dryRun : session, operation);
  return attempt(params).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ChatError) return error;
      throw error;
    },
  );
}

test('C4: a text that is refused when it is empty has minLength 1, and no other has', async () => {
  const [refused, described]: [string[], string[]] = [[], []];
  for (const operation of catalogue as readonly Operation[]) {
    const texts = Object.entries(operation.params).filter(([, schema]) => textKind(schema) === 'text');
    if (texts.length === 0) continue;
    for (const caller of CALLERS) {
      const world = await sqliteEngine.world({
        ...(operation.limitedBy?.rule.endsWith('email') ? { mail: UNUSED_MAIL } : {}),
        development: operation.name === 'devFetchApiKey',
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
      await world.chat.close();
      if (!isRefused) break;
    }
  }
  assert.deepEqual(described.sort(), refused.sort());
});

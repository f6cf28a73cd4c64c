import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type * as v from 'valibot';
import { textKind } from '../../lib/base/text-codec.ts';
import { catalogue, type Operation, routesOf } from '../../lib/internal.ts';
import { sqliteEngine } from '../world/copies.ts';
import { libraryTransport, type Outcome, remoteTransport } from '../world/transports.ts';
import { plainParams } from './tables.ts';
import { comparable } from './trying.ts';

/** Values of another type than the parameter, or of no JSON type. */
const STRANGE: readonly unknown[] = [undefined, null, true, [], [7], {}, Number.NaN, '\ud800', 'a\0b'];

/** Texts that change the path, or that are empty. */
const TEXTS: readonly string[] = [
  ...['', '.', '..', ' ', '/', '//', 'me', 'me ', ' me', 'ME', 'me/', '/me', './me', '../me', 'me/subscriptions'],
  ...['0', '4', '04', '4 ', '-4', '4.0', '٤', 'a/b', '%', '%6de', '%zz', '%2e%2e', '%00', 'me%2f', '%2Fme'],
  ...['?', 'me?', 'me?x=1', '#', 'me#x', '\\', '..\\me', ';', '&', '=', '+', 'é', '日本', '👍🏽', 'a\tb', 'a\nb'],
  ...['x'.repeat(400), '日'.repeat(3_000), 'x'.repeat(30_000), 'constructor', '__proto__', '{email}'],
];

const NUMBERS: readonly unknown[] = [-1, -0, 0, 1.5, 1e21, 2 ** 53, Number.POSITIVE_INFINITY, 999_999, 4];

/** Existing names and addresses in different spellings. */
const ADDRESSES: readonly string[] = ['cordelia@example.com', ' Cordelia@EXAMPLE.com ', 'cordelia%40example.com'];
const NAMES: readonly string[] = ['yorick', ' yorick ', 'YORICK', 'jester', '%79orick'];

interface PathParameter {
  operation: Operation;
  name: string;
}

/** Every parameter in a path. */
export const inPaths: readonly PathParameter[] = (catalogue as readonly Operation[]).flatMap((operation) =>
  [...(routesOf(operation)[0]?.path ?? '').matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => ({ operation, name })),
);

function valuesFor(operation: Operation, name: string): readonly unknown[] {
  if (textKind(operation.params[name] as v.GenericSchema) === 'integer') return [...STRANGE, ...TEXTS, ...NUMBERS];
  return [...STRANGE, ...NUMBERS, ...TEXTS, ...(name === 'email' ? ADDRESSES : NAMES)];
}

/** Compared parts of an outcome. Messages may differ, since a remote session refuses some values itself. */
export function essence(outcome: Outcome): unknown {
  if ('answer' in outcome) return comparable(outcome.answer as object);
  const { code, status, data } = outcome.refusal;
  return { code, status, data };
}

/**
 * The first parameter of each kind: its schema, the method, and its place in the path. An encoding that fails for a
 * value fails in all places of a kind.
 */
export function kindsInPaths(): readonly PathParameter[] {
  const kinds = new Map<string, PathParameter>();
  for (const parameter of inPaths) {
    const { operation, name } = parameter;
    const [route] = routesOf(operation);
    const [, wildcard, rest] = new RegExp(`\\{${name}(\\*?)\\}(.*)`).exec(route?.path ?? '') ?? [];
    const schema = textKind(operation.params[name] as v.GenericSchema);
    const kind = [route?.method, schema, name === 'email', wildcard, rest === ''].join();
    if (!kinds.has(kind)) kinds.set(kind, parameter);
  }
  return [...kinds.values()];
}

export function testPathParameters(parameters: readonly PathParameter[]): void {
  describe('remote sessions and sessions in process agree on path parameters', () => {
    for (const { operation, name } of parameters) {
      test(`${operation.name} accepts and refuses the same values of ${name} in process and remotely`, async () => {
        const worlds = [await sqliteEngine.world(), await sqliteEngine.world()] as const;
        try {
          const [ours, theirs] = [
            await plainParams(operation.name, worlds[0], 'owner'),
            await plainParams(operation.name, worlds[1], 'owner'),
          ];
          for (const value of valuesFor(operation, name)) {
            const [here, there] = await Promise.all([
              libraryTransport.call(worlds[0], 'owner', operation, { ...ours, [name]: value }),
              remoteTransport.call(worlds[1], 'owner', operation, { ...theirs, [name]: value }),
            ]);
            assert.deepEqual(essence(there), essence(here), `${name}: ${JSON.stringify(value)?.slice(0, 60)}`);
          }
        } finally {
          for (const world of worlds) await world.close();
        }
      });
    }
  });
}

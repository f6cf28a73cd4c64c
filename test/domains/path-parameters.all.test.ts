import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type * as v from 'valibot';
import { textKind } from '../../lib/base/text-codec.ts';
import { catalogue, type Operation, operationNamed, routesOf } from '../../lib/internal.ts';
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

const inPaths = (catalogue as readonly Operation[]).flatMap((operation) =>
  [...(routesOf(operation)[0]?.path ?? '').matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => ({ operation, name })),
);

test('the path parameters under test include text and integers', () => {
  const kinds = new Set(inPaths.map(({ operation, name }) => textKind(operation.params[name] as v.GenericSchema)));
  assert.deepEqual([...kinds].sort(), ['integer', 'text']);
  assert.ok(inPaths.length > 20);
});

function valuesFor(operation: Operation, name: string): readonly unknown[] {
  if (textKind(operation.params[name] as v.GenericSchema) === 'integer') return [...STRANGE, ...TEXTS, ...NUMBERS];
  return [...STRANGE, ...NUMBERS, ...TEXTS, ...(name === 'email' ? ADDRESSES : NAMES)];
}

/** Compared parts of an outcome. Messages may differ, since a remote session refuses some values itself. */
function essence(outcome: Outcome): unknown {
  if ('answer' in outcome) return comparable(outcome.answer as object);
  const { code, status, data } = outcome.refusal;
  return { code, status, data };
}

describe('remote sessions and sessions in process agree on path parameters', () => {
  for (const { operation, name } of inPaths) {
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

test('text with lone surrogates is refused in process and by remote sessions', async () => {
  const world = await sqliteEngine.world();
  const send = operationNamed('messages.send');
  try {
    for (const content of ['\ud800', 'half of \udc4d', '\ud83d\ud83d\udc4d']) {
      const params = { type: 'channel', to: world.channels.public, topic: 'x', content };
      for (const transport of [libraryTransport, remoteTransport]) {
        const outcome = await transport.call(world, 'hamlet', send, params);
        assert.deepEqual(essence(outcome), { code: 'BAD_REQUEST', status: 400, data: {} }, transport.name);
      }
    }
  } finally {
    await world.close();
  }
});

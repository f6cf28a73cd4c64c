import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as v from 'valibot';
import { textKind } from '../../lib/base/text-codec.ts';
import { operationNamed } from '../../lib/internal.ts';
import { sqliteEngine } from '../world/copies.ts';
import { libraryTransport, remoteTransport } from '../world/transports.ts';
import { essence, inPaths, kindsInPaths, testPathParameters } from './path-parameters.ts';

test('the path parameters under test include text and integers', () => {
  const kinds = new Set(inPaths.map(({ operation, name }) => textKind(operation.params[name] as v.GenericSchema)));
  assert.deepEqual([...kinds].sort(), ['integer', 'text']);
  assert.ok(inPaths.length > 20);
});

testPathParameters(kindsInPaths());

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { id, list, text } from '../../../lib/base/schemas.ts';
import { defineOperation, type Operation } from '../../../lib/operation/operation.ts';
import type { Case } from '../../world/case.ts';
import { sqliteEngine } from '../../world/copies.ts';
import type { World } from '../../world/world.ts';
import { type OperationCases, select } from './kinds.ts';

const operation = (name: string, params: Operation['params'], result = v.object({ id: v.number() })): Operation =>
  defineOperation({
    name,
    http: `POST /${name}`,
    summary: 'Play',
    access: 'user',
    effect: 'write',
    params,
    result,
    run: async () => ({ id: 1 }),
  }) as unknown as Operation;

const played = (name: string, call: object | ((world: World) => object), refuses?: string): Case =>
  ({ name, as: 'hamlet', call: ['messages.send', call], ...(refuses ? { refuses: { code: refuses } } : {}) }) as Case;

const names = (operations: readonly OperationCases[]) => operations.map(({ cases }) => cases.map(({ name }) => name));

test('a case is played in each shell if it is a first one or brings a new kind of parameter, answer or error', async () => {
  const world = await sqliteEngine.world();
  const first = {
    operation: operation('first', { content: text(), message_id: v.optional(id) }),
    cases: [
      played('first success', { content: 'x' }),
      played('the same success again', { content: 'y' }),
      played('an optional ID of the fixture', ({ messages }) => ({ message_id: messages.ghost })),
      played('first refusal', { content: 1 }, 'BAD_REQUEST'),
      played('the same refusal', { content: 2 }, 'BAD_REQUEST'),
      played('another error', { content: 'z' }, 'DOES_NOT_EXIST'),
    ],
  };
  const invented = {
    operation: operation('second', { pairs: list(v.object({ key: text(), count: id })) }),
    cases: [played('without the list', {}), played('a list of a new shape', { pairs: [{ key: 'x', count: 1 }] })],
  };
  const selection = select([first, invented], world, { transport: 'HTTP' });
  assert.deepEqual(names(selection.firsts), [['first success', 'first refusal'], ['without the list']]);
  assert.deepEqual(names(selection.others), [
    ['an optional ID of the fixture', 'another error'],
    ['a list of a new shape'],
  ]);
  assert.deepEqual(names(selection.rest), [['the same success again', 'the same refusal'], []]);
  await world.close();
});

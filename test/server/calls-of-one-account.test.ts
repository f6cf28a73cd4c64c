import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { defineOperation } from '../../lib/operation/operation.ts';
import { Gate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { basic, runningOperations } from './running.ts';

test('expensive calls of one account run one at a time, and calls of other accounts do not wait', async (t) => {
  const gate = new Gate();
  const begun = new Map<number, number>();
  const slow = defineOperation({
    name: 'test.slow',
    http: 'POST /slow',
    summary: 'Compute for long',
    access: 'user',
    effect: 'manual',
    params: { held: v.optional(v.boolean()) },
    result: v.object({}),
    errors: [],
    async run({ transact }, { held }) {
      if (!held) {
        await transact('read', async () => compute(200));
        return {};
      }
      const actor = await transact('read', async (context) => context.actor);
      begun.set(actor.id, (begun.get(actor.id) ?? 0) + 1);
      await gate.opened;
      return {};
    },
  });
  const { send, chat, owner } = await runningOperations(t, [slow]);
  const { user_id } = await chat.as(owner.user_id).users.create({ email: 'mo@example.com', full_name: 'Mo' });
  const mo = basic('mo@example.com', await chat.apiKeyOf(user_id));
  // The server learns from the first call that this operation is expensive.
  await send('POST', '/api/v1/slow');

  const first = Array.from({ length: 10 }, () => send('POST', '/api/v1/slow?held=true'));
  await until('a call of the owner is under way', () => begun.has(owner.user_id));
  const second = send('POST', '/api/v1/slow?held=true', { auth: mo });
  await until('the call of Mo is under way', () => begun.has(user_id));
  assert.deepEqual(
    [...begun],
    [
      [owner.user_id, 1],
      [user_id, 1],
    ],
  );
  gate.open();
  for (const { status } of await Promise.all([...first, second])) assert.equal(status, 200);
  assert.equal(begun.get(owner.user_id), 10);
});

function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

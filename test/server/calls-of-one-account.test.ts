import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { defineOperation } from '../../lib/operation/operation.ts';
import { Gate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { basic, runningOperations } from './running.ts';

test('the calls of one account wait for each other, and those of others do not', async (t) => {
  const gate = new Gate();
  let underway = 0;
  let most = 0;
  const wait = defineOperation({
    name: 'test.wait',
    http: 'POST /wait',
    summary: 'Wait',
    access: 'user',
    effect: 'manual',
    params: {},
    result: v.object({}),
    errors: [],
    async run() {
      most = Math.max(most, ++underway);
      await gate.opened;
      underway--;
      return {};
    },
  });
  const { send, chat, owner } = await runningOperations(t, [wait]);
  const { user_id } = await chat.as(owner.user_id).users.create({ email: 'mo@example.com', full_name: 'Mo' });
  const mo = basic('mo@example.com', await chat.apiKeyOf(user_id));
  const first = Array.from({ length: 10 }, () => send('POST', '/api/v1/wait'));
  await until('two requests are under way', () => underway >= 2);
  const second = send('POST', '/api/v1/wait', { auth: mo });
  await until('three requests are under way', () => underway >= 3);
  assert.ok(most < 11, `${most} at once`);
  gate.open();
  for (const { status } of await Promise.all([...first, second])) assert.equal(status, 200);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testChat } from '../../lib/testing/testing.ts';

test('a manual operation that refuses before its first transaction refuses a deactivated caller as such', async (t) => {
  const { chat, people, close } = await testChat();
  t.after(close);
  const { ada, dora } = people;
  const invite = (user_id: number) => chat.as(user_id).invites.send({ invitee_emails: ' ', stream_ids: [] });
  await assert.rejects(invite(dora.user_id), { code: 'BAD_REQUEST', message: /at least one address/ });
  await ada.users.deactivate({ user_id: dora.user_id });
  await assert.rejects(invite(dora.user_id), { code: 'UNAUTHORIZED', message: /deactivated/ });
  await assert.rejects(invite(10_000), { code: 'UNAUTHORIZED' });
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { localFiles, openChat, sqlite } from '../../../lib/index.ts';

test('has:attachment finds files of a chat that is mounted below a path, in lists and in queues', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-mounted-'));
  const chat = await openChat({
    storage: sqlite(':memory:'),
    files: localFiles(folder),
    baseUrl: 'https://example.com/chat',
  });
  t.after(async () => {
    await chat.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { user_id } = await chat.createOrganization({
    name: 'Harbour',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const ada = chat.as(user_id);
  const narrow = [{ operator: 'has', operand: 'attachment' }];
  const { queue_id } = await ada.register({ event_types: ['message'], narrow: [['has', 'attachment']] });
  const { url } = await ada.uploads.send({ file: new File(['x'], 'a.txt') });
  const send = async (content: string) => (await ada.messages.send({ type: 'direct', to: [user_id], content })).id;
  await send('See `/chat/user_uploads/` and https://example.org/chat/user_uploads/1/ab/a.txt');
  const id = await send(`[a.txt](${url})`);
  const { messages } = await ada.messages.list({ anchor: 'newest', num_before: 10, num_after: 0, narrow });
  assert.deepEqual(
    messages.map((message) => message.id),
    [id],
  );
  const { events } = await ada.events.list({ queue_id, last_event_id: -1, dont_block: true });
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.id),
    [id],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../lib/index.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { serve } from '../../server/index.ts';

test('too long content is refused in process and truncated over HTTP, unless truncate says otherwise', async (t) => {
  const { chat, people, close } = await testChat();
  t.after(close);
  const { ada } = people;
  const { api_key } = await ada.users.regenerateApiKey();
  const server = await serve(chat, { port: 0 });
  t.after(() => server.close());
  const { url } = server;
  const remote = connect({ site: url, email: ada.email, api_key });
  t.after(() => remote.close());
  const message = { type: 'direct', to: [ada.user_id], content: 'x'.repeat(10_001) } as const;
  const refusal = {
    code: 'BAD_REQUEST',
    message: 'The content is too long (limit: 10000 characters). Shorten it, or set truncate to cut it.',
  };
  await assert.rejects(ada.messages.send(message), refusal);
  await assert.rejects(remote.messages.send({ ...message, truncate: false }), refusal);
  const sent = [await ada.messages.send({ ...message, truncate: true }), await remote.messages.send(message)];
  for (const { id } of sent) {
    const { message: stored } = await ada.messages.get({ message_id: id, apply_markdown: false });
    assert.equal(stored.content, `${'x'.repeat(9_980)}\n[message truncated]`);
  }
  // The same with a JSON body.
  const sendJson = async (values: object) => {
    const authorization = `Basic ${Buffer.from(`${ada.email}:${api_key}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/messages`, { method: 'POST', headers, body: JSON.stringify(values) });
    return answer.status;
  };
  assert.equal(await sendJson(message), 200);
  assert.equal(await sendJson({ ...message, truncate: null }), 400);
});

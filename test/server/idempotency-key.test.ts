import assert from 'node:assert/strict';
import { test } from 'node:test';
import { running } from './running.ts';

test('the header Idempotency-Key makes a retry safe', async (t) => {
  const { url, auth } = await running(t);
  const send = async (key: string, more: Record<string, string> = {}, path = 'messages') => {
    const body = new URLSearchParams({ type: 'direct', to: '["olga@example.com"]', content: 'Hello', ...more });
    const headers = { authorization: auth, 'Idempotency-Key': key };
    const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body });
    const { result, code, id } = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, result, code, id };
  };
  const first = await send('"a \\"b\\""');
  assert.equal(first.result, 'success');
  assert.deepEqual(await send('"a \\"b\\""'), first);
  assert.deepEqual(await send('"a \\"b\\""', { idempotency_key: 'a "b"' }), first);
  assert.notEqual((await send('a')).id, first.id);
  const forms: Record<string, string>[] = [{ to: 'olga@example.com' }, { type: 'private' }];
  for (const more of forms) {
    const same = await send('a', more);
    assert.equal(same.id, (await send('a')).id, 'another form of the same value is the same call');
  }
  const reused = await send('a', { content: 'Other' });
  assert.deepEqual([reused.status, reused.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
  for (const [key, more] of [
    ['"a', {}],
    ['"a"b"', {}],
    // Two headers of this name arrive as one.
    ['a, b', {}],
    ['"a", "b"', {}],
    ['x'.repeat(256), {}],
    ['', {}],
    ['a', { idempotency_key: 'b' }],
  ] as const) {
    const refused = await send(key, more);
    assert.deepEqual([refused.status, refused.code], [400, 'BAD_REQUEST'], key);
  }
  assert.equal((await send('"a, b"')).result, 'success');
  // Other operations ignore it.
  const ignored = await send('"a', { messages: '[]', op: 'add', flag: 'read' }, 'messages/flags');
  assert.equal(ignored.result, 'success');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '../../lib/internal.ts';
import { png } from '../world/pictures.ts';
import { running } from './running.ts';

test('operations, pages and images answer OPTIONS, HEAD and other methods alike', async (t) => {
  const { send, chat, owner } = await running(t);
  await chat.as(owner.user_id).customEmoji.upload({ emoji_name: 'gruel', file: png });
  const { emoji } = await chat.as(owner.user_id).customEmoji.list();
  const addresses: readonly [address: string, status: number][] = [
    ['/api/v1/server_settings', 200],
    ['/', 302],
    ['/api/docs', 200],
    ['/static/emoji.json', 200],
    [emoji['1']?.source_url as string, 200],
  ];
  for (const [address, status] of addresses) {
    const options = await send('OPTIONS', address, { auth: null });
    assert.deepEqual([options.status, options.text, options.headers.allow], [204, '', 'GET, HEAD'], address);

    const get = await send('GET', address, { auth: null });
    const head = await send('HEAD', address, { auth: null });
    assert.deepEqual([get.status, head.status, head.text], [status, status, ''], address);
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      assert.equal(head.headers[name], get.headers[name], `${name} of ${address}`);
    }

    for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND']) {
      const refused = await send(method, address, { auth: null });
      assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, HEAD'], `${method} ${address}`);
      assert.deepEqual(refused.body.allowed_methods, ['GET', 'HEAD']);
    }
  }
});

test('a path without GET has no HEAD', async (t) => {
  const { send } = await running(t);
  assert.equal((await send('OPTIONS', '/api/v1/channels/create')).headers.allow, 'POST');
  assert.equal((await send('HEAD', '/api/v1/channels/create')).status, 405);
});

test('C5: statuses for values that are not IDs are in the OpenAPI description', async (t) => {
  const { send } = await running(t);
  const refused = new Set<number>();
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, { responses: object }>> };
  for (const [path, operations] of Object.entries(paths).filter(([path]) => path.includes('{'))) {
    for (const value of ['-1', 'create', '1.5', '9'.repeat(17), 'a@example.com']) {
      const address = `/api/v1${path.replaceAll(/\{\w+\}/g, value)}`;
      for (const [method, { responses }] of Object.entries(operations)) {
        const { status } = await send(method.toUpperCase(), address);
        assert.ok(String(status) in responses, `${method} ${address}: ${status}`);
        refused.add(status);
      }
    }
  }
  assert.ok(refused.has(404) && refused.has(405));
});

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { type PlainNotification, PushRelayError, pushRelay } from '../../lib/index.ts';

const REGISTRATION = {
  realm_uuid: 'a-b',
  push_account_id: 7,
  encrypted_push_registration: 'x+/=',
  bouncer_public_key: 'y&z',
};

async function listening(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of req) body += chunk;
  return body;
}

const open = (t: TestContext, url: string, timeoutMs = 2_000) => {
  const relay = pushRelay({ url, id: 'server', key: 'se:cret', timeoutMs });
  t.after(() => relay.close());
  return relay;
};

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => {
      assert.ok(error instanceof PushRelayError, String(error));
      return error.code === undefined ? error.problem : `${error.problem} ${error.code}`;
    },
  );

describe('a push relay over HTTP', () => {
  test('the push relay receives forms and JSON below its address, with credentials', async (t) => {
    const asked: unknown[] = [];
    const site = await listening(t, async (req, res) => {
      const { authorization, 'content-type': type, 'user-agent': agent } = req.headers;
      asked.push([req.method, req.url, authorization, type, await bodyOf(req)]);
      assert.match(String(agent), /^ZulipServer\/\d+\.\d+ Parlance\/\d+\.\d+\.\d+$/);
      res.end(
        JSON.stringify({ result: 'success', msg: '', device_id: 3, delete_device_ids: [5], realm_push_status: null }),
      );
    });
    const relay = open(t, `${site}/under/here/`);
    assert.deepEqual(await relay.register(REGISTRATION), { device_id: 3 });
    assert.deepEqual(await relay.notify('a-b', []), { delete_device_ids: [5] });
    const basic = `Basic ${Buffer.from('server:se:cret').toString('base64')}`;
    assert.deepEqual(asked, [
      [
        ...['POST', '/under/here/api/v1/remotes/push/e2ee/register', basic, 'application/x-www-form-urlencoded'],
        'realm_uuid=a-b&push_account_id=7&encrypted_push_registration=x%2B%2F%3D&bouncer_public_key=y%26z',
      ],
      [
        ...['POST', '/under/here/api/v1/remotes/push/e2ee/notify', basic, 'application/json'],
        '{"realm_uuid":"a-b","push_requests":[]}',
      ],
    ]);
  });

  test('notifyTokens sends unencrypted notifications and returns the tokens that the relay deleted', async (t) => {
    const notification: PlainNotification = {
      realm_uuid: 'a-b',
      user_uuid: 'c-d',
      user_id: 4,
      gcm_payload: { event: 'message' },
      gcm_options: { priority: 'high' },
      apns_payload: { badge: 0 },
      android_devices: ['x', 'y'],
      apple_devices: ['c0ffee'],
    };
    const asked: unknown[] = [];
    const answers = [
      {
        deleted_devices: { android_devices: ['y'], apple_devices: [] },
        realm: { can_push: true, expected_end_timestamp: 7 },
      },
      { total_android_devices: 2, realm: null },
      { deleted_devices: { android_devices: 'y' } },
    ];
    const site = await listening(t, async (req, res) => {
      asked.push([req.method, req.url, req.headers['content-type'], JSON.parse(await bodyOf(req))]);
      res.end(JSON.stringify({ result: 'success', msg: '', ...answers[asked.length - 1] }));
    });
    const relay = open(t, site);
    assert.deepEqual(await relay.notifyTokens(notification), {
      deleted: { android_devices: ['y'], apple_devices: [] },
      status: { can_push: true, expected_end_timestamp: 7 },
    });
    assert.deepEqual(await relay.notifyTokens(notification), { deleted: { android_devices: [], apple_devices: [] } });
    assert.equal(await problemOf(relay.notifyTokens(notification)), 'misconfigured');
    assert.deepEqual(asked[0], ['POST', '/api/v1/remotes/push/notify', 'application/json', notification]);
  });

  const ANSWERS: [problem: string, status: number, body: string][] = [
    ['failing', 500, '{"result":"error","msg":"Internal server error"}'],
    ['failing', 502, '<html>Bad gateway</html>'],
    ['failing RATE_LIMIT_HIT', 429, '{"result":"error","msg":"Slow down","code":"RATE_LIMIT_HIT"}'],
    ['refused REQUEST_EXPIRED', 400, '{"result":"error","msg":"Old","code":"REQUEST_EXPIRED"}'],
    ['refused BAD_REQUEST', 400, '{"result":"error","msg":"No"}'],
    ['misconfigured INVALID_ZULIP_SERVER', 401, '{"result":"error","msg":"Who?","code":"INVALID_ZULIP_SERVER"}'],
    ['misconfigured MISSING_REMOTE_REALM', 403, '{"result":"error","msg":"Which?","code":"MISSING_REMOTE_REALM"}'],
    [
      'misconfigured PUSH_NOTIFICATIONS_DISALLOWED',
      400,
      '{"result":"error","msg":"Plan","code":"PUSH_NOTIFICATIONS_DISALLOWED"}',
    ],
    ['misconfigured', 404, 'Not found'],
    ['misconfigured', 302, ''],
    ['misconfigured', 200, '<html>Welcome</html>'],
    ['misconfigured', 200, '{"result":"success","msg":""}'],
    ['misconfigured', 200, '{"result":"success","msg":"","device_id":"3"}'],
    ['misconfigured', 200, `{"result":"success","msg":"${'x'.repeat(1_100_000)}"}`],
  ];
  for (const [problem, status, body] of ANSWERS) {
    test(`a relay response ${status} ${body.slice(0, 60)} means: ${problem}`, async (t) => {
      const site = await listening(t, (_req, res) => res.writeHead(status).end(body));
      assert.equal(await problemOf(open(t, site).register(REGISTRATION)), problem);
    });
  }

  test('a relay that times out or disconnects is reported as unreachable', async (t) => {
    const silent = await listening(t, () => undefined);
    assert.equal(await problemOf(open(t, silent, 200).register(REGISTRATION)), 'unreachable');
    const halting = await listening(t, (_req, res) => void res.writeHead(200).write('{"result"'));
    assert.equal(await problemOf(open(t, halting, 200).register(REGISTRATION)), 'unreachable');
    const breaking = await listening(t, (req) => req.socket.destroy());
    assert.equal(await problemOf(open(t, breaking).register(REGISTRATION)), 'unreachable');
    assert.equal(await problemOf(open(t, 'http://127.0.0.1:9').register(REGISTRATION)), 'unreachable');
  });

  test('invalid addresses and addresses with secrets are refused at once', () => {
    for (const url of ['push.example.com', 'ftp://push.example.com', 'https://me:secret@push.example.com']) {
      assert.throws(() => pushRelay({ url, id: 'server', key: 'key' }));
    }
  });
});

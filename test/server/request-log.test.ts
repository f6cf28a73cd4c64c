import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Logger } from '../../lib/index.ts';
import type { ServeOptions } from '../../server/index.ts';
import { until } from '../support/until.ts';
import { running } from './running.ts';

interface Line {
  level: string;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the response
  [field: string]: any;
}

async function logged(t: TestContext, options: ServeOptions = {}) {
  const lines: Line[] = [];
  const keep = (level: string) => (data: object, message: string) => void lines.push({ level, message, ...data });
  const logger: Logger = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
  const server = await running(t, { logger, ...options }, { logger, heartbeatSeconds: 1 });
  /** The log line is written after the connection has accepted the response. The client may read it earlier. */
  const line = (request: string): Promise<Line> =>
    until(`the log has request ${request}`, () => lines.find((one) => one.request === request));
  return { ...server, lines, line };
}

describe('the log of requests', () => {
  it('the request log has a line for each request, with the pattern of its address', async (t) => {
    const { send, line, owner } = await logged(t);
    const { status, headers, text } = await send('GET', '/api/v1/users/olga@example.com?client_gravatar=false');
    assert.equal(status, 200);
    const { ms, bytes, ...rest } = await line(String(headers['x-request-id']));
    assert.deepEqual(rest, {
      level: 'info',
      message: 'request',
      request: headers['x-request-id'],
      method: 'GET',
      route: '/api/v1/users/{email}',
      operation: 'users.getByEmail',
      status: 200,
      user: owner.user_id,
    });
    assert.ok(ms > 0 && bytes > text.length, `${ms} ms, ${bytes} bytes`);
  });

  it('the request log has refusals, unknown addresses, and pages without their secrets', async (t) => {
    const { send, line } = await logged(t);
    const of = async (method: string, path: string, auth?: null) => {
      const { headers } = await send(method, path, auth === null ? { auth } : {});
      const { route, operation, status, user } = await line(String(headers['x-request-id']));
      return [route, operation, status, user];
    };
    assert.deepEqual(await of('GET', '/api/v1/users/me', null), ['/api/v1/users/me', 'users.me', 401, null]);
    assert.deepEqual(await of('GET', '/api/v1/nothing/here'), ['', 'none', 404, null]);
    assert.deepEqual(await of('GET', '/join/abcdefsecret'), ['/join/{rest}', 'page', 404, null]);
    assert.deepEqual(await of('GET', '/elsewhere'), ['', 'none', 404, null]);
    assert.deepEqual((await of('GET', '/api/v1/dry_run/users/me')).slice(0, 2), [
      '/api/v1/dry_run/users/me',
      'dry_run',
    ]);
  });

  it('the request log takes request IDs only from a trusted proxy', async (t) => {
    const idOf = async (trustProxy: number, given: string) => {
      const { send } = await logged(t, { trustProxy });
      return (await send('GET', '/api/v1/users/me', { headers: { 'x-request-id': given } })).headers['x-request-id'];
    };
    assert.equal(await idOf(1, 'abc-123-def-456'), 'abc-123-def-456');
    assert.notEqual(await idOf(1, 'abc 123 {"level"'), 'abc 123 {"level"');
    assert.notEqual(await idOf(0, 'abc-123-def-456'), 'abc-123-def-456');
  });

  it('the request log has the waiting time of a poll separately', async (t) => {
    const { send, line } = await logged(t);
    const { body } = await send('POST', '/api/v1/register');
    const poll = await send('GET', `/api/v1/events?queue_id=${body.queue_id}&last_event_id=-1`);
    assert.equal(poll.status, 200);
    const { ms, waited_ms } = await line(String(poll.headers['x-request-id']));
    assert.ok(waited_ms >= 500, `${waited_ms} ms waited`);
    assert.ok(ms < waited_ms, `${ms} ms without waiting`);
  });

  it('an error in the request log has the ID of its request', async (t) => {
    const { send, chat, line, lines } = await logged(t);
    await chat.close();
    const { status, headers, body } = await send('GET', '/api/v1/users/me');
    assert.equal(status, 503);
    const id = String(headers['x-request-id']);
    assert.match(body.msg, new RegExp(id));
    assert.equal((await line(id)).status, 503);
    assert.equal(lines.find(({ level }) => level === 'error')?.id, id);
  });
});

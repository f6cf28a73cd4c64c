import type { Dispatcher, Pool } from 'undici';
import * as v from 'valibot';
import { API_VERSION, VERSION } from '../base/version.ts';
import { siteIn } from '../rules/site-address.ts';
import { type PushRelay, PushRelayError } from './push-relay.ts';

/** Options of `pushRelay`. */
export interface PushRelayOptions {
  /** Address of the relay, for example `https://push.example.com`. */
  url: string;
  /** ID of this server at the relay. */
  id: string;
  /** Secret key of this server at the relay. */
  key: string;
  /** Timeout of a request in milliseconds. `chat.close()` may wait this long. Default 15000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Concurrent requests. Further requests wait. */
const MAX_CONNECTIONS = 8;
/** Largest response in bytes. Responses only contain lists of devices. */
const MAX_ANSWER = 1024 * 1024;
/** Characters of the relay's message that are kept. */
const MAX_REASON = 300;

/** Error codes about this server, not about the request. */
const SERVER_ERROR_CODES = [
  'INVALID_ZULIP_SERVER',
  'MISSING_REMOTE_REALM',
  'PUSH_NOTIFICATIONS_DISALLOWED',
  'REMOTE_SERVER_DEACTIVATED_ERROR',
  'UNAUTHORIZED',
];

const someText = v.fallback(v.optional(v.string()), undefined);
/** undefined for a response in another format. */
const envelope = v.fallback(
  v.optional(v.pipe(v.string(), v.parseJson(), v.looseObject({ result: someText, code: someText, msg: someText }))),
  undefined,
);
const registered = v.object({ device_id: v.pipe(v.number(), v.safeInteger()) });
const status = v.optional(
  v.nullable(
    v.object({
      can_push: v.boolean(),
      expected_end_timestamp: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger())), null),
    }),
  ),
);
const notified = v.object({
  delete_device_ids: v.optional(v.array(v.pipe(v.number(), v.safeInteger())), []),
  realm_push_status: status,
});
const tokens = v.optional(v.array(v.string()), []);
const notifiedTokens = v.object({
  deleted_devices: v.optional(v.object({ android_devices: tokens, apple_devices: tokens }), {}),
  realm: status,
});

/**
 * A client of a push relay over HTTP. Connects with the first request.
 * @example await openChat({ storage, pushRelay: pushRelay({ url: 'https://push.example.com', id: '…', key: '…' }) });
 */
export function pushRelay(options: PushRelayOptions): PushRelay {
  const { url, id, key, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const root = rootOf(url);
  const headers = {
    authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
    // Relays choose their response format by the first product.
    'user-agent': `ZulipServer/${API_VERSION} Parlance/${VERSION}`,
  };
  let pool: Promise<Pool> | undefined;

  async function post(path: string, type: string, body: string): Promise<unknown> {
    pool ??= connect(root.origin, timeoutMs);
    const answer = await exchange(await pool, {
      path: `${root.pathname}/api/v1/remotes/${path}`.replace(/^\/+/, '/'),
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answerOf(answer);
  }

  const postForm = (path: string, fields: object) =>
    post(path, 'application/x-www-form-urlencoded', formOf(fields).toString());
  const postJson = (path: string, value: unknown) => post(path, 'application/json', JSON.stringify(value));

  return {
    async register(registration) {
      return checked(registered, await postForm('push/e2ee/register', registration));
    },
    async notify(realm_uuid, push_requests) {
      const answer = await postJson('push/e2ee/notify', { realm_uuid, push_requests });
      const { delete_device_ids, realm_push_status } = checked(notified, answer);
      return { delete_device_ids, ...(realm_push_status ? { status: realm_push_status } : {}) };
    },
    async notifyTokens(notification) {
      const answer = checked(notifiedTokens, await postJson('push/notify', notification));
      return { deleted: answer.deleted_devices, ...(answer.realm ? { status: answer.realm } : {}) };
    },
    async registerToken(token) {
      await postForm('push/register', token);
    },
    async unregisterToken(token) {
      await postForm('push/unregister', token);
    },
    async close() {
      // If creating the pool failed, there is nothing to close.
      await (await pool?.catch(() => undefined))?.close();
    },
  };
}

/** @throws Error if the address is not an HTTP address, or has a login or a query */
function rootOf(url: string): URL {
  const site = siteIn(url);
  if (site !== undefined) return new URL(site);
  throw new Error('The address of the push relay must look like https://push.example.com, without login and query.');
}

function formOf(fields: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

async function connect(origin: string, timeoutMs: number): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(origin, {
    connections: MAX_CONNECTIONS,
    connect: { timeout: Math.min(timeoutMs, CONNECT_TIMEOUT_MS) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_ANSWER,
  });
}

async function exchange(pool: Pool, request: Dispatcher.RequestOptions): Promise<{ status: number; text: string }> {
  try {
    const { statusCode, body } = await pool.request(request);
    return { status: statusCode, text: await body.text() };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
      throw new PushRelayError(`The response of the push relay is larger than ${MAX_ANSWER} bytes.`, 'misconfigured');
    throw new PushRelayError(`The push relay cannot be reached: ${message}`, 'unreachable');
  }
}

/** The body of a successful response. @throws PushRelayError */
function answerOf({ status, text }: { status: number; text: string }): unknown {
  const body = v.parse(envelope, text);
  const code = body?.code;
  const says = body?.msg?.slice(0, MAX_REASON) ?? `status ${status}`;
  if (status >= 500 || status === 429) throw new PushRelayError(`The push relay failed: ${says}`, 'failing', code);
  if (status === 200 && body?.result === 'success') return body;
  if (status === 400 && body?.result === 'error' && !SERVER_ERROR_CODES.includes(code ?? '')) {
    throw new PushRelayError(`The push relay refused the request: ${says}`, 'refused', code ?? 'BAD_REQUEST');
  }
  throw new PushRelayError(`The push relay refuses this server: ${says}`, 'misconfigured', code);
}

function checked<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const { success, output } = v.safeParse(schema, answer);
  if (!success)
    throw new PushRelayError('The push relay sent an invalid response. Check its address.', 'misconfigured');
  return output;
}

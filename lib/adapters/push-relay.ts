import type { Dispatcher, Pool } from 'undici';
import * as v from 'valibot';
import { recognizeCopies } from '../base/across-copies.ts';
import { codeOf, errorOf } from '../base/caught.ts';
import { API_VERSION, VERSION } from '../base/version.ts';
import { siteIn } from '../rules/site-address.ts';

/** Registration of a device by its client. Only the relay can decrypt it. */
export interface PushRegistration {
  /** UUID of the organization. */
  realm_uuid: string;
  /** Number that the client uses for the account. */
  push_account_id: number;
  /** Encrypted token and app, in base64. */
  encrypted_push_registration: string;
  /** Public key of the relay for which it was encrypted, in base64. */
  bouncer_public_key: string;
}

/** One notification for one device, in the format of Google (FCM) or Apple (APNs). */
export type PushRequest =
  | {
      device_id: number;
      fcm_priority: 'high' | 'normal';
      payload: { push_account_id: number; encrypted_data: string };
    }
  | {
      device_id: number;
      http_headers: { apns_priority: 5 | 10; apns_push_type: 'alert' | 'background' };
      payload: {
        push_account_id: number;
        encrypted_data: string;
        aps?: { 'mutable-content': 1; alert: { title: string } };
      };
    };

/** Whether the organization may send notifications, and until when. */
export interface PushStatus {
  /** Whether it may send now. */
  can_push: boolean;
  /** End of the permission in seconds since the epoch. null: no known end. */
  expected_end_timestamp: number | null;
}

/** Response to a batch of notifications. */
export interface PushAnswer {
  /** Devices that no longer exist. The chat deletes them. */
  delete_device_ids: number[];
  /** Whether the organization may send further notifications. Absent if the relay does not say. */
  status?: PushStatus;
}

/** A device of a client that does not encrypt its notifications. */
export interface PushToken {
  /** UUID of the organization. */
  realm_uuid: string;
  /** UUID of the account. */
  user_uuid: string;
  /** ID of the account. */
  user_id: number;
  /** Device token of the service. */
  token: string;
  /** 1: Apple (APNs), 2: Google (FCM). */
  token_kind: 1 | 2;
  /** ID of the app. Only for Apple. */
  ios_app_id?: string;
}

/** A notification for the devices of one account whose clients do not encrypt. The relay knows them by token. */
export interface PlainNotification {
  /** UUID of the organization. */
  realm_uuid: string;
  /** UUID of the account. */
  user_uuid: string;
  /** ID of the account. */
  user_id: number;
  /** Data for Google. The client builds the notification from it. */
  gcm_payload: Record<string, unknown>;
  /** Priority for Google. */
  gcm_options: { priority: 'high' | 'normal' };
  /** Data for Apple: the displayed notification, and under `custom` the data for the client. */
  apns_payload: Record<string, unknown>;
  /** Tokens of Google. The response lists those that the relay does not know. */
  android_devices: string[];
  /** Tokens of Apple. The response lists those that the relay does not know. */
  apple_devices: string[];
}

/** Response to a `PlainNotification`. */
export interface PlainAnswer {
  /** Tokens of the request that are no longer valid. */
  deleted: { android_devices: string[]; apple_devices: string[] };
  /** Whether the organization may send further notifications. Absent if the relay does not say. */
  status?: PushStatus;
}

/**
 * Why a request to the relay failed.
 * - `unreachable`: no response; the relay may still have executed the request
 * - `failing`: an error inside the relay, or a rate limit; retry later
 * - `misconfigured`: the operator of this server must fix the address, credentials, plan or registration
 * - `refused`: the request is invalid and a retry would not help; see `code`
 */
export type PushRelayProblem = 'unreachable' | 'failing' | 'misconfigured' | 'refused';

/** A request to the relay failed. Branch on `problem`. */
export class PushRelayError extends Error {
  constructor(
    message: string,
    readonly problem: PushRelayProblem,
    /** Error code of the relay. */
    readonly code?: string,
  ) {
    super(message);
    this.name = 'PushRelayError';
  }
}

recognizeCopies(PushRelayError, 'PushRelayError');

/**
 * The service that forwards notifications to Apple and Google. Use `pushRelay()`, or write your own. All functions
 * must throw `PushRelayError`. Any other error is treated as a bug.
 */
export interface PushRelay {
  /** Registers a device. Registering the same device again returns the same ID. */
  register(registration: PushRegistration): Promise<{ device_id: number }>;
  /** Notifies registered devices. Each request has its own encrypted data. */
  notify(realm_uuid: string, requests: readonly PushRequest[]): Promise<PushAnswer>;
  /** Notifies devices of one account by token. */
  notifyTokens(notification: PlainNotification): Promise<PlainAnswer>;
  /** Registers a token. */
  registerToken(token: PushToken): Promise<void>;
  /** Removes a token. */
  unregisterToken(token: PushToken): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

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
    if (codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
      throw new PushRelayError(`The response of the push relay is larger than ${MAX_ANSWER} bytes.`, 'misconfigured');
    throw new PushRelayError(`The push relay cannot be reached: ${errorOf(error).message}`, 'unreachable');
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

/**
 * A push relay. It stores the devices of users on several servers and delivers the notifications of these servers. It
 * can read only notifications for clients without encryption. A real relay would pass them to the services of Apple and
 * Google; `serve.ts` prints them.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Device, type KeyPair, Refusal, readRegistration } from './registration.ts';
import { plainDeliveries, type Token, Tokens, unknownTokens } from './tokens.ts';

/** One notification for one device. */
export interface Delivery {
  device: Pick<Device, 'token' | 'token_kind' | 'ios_app_id'>;
  payload: Record<string, unknown>;
  /** Priority in the format of FCM or APNs. */
  priority: unknown;
}

export interface RelayOptions {
  port: number;
  keys: KeyPair;
  /** Keys of the servers that may use the relay, by server ID. */
  servers: Record<string, string>;
  /** Whether an organization may use the relay. Default: all may. */
  isRegistered?(realm_uuid: string): boolean;
  /** Devices that are registered already. */
  devices?: readonly Device[];
  /** Tokens of clients without encryption that are registered already. */
  tokens?: readonly Token[];
  /** Delivers a notification. Returns false if the push service reports that the device is gone. */
  deliver(delivery: Delivery): boolean | Promise<boolean>;
  /** Called before the response to a registration. */
  onRegistered?(devices: readonly Device[]): Promise<void>;
  /** Called when the tokens have changed. */
  onTokens?(tokens: readonly Token[]): Promise<void>;
  /** Called with unexpected errors. Default: `console.error`. */
  report?(error: unknown): void;
  now?(): number;
}

/** Bytes per request: enough for some hundred notifications. */
const MAX_BODY = 4 * 1024 * 1024;

type Fields = Record<string, unknown>;
type Handler = (fields: Fields) => Promise<Fields>;

export async function startRelay(options: RelayOptions) {
  const { keys, servers, isRegistered = () => true, deliver, report = console.error, now = Date.now } = options;
  const devices = [...(options.devices ?? [])];
  const byId = new Map(devices.map((device) => [device.device_id, device]));
  const tokens = new Tokens(options.tokens ?? []);

  const handlers: Record<string, Handler> = {
    async '/api/v1/remotes/push/e2ee/register'(fields) {
      const realm_uuid = organization(fields);
      const push_account_id = Number(textOf(fields, 'push_account_id'));
      if (!Number.isSafeInteger(push_account_id)) throw invalid('push_account_id');
      const given = {
        bouncer_public_key: textOf(fields, 'bouncer_public_key'),
        encrypted_push_registration: textOf(fields, 'encrypted_push_registration'),
      };
      const described = await readRegistration(keys, given, now());
      // A server that lost the response repeats the request.
      let device = devices.find(
        (one) =>
          one.realm_uuid === realm_uuid && one.push_account_id === push_account_id && one.token === described.token,
      );
      if (device) device.isGone = false;
      else {
        device = { device_id: devices.length + 1, realm_uuid, push_account_id, ...described, isGone: false };
        devices.push(device);
        byId.set(device.device_id, device);
      }
      await options.onRegistered?.(devices);
      return { device_id: device.device_id };
    },

    async '/api/v1/remotes/push/e2ee/notify'(fields) {
      const realm_uuid = organization(fields);
      const { push_requests } = fields;
      if (!Array.isArray(push_requests)) throw invalid('push_requests');
      const delete_device_ids: number[] = [];
      const sent = { fcm: 0, apns: 0 };
      for (const { device_id, payload, fcm_priority, http_headers } of push_requests) {
        const device = byId.get(device_id);
        const isKnown = device !== undefined && device.realm_uuid === realm_uuid;
        if (isKnown && !device.isGone) {
          device.isGone = !(await deliver({ device, payload, priority: fcm_priority ?? http_headers }));
          if (!device.isGone) sent[device.token_kind]++;
        }
        if (!isKnown || device.isGone) delete_device_ids.push(device_id);
      }
      return {
        android_successfully_sent_count: sent.fcm,
        apple_successfully_sent_count: sent.apns,
        delete_device_ids,
        realm_push_status: { can_push: true, expected_end_timestamp: null },
      };
    },

    async '/api/v1/remotes/push/register'(fields) {
      const { ios_app_id } = fields;
      tokens.add({ ...tokenIn(fields), ios_app_id: typeof ios_app_id === 'string' ? ios_app_id : null });
      await options.onTokens?.(tokens.all);
      return {};
    },

    async '/api/v1/remotes/push/unregister'(fields) {
      if (!tokens.remove(tokenIn(fields))) throw new Refusal(400, 'BAD_REQUEST', 'This token is not registered.');
      await options.onTokens?.(tokens.all);
      return {};
    },

    async '/api/v1/remotes/push/notify'(fields) {
      const account = { realm_uuid: organization(fields), user_uuid: textOf(fields, 'user_uuid') };
      const own = tokens.of(account);
      for (const delivery of plainDeliveries(own, fields)) {
        if (!(await deliver(delivery))) tokens.remove(delivery.device);
      }
      const left = tokens.of(account);
      if (left.length < own.length) await options.onTokens?.(tokens.all);
      const count = (kind: Token['token_kind']) => own.filter(({ token_kind }) => token_kind === kind).length;
      return {
        total_android_devices: count('fcm'),
        total_apple_devices: count('apns'),
        deleted_devices: unknownTokens(left, fields),
        realm: { can_push: true, expected_end_timestamp: null },
      };
    },
  };

  function organization(fields: Fields): string {
    const uuid = textOf(fields, 'realm_uuid');
    if (!isRegistered(uuid)) {
      throw new Refusal(403, 'MISSING_REMOTE_REALM', 'This organization is not registered.');
    }
    return uuid;
  }

  function tokenIn(fields: Fields): Omit<Token, 'ios_app_id'> {
    const kind = textOf(fields, 'token_kind');
    if (kind !== '1' && kind !== '2') throw invalid('token_kind');
    return {
      realm_uuid: organization(fields),
      user_uuid: textOf(fields, 'user_uuid'),
      token: textOf(fields, 'token'),
      token_kind: kind === '1' ? 'apns' : 'fcm',
    };
  }

  const server = createServer(async (req, res) => {
    const answer = (status: number, body: object) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      checkServer(servers, req.headers.authorization);
      const handler = req.method === 'POST' ? handlers[req.url ?? ''] : undefined;
      if (!handler) throw new Refusal(404, 'BAD_REQUEST', 'Unknown URL.');
      answer(200, { result: 'success', msg: '', ...(await handler(await fieldsOf(req))) });
    } catch (error) {
      if (error instanceof Refusal) {
        answer(error.status, { result: 'error', msg: error.message, code: error.code });
      } else {
        report(error);
        answer(500, { result: 'error', msg: 'Internal server error' });
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));

  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicKey: keys.publicKey,
    devices: devices as readonly Device[],
    get tokens(): readonly Token[] {
      return tokens.all;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @throws Refusal unless the request has the credentials of a known server */
function checkServer(servers: Record<string, string>, authorization = ''): void {
  const [, credentials = ''] = /^Basic (\S+)$/.exec(authorization) ?? [];
  const [, id = '', key = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
  const expected = Object.hasOwn(servers, id) ? Buffer.from(servers[id] as string) : undefined;
  const given = Buffer.from(key);
  if (expected && expected.length === given.length && timingSafeEqual(expected, given)) return;
  throw new Refusal(401, 'INVALID_ZULIP_SERVER', 'Unknown server id, or wrong key.');
}

async function fieldsOf(req: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Refusal(413, 'BAD_REQUEST', `The request is larger than ${MAX_BODY} bytes.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (!req.headers['content-type']?.startsWith('application/json'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as Fields;
  } catch {
    throw new Refusal(400, 'BAD_REQUEST', 'The request body is not valid JSON.');
  }
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw invalid(name);
  return value;
}

const invalid = (name: string) => new Refusal(400, 'BAD_REQUEST', `The field ${name} is missing or invalid.`);

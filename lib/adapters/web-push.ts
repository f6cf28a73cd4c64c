import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  ECDH,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { postOut } from './outgoing-calls.ts';
import type { WebhookOptions } from './webhook-calls.ts';

/**
 * Web Push: RFC 8030 (requests), 8188 and 8291 (encryption) and 8292 (VAPID), over node:crypto. The package `web-push`
 * would bring 16 packages for these functions. It has no check that keeps requests out of private networks.
 */

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const SECRET_BYTES = 16;
const RECORD_SIZE = 4_096;
const TOKEN_SECONDS = 12 * 3_600;

/** The keys of the server (VAPID). Browsers subscribe for the public key. */
export interface WebPushKeys {
  /** Uncompressed point of P-256 in base64url: the `applicationServerKey`. */
  publicKey: string;
  privateKey: KeyObject;
}

/** Derives the keys from a secret. The same parameters always give the same keys. */
export function webPushKeys(secret: string, generation: number): WebPushKeys {
  const ecdh = createECDH(CURVE);
  for (let attempt = 0; ; attempt++) {
    const scalar = createHmac('sha256', secret).update(`web-push:${generation}:${attempt}`).digest();
    try {
      ecdh.setPrivateKey(scalar);
    } catch {
      // A scalar above the order of the curve, with a probability of 2^-32.
      continue;
    }
    const point = ecdh.getPublicKey();
    const [x, y, d] = [point.subarray(1, 33), point.subarray(33), scalar].map((part) => part.toString('base64url'));
    const jwk = { kty: 'EC', crv: 'P-256', x, y, d };
    return {
      publicKey: point.toString('base64url'),
      privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    };
  }
}

/** The keys of a browser, as `PushSubscription.toJSON()` has them. */
export interface BrowserKeys {
  /** `p256dh` */
  public_key: string;
  /** `auth` */
  auth_secret: string;
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url');

export function areUsableKeys({ public_key, auth_secret }: BrowserKeys): boolean {
  try {
    const isPoint = ECDH.convertKey(bytesOf(public_key), CURVE).length === POINT_BYTES;
    return isPoint && bytesOf(auth_secret).length === SECRET_BYTES;
  } catch {
    return false;
  }
}

/** One record of `aes128gcm`. @param text at most 3,000 bytes */
function encrypt(text: string, { public_key, auth_secret }: BrowserKeys): Buffer {
  const own = createECDH(CURVE);
  const ownPoint = own.generateKeys();
  const point = bytesOf(public_key);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, ownPoint]);
  const input = derive(own.computeSecret(point), bytesOf(auth_secret), info, 32);
  const salt = randomBytes(SECRET_BYTES);
  const key = derive(input, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(input, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  // The byte 2 ends the text of the last record.
  const sealed = [cipher.update(text, 'utf8'), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, Buffer.from([POINT_BYTES]), ownPoint, ...sealed]);
}

const derive = (input: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number) =>
  Buffer.from(hkdfSync('sha256', input, salt, info, length));

/** The `Authorization` of VAPID. @param contact the site of this server, for the operator of the push service */
function authorization({ publicKey, privateKey }: WebPushKeys, endpoint: string, contact: string, now: number) {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + TOKEN_SECONDS, sub: contact };
  const text = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
}

/** A notification for one browser. */
export interface WebPushMessage {
  text: string;
  urgency: 'high' | 'low';
  /** A message that waits at the push service is replaced by a later one with the same topic. */
  topic?: string;
}

interface WebPushSender {
  keys: WebPushKeys;
  contact: string;
  now: number;
}

/** How long the push service keeps a message for a browser that is offline. */
const TTL_SECONDS = 86_400;
/** Short: a slow push service must not delay notifications at others. */
const TIMEOUT_MS = 5_000;
const MAX_ANSWER = 16 * 1024;
/** Characters of base64url, by RFC 8030. */
const TOPIC_LENGTH = 32;

/**
 * Sends a notification to the push service of a browser.
 * @returns the status of the response
 * @throws OutgoingCallFailed
 */
export async function sendWebPush(
  { endpoint, ...browser }: BrowserKeys & { endpoint: string },
  { text, urgency, topic }: WebPushMessage,
  { keys, contact, now }: WebPushSender,
  { allowPrivateAddresses = false }: Pick<WebhookOptions, 'allowPrivateAddresses'>,
): Promise<number> {
  const headers = {
    authorization: authorization(keys, endpoint, contact, now),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(TTL_SECONDS),
    urgency,
    ...(topic === undefined ? {} : { topic: hash('sha256', topic, 'base64url').slice(0, TOPIC_LENGTH) }),
  };
  const call = { headers, body: encrypt(text, browser) };
  const options = { what: 'push service', allowPrivateAddresses, timeoutMs: TIMEOUT_MS, maxAnswer: MAX_ANSWER };
  return (await postOut(endpoint, call, options)).status;
}

import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface SubscribedBrowser {
  endpoint: string;
  public_key: string;
  auth_secret: string;
}

interface Keys {
  ecdh: ReturnType<typeof createECDH>;
  auth: Buffer;
}

/** Decrypts a message of Web Push as a browser does (RFC 8291). */
export function decryptWebPush(body: Buffer, { ecdh, auth }: Keys): string {
  const [salt, size, length] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + length);
  const sealed = body.subarray(21 + length);
  assert.ok(sealed.length <= size, 'one record');
  const derive = (input: Uint8Array, from: Uint8Array, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', input, from, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const input = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  const end = text.lastIndexOf(2);
  assert.deepEqual(text.subarray(end + 1), Buffer.alloc(text.length - end - 1), 'padding');
  return text.subarray(0, end).toString();
}

/** A push service of browsers. It checks who sends, and decrypts what arrives. */
export class PushService {
  readonly #browsers = new Map<string, Keys>();
  /** What each browser got, by endpoint. */
  readonly #received = new Map<string, Record<string, unknown>[]>();
  /** Headers and sizes of all requests. */
  readonly requests: { headers: IncomingHttpHeaders; bytes: number; claims: Record<string, unknown> }[] = [];
  /** The status of the next answers. */
  status = 201;
  /** Endpoints whose requests are not answered before the promise. */
  readonly hanging = new Map<string, Promise<void>>();
  readonly waits = { now: 0, most: 0 };
  #url = '';

  static async open(t: TestContext): Promise<PushService> {
    const service = new PushService();
    const server = createServer(async (req, res) => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part as Buffer);
      const body = Buffer.concat(parts);
      const endpoint = service.#url + req.url;
      const keys = service.#browsers.get(endpoint);
      service.requests.push({ headers: req.headers, bytes: body.length, claims: claimsOf(req.headers) });
      const answered = service.hanging.get(endpoint);
      if (answered) {
        const { waits } = service;
        waits.most = Math.max(waits.most, ++waits.now);
        const ended = new Promise<void>((resolve) => res.once('close', resolve));
        await Promise.race([answered, ended]);
        waits.now--;
      }
      if (!keys) return res.writeHead(410).end();
      if (service.status < 300) service.received(endpoint).push(JSON.parse(decryptWebPush(body, keys)));
      res.writeHead(service.status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    service.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    t.after(() => server.close());
    return service;
  }

  subscribe(): SubscribedBrowser {
    const ecdh = createECDH('prime256v1');
    const public_key = ecdh.generateKeys('base64url');
    const auth = randomBytes(16);
    const endpoint = `${this.#url}/send/${randomBytes(8).toString('hex')}`;
    this.#browsers.set(endpoint, { ecdh, auth });
    return { endpoint, public_key, auth_secret: auth.toString('base64url') };
  }

  /** As a browser does that has cleared its data. */
  end({ endpoint }: SubscribedBrowser): void {
    this.#browsers.delete(endpoint);
  }

  received(endpoint: string): Record<string, unknown>[] {
    const own = this.#received.get(endpoint) ?? [];
    this.#received.set(endpoint, own);
    return own;
  }
}

/** The claims of the token, whose signature must be that of the key. */
function claimsOf({ authorization = '' }: IncomingHttpHeaders): Record<string, unknown> {
  const [, head = '', body = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? assert.fail(authorization);
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  assert.ok(isSigned, 'the token is signed with the key');
  return { ...JSON.parse(Buffer.from(body, 'base64url').toString()), key };
}

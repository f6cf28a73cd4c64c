import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';

/** Credentials for S3. */
export interface S3Credentials {
  /** Access key ID. */
  accessKeyId: string;
  /** Secret access key. */
  secretAccessKey: string;
  /** Session token of temporary credentials. */
  sessionToken?: string;
}

/** Options of `s3Files`. */
export interface S3Options {
  /** Name of the bucket. Only this chat may write below `prefix` in it. */
  bucket: string;
  /** Default `us-east-1`. */
  region?: string;
  /** Address of a service other than AWS, for example `https://minio.example.com`. The bucket goes into the path. */
  endpoint?: string;
  /** The credentials, or a function that returns them. A function is called for every request. */
  credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>);
  /** Prefix of all keys, for example `chat/uploads`. Default: none. */
  prefix?: string;
  /**
   * Timeout in milliseconds before a response and between two pieces of it. Sending adds time for a speed of 64 KiB/s.
   * Default 30000.
   */
  timeoutMs?: number;
}

export interface S3Request {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

/** The service refused a request or sent an invalid response. */
export class S3Failure extends Error {
  constructor(
    method: string,
    readonly status: number,
    code: string,
  ) {
    super(`The S3 service refused ${method}: ${status} ${code}`.trim());
    this.name = 'S3Failure';
  }
}

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Allows for slow connections when sending. */
const SLOWEST_BYTES_PER_MS = 64;

type Method = 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';

/** Signed requests to one bucket. Retries after server errors, rate limits and broken connections. */
export class S3Requests {
  readonly #options: S3Options;
  readonly #base: string;
  /** Signing keys. They are derived from the credentials for one day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(options: S3Options) {
    const { bucket, region = 'us-east-1', endpoint, prefix = '' } = options;
    this.#options = options;
    const site = endpoint
      ? `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
    const segments = prefix.split('/').filter((segment) => segment !== '');
    this.#base = [site, ...segments.map(encodeURIComponent)].join('/');
  }

  /** Resolves to undefined if the key to read or delete does not exist. @throws S3Failure for other refusals */
  async send(method: Method, key: string, request: S3Request = {}): Promise<Dispatcher.ResponseData | undefined> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAX_ATTEMPTS;
      const answer = await this.#try(method, key, request).catch((error: unknown) => {
        if (isLast) throw error;
      });
      if (answer && answer.statusCode < 300) return answer;
      if (answer && (isLast || (answer.statusCode < 500 && answer.statusCode !== 429))) {
        const text = await answer.body.text();
        if (answer.statusCode === 404 && method !== 'PUT' && !/NoSuchBucket/.test(text)) return undefined;
        throw new S3Failure(method, answer.statusCode, /<Code>([^<]*)</.exec(text)?.[1] ?? '');
      }
      await answer?.body.dump();
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  async #try(method: Method, key: string, { query, headers = {}, body }: S3Request): Promise<Dispatcher.ResponseData> {
    // Loaded with the first request: most programs do not use S3.
    const [{ request }, { AwsV4Signer }] = await Promise.all([import('undici'), import('aws4fetch')]);
    const { credentials, region = 'us-east-1', timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const signed = await new AwsV4Signer({
      ...(typeof credentials === 'function' ? await credentials() : credentials),
      region,
      service: 's3',
      cache: this.#signingKeys,
      method,
      url: `${this.#base}/${key}${query ? `?${new URLSearchParams(query)}` : ''}`,
      headers,
      ...(body === undefined ? {} : { body: body as BodyInit }),
    }).sign();
    const signedHeaders: Record<string, string> = {};
    signed.headers.forEach((value, name) => {
      signedHeaders[name] = value;
    });
    const headersTimeout = timeoutMs + (body === undefined ? 0 : Math.ceil(body.length / SLOWEST_BYTES_PER_MS));
    try {
      // Undici does not count the time that a slow reader takes.
      return await request(signed.url, {
        method,
        headers: signedHeaders,
        ...(body === undefined ? {} : { body }),
        headersTimeout,
        bodyTimeout: timeoutMs,
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'UND_ERR_HEADERS_TIMEOUT') throw error;
      throw new Error(`The S3 service did not respond within ${headersTimeout} ms.`, { cause: error });
    }
  }
}

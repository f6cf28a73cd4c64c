import { setTimeout as wait } from 'node:timers/promises';

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

type Signer = Pick<import('aws4fetch').AwsClient, 'sign'>;

/** Signed requests to one bucket. Retries after server errors, rate limits and broken connections. */
export class S3Requests {
  readonly #options: S3Options;
  readonly #base: string;
  // Loaded with the first request: most programs do not use S3.
  #loading: Promise<typeof import('aws4fetch')> | undefined;

  constructor(options: S3Options) {
    const { bucket, region = 'us-east-1', endpoint, prefix = '' } = options;
    this.#options = options;
    const site = endpoint
      ? `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
    const segments = prefix.split('/').filter((segment) => segment !== '');
    this.#base = [site, ...segments.map(encodeURIComponent)].join('/');
  }

  /** Resolves to undefined if the key does not exist. @throws S3Failure if the service refuses the request */
  async send(method: string, key: string, request: S3Request = {}): Promise<Response | undefined> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAX_ATTEMPTS;
      const answer = await this.#try(method, key, request).catch((error: unknown) => {
        if (isLast) throw error;
      });
      if (answer?.ok) return answer;
      if (answer && (isLast || (answer.status < 500 && answer.status !== 429))) {
        const text = await answer.text();
        if (answer.status === 404 && !/NoSuchBucket/.test(text)) return undefined;
        throw new S3Failure(method, answer.status, /<Code>([^<]*)</.exec(text)?.[1] ?? '');
      }
      await answer?.body?.cancel();
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  async #try(method: string, key: string, { query, headers, body }: S3Request): Promise<Response> {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const signer = await this.#signer();
    const init = { method, ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body: body as BodyInit }) };
    const request = await signer.sign(`${this.#base}/${key}${search}`, init);
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const silence = new InactivityTimeout(timeoutMs);
    const sent = body === undefined ? 0 : Math.ceil(body.length / SLOWEST_BYTES_PER_MS);
    const answer = await silence.during(timeoutMs + sent, fetch(request, { signal: silence.signal }));
    return answer.body ? new Response(silence.bounded(answer.body), answer) : answer;
  }

  async #signer(): Promise<Signer> {
    this.#loading ??= import('aws4fetch');
    const { AwsClient } = await this.#loading;
    const { credentials, region = 'us-east-1' } = this.#options;
    const current = typeof credentials === 'function' ? await credentials() : credentials;
    return new AwsClient({ ...current, region, service: 's3', cache: this.#cache });
  }

  /** Signing keys. They are derived from the credentials for one day. */
  readonly #cache = new Map<string, ArrayBuffer>();
}

/** Aborts a request if the service sends nothing. Does not count the time that a slow reader takes. */
class InactivityTimeout {
  readonly #ending = new AbortController();

  constructor(private readonly timeoutMs: number) {}

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  async during<T>(ms: number, work: Promise<T>): Promise<T> {
    const end = () => this.#ending.abort(new Error(`The S3 service did not respond within ${ms} ms.`));
    const timer = setTimeout(end, ms);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same bytes. Fails if the next ones do not arrive in time. */
  bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await this.during(this.timeoutMs, reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

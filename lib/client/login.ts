import { AccountChanged, isChatError, Unauthorized } from '../base/errors.ts';
import { base64, Unreachable } from './answer.ts';
import type { Platform, PlatformRequest } from './platform.ts';

/** As in `ConnectOptions`. */
export interface Credentials {
  email?: string;
  api_key?: string;
  token?: string | (() => string | Promise<string>);
  account?: number;
}

/** The account of the session in requests, and that of the login in responses of this server. */
const ACCOUNT_HEADER = 'parlance-account';

/** Found in the error responses of a program that was asked for a token. */
const NOT_A_TOKEN = /[<{\s]/;

/**
 * Sends requests with the login of the session. After status 401, it calls the `token` function again, and repeats the
 * request if there is another token.
 *
 * A session is for one account. When its login is that of another one, the session ends: `over` is aborted, and all calls
 * reject with AccountChanged.
 */
export class Login {
  #header: Promise<string | undefined> | undefined;
  #wasRefused: boolean | undefined;
  #account: string | undefined;
  readonly #over = new AbortController();

  constructor(
    private readonly platform: Platform,
    private readonly site: string,
    private readonly options: Credentials,
  ) {
    this.#account = options.account === undefined ? undefined : String(options.account);
  }

  request: Platform['request'] = async (url, request) => {
    if (request.isPublic) return this.platform.request(url, request);
    const used = this.#current();
    const before = await this.#unlessAborted(used, request.signal);
    const answer = await this.#send(url, request, before);
    if (answer.status !== 401 || !this.isRenewable) return answer;
    this.drop(used);
    const after = await this.#unlessAborted(this.#current(), request.signal);
    if (after === before || isReadOnce(request)) return answer;
    await answer.text(() => undefined);
    return this.#send(url, request, after);
  };

  /** Aborted with AccountChanged when the login is that of another account. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** The server says that the account is another one. */
  end(): void {
    this.#over.abort(new AccountChanged());
  }

  /** Whether another token may help after a refusal. */
  get isRenewable(): boolean {
    return typeof this.options.token === 'function';
  }

  /** Forgets the token, if it is still this one: it was refused, or there is none. */
  drop(used = this.#header): void {
    if (this.#header === used) this.#header = undefined;
    this.#wasRefused = true;
  }

  async #send(url: string, request: PlatformRequest, authorization: string | undefined) {
    this.over.throwIfAborted();
    const headers = {
      ...request.headers,
      ...(authorization && { authorization }),
      // Only to a server that knows it: others may refuse it to pages of other sites.
      ...(this.#account !== undefined && { [ACCOUNT_HEADER]: this.#account }),
    };
    const answer = await this.platform.request(url, { ...request, headers });
    const account = answer.header(ACCOUNT_HEADER) ?? undefined;
    this.#account ??= account;
    if (account === undefined || account === this.#account) return answer;
    answer.text(() => undefined).catch(() => undefined);
    this.end();
    throw this.over.reason;
  }

  #current(): Promise<string | undefined> {
    if (!this.#header) {
      const header = this.#create();
      header.catch(() => this.drop(header));
      this.#header = header;
    }
    return this.#header;
  }

  async #create(): Promise<string | undefined> {
    const { email, api_key, token } = this.options;
    if (token === undefined) {
      return email === undefined || api_key === undefined ? undefined : `Basic ${base64(`${email}:${api_key}`)}`;
    }
    try {
      const text = typeof token === 'string' ? token : await token();
      // A page of another site could not read the refusal of these requests, and would never ask for another token.
      if (text === '' && this.#wasRefused) throw new Unauthorized('no token');
      if (NOT_A_TOKEN.test(text)) throw new Error('the response is not a token');
      return text && `Bearer ${text}`;
    } catch (error) {
      if (isChatError(error)) throw error;
      throw new Unreachable(this.site, new Error(`no token: ${(error as Error | undefined)?.message ?? error}`));
    }
  }

  #unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(new Unreachable(this.site, signal?.reason));
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort);
      promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
    });
  }
}

/** Whether the first attempt may have used up the content of the request. */
function isReadOnce({ file }: PlatformRequest): boolean {
  if (!file || file instanceof Blob) return false;
  return !(file.content instanceof Blob || file.content instanceof Uint8Array);
}

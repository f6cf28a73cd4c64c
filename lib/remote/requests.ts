import type { Dispatcher } from 'undici';
import type { DownloadedFile, DownloadOptions } from '../kernel/download.ts';
import { BadRequest } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import { fileParameter } from '../kernel/parameters.ts';
import { readAnswer } from './answer.ts';
import { type BuiltRequest, buildRequest } from './built-request.ts';
import type { ConnectOptions } from './connect-options.ts';
import { downloadFrom } from './file-receiving.ts';
import { FileSending } from './file-sending.ts';
import { type RereadableFile, ResumableSending, resumableFile, type SendRequest } from './resumable-sending.ts';
import { withTimeout } from './timeout.ts';
import { Unreachable } from './unreachable.ts';

/** Longer than any server holds a poll. */
const LONG_POLL_MS = 120_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DEFAULT_TIMEOUT_MS = 15_000;

type Http = Pick<typeof import('undici'), 'request'> & { agent: Dispatcher };

/** The requests of one session to a server, over connections of its own. */
export class Requests {
  readonly #site: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeout: number;
  readonly #insecure: boolean;
  #loading: Promise<Http> | undefined;

  constructor(site: string, { email, api_key, client, timeoutMs, insecure }: ConnectOptions) {
    this.#site = site;
    const hasKey = email !== undefined && api_key !== undefined;
    this.#headers = {
      'user-agent': client ?? 'Parlance',
      ...(hasKey ? { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}` } : {}),
    };
    this.#timeout = timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#insecure = insecure ?? false;
  }

  /**
   * Calls an operation, or tries it out.
   * @param trial what stands before its path: `dry_run`, `why/…`
   * @throws the refusal of the server; Unreachable
   */
  async send(
    operation: Operation,
    parameters: Record<string, unknown>,
    { signal, trial }: { signal?: AbortSignal | undefined; trial?: string } = {},
  ): Promise<object> {
    const built = buildRequest(operation, parameters);
    const http = await this.#http();
    const { file } = built;
    const large = file && trial === undefined && fileParameter(operation)?.isStreamed ? resumableFile(file) : undefined;
    const sent = large && (await this.#sendLarge(http, large));
    if (sent) return sent;
    const timeout = operation.longPoll ? LONG_POLL_MS : this.#timeout;
    const { status, text, isTrial } = await this.#exchange(http, built, { signal, trial, timeout });
    // No server does something at an address that it does not know.
    if (trial !== undefined && !isTrial && (status === 404 || status < 300)) {
      throw new BadRequest(`The server ${this.#site} cannot try things out; nothing was changed.`);
    }
    return readAnswer(this.#site, status, text);
  }

  /** @param url of a file that needs no login, on the host of the site or in full */
  async download(url: string, asked: DownloadOptions): Promise<DownloadedFile> {
    const { agent, request } = await this.#http();
    return downloadFrom(this.#site, url, asked, (address, options) =>
      request(address, { dispatcher: agent, ...options }),
    );
  }

  async close(): Promise<void> {
    if (this.#loading) await (await this.#loading).agent.close();
  }

  /** Loaded with the first request: programs that stay on a file never need it. */
  #http(): Promise<Http> {
    this.#loading ??= import('undici').then(({ Agent, request }) => ({
      agent: new Agent({ connect: { rejectUnauthorized: !this.#insecure } }),
      request,
    }));
    return this.#loading;
  }

  /** Undefined where the server takes files only in one piece. */
  #sendLarge({ agent, request }: Http, file: RereadableFile): Promise<object | undefined> {
    const sendPart: SendRequest = (address, { headers, ...rest }) =>
      request(address, {
        dispatcher: agent,
        headersTimeout: this.#timeout,
        bodyTimeout: this.#timeout,
        ...rest,
        headers: { ...this.#headers, ...headers },
      });
    return new ResumableSending(this.#site, sendPart, this.#timeout, file).run();
  }

  /** One request and its answer, whatever it says. */
  async #exchange(
    { agent, request }: Http,
    { method, path, form, file }: BuiltRequest,
    { signal, trial, timeout }: { signal: AbortSignal | undefined; trial: string | undefined; timeout: number },
  ): Promise<{ status: number; text: string; isTrial: boolean }> {
    const isQuery = method === 'GET';
    const query = isQuery && form.size > 0 ? `?${form}` : '';
    const sending = file && new FileSending(form, file, timeout);
    const limit = withTimeout(sending ? undefined : timeout, signal ?? sending?.signal);
    try {
      const answer = await request(`${this.#site}/api/v1${trial === undefined ? '' : `/${trial}`}${path}${query}`, {
        method: method as Dispatcher.HttpMethod,
        dispatcher: agent,
        headers: isQuery ? this.#headers : { ...this.#headers, ...(sending?.headers ?? FORM) },
        body: isQuery ? null : (sending?.body ?? form.toString()),
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: limit.signal,
      });
      const isTrial = answer.headers['parlance-trial'] !== undefined;
      return { status: answer.statusCode, text: await answer.body.text(), isTrial };
    } catch (error) {
      // What could not be read is no fault of the server's.
      if (sending?.failure !== undefined) throw sending.failure;
      throw new Unreachable(this.#site, error);
    } finally {
      sending?.end();
      limit.end();
    }
  }
}

import { parse as parseDisposition } from 'content-disposition';
import type { Dispatcher } from 'undici';
import type * as v from 'valibot';
import { BadRequest, DoesNotExist, NoSuchFile } from '../base/errors.ts';
import { textKind } from '../base/text-codec.ts';
import { catalogue } from '../catalogue.ts';
import type { DownloadedFile, DownloadOptions } from '../chat/download.ts';
import { fileParameter, readParameter } from '../engine/parameters.ts';
import { type Operation, routesOf } from '../operation/operation.ts';
import { readAnswer, Unreachable, withTimeout } from './answer.ts';
import { type BuiltRequest, buildRequest } from './built-request.ts';
import type { DescribedOperation, ParameterKind } from './described-operation.ts';
import { multipartForm } from './file-sending.ts';
import { type RereadableFile, ResumableSending, resumableFile, type SendRequest } from './resumable-sending.ts';

/** Options of `connect`. */
export interface ConnectOptions {
  /** Address of the server: `https://chat.example.com`. In browsers also a path on the same host: `/chat`. */
  site: string;
  /** E-mail address of the account. Leave it out for operations that need no login. */
  email?: string;
  /** API key of the account. */
  api_key?: string;
  /** User-Agent header. The server records its first word. Default `Parlance`. */
  client?: string;
  /**
   * Timeout of a call in milliseconds, including its response. Default 15000. Long polls have no limit but that of the
   * server. For uploads it limits the time in which the server accepts no data; in browsers uploads have no timeout.
   */
  timeoutMs?: number;
  /**
   * Time in milliseconds for which `listen` and `register` retry if the server is unreachable, overloaded or
   * rate-limits. `listen` continues without losing events as long as its queue exists. Default 0; in browsers no limit.
   */
  patienceMs?: number;
  /** Skip the check of TLS certificates. Only for your own tests. Default false. Browsers always check. */
  insecure?: boolean;
}

/** Longer than any server holds a long poll. */
const LONG_POLL_MS = 120_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DEFAULT_TIMEOUT_MS = 15_000;
/** Timeout between two pieces of a downloaded file, in milliseconds. */
const STALLED_MS = 60_000;

type Http = Pick<typeof import('undici'), 'request' | 'FormData'> & { agent: Dispatcher };

/** The requests of one session, over its own connections. */
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
   * Calls an operation, also as a dry run.
   * @param trial prefix of the path for dry runs: `dry_run` or `why/…`
   * @throws ChatError for an error response; Unreachable
   */
  async send(
    operation: Operation,
    parameters: Record<string, unknown>,
    { signal, trial }: { signal?: AbortSignal | undefined; trial?: string } = {},
  ): Promise<object> {
    const { entries } = operation.params;
    const all = describedOperations();
    const own = all.find(({ name }) => name === operation.name) as DescribedOperation;
    const read = (name: string) => readParameter(name, entries[name] as v.GenericSchema, parameters[name]);
    const built = buildRequest(own, all, parameters, read);
    const http = await this.#http();
    const { file } = built;
    const large = file && trial === undefined && fileParameter(operation)?.isStreamed ? resumableFile(file) : undefined;
    const sent = large && (await this.#sendLarge(http, large));
    if (sent) return sent;
    const timeout = operation.longPoll ? LONG_POLL_MS : this.#timeout;
    const { status, text, isTrial } = await this.#exchange(http, built, { signal, trial, timeout });
    // A server that does not know dry runs has changed nothing: it does not know this path.
    if (trial !== undefined && !isTrial && (status === 404 || status < 300)) {
      throw new BadRequest(`The server ${this.#site} does not support dry runs. Nothing was changed.`);
    }
    return readAnswer(this.#site, status, text);
  }

  /** @param url of a file that needs no login: a path on the host of the site, or a full URL */
  async download(url: string, { range }: DownloadOptions): Promise<DownloadedFile> {
    const { agent: dispatcher, request } = await this.#http();
    const address = new URL(url, this.#site);
    const asked: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
    const answer = await request(address, { dispatcher, headers: asked, bodyTimeout: STALLED_MS }).catch(
      (error: unknown) => {
        throw new Unreachable(this.#site, error);
      },
    );
    const { statusCode, body, headers } = answer;
    if (statusCode !== (range ? 206 : 200)) readAnswer(this.#site, statusCode, await body.text());
    const name = nameIn(String(headers['content-disposition'] ?? ''));
    return {
      name: name ?? decodeURIComponent(address.pathname.split('/').at(-1) ?? ''),
      type: String(headers['content-type'] ?? 'application/octet-stream').replace(/;.*$/s, ''),
      size: Number(headers['content-length'] ?? Number.NaN),
      content: body,
    };
  }

  async close(): Promise<void> {
    if (this.#loading) await (await this.#loading).agent.close();
  }

  /** Loaded with the first request: programs that only open a local database never need it. */
  #http(): Promise<Http> {
    this.#loading ??= import('undici').then(({ Agent, FormData, request }) => ({
      agent: new Agent({ connect: { rejectUnauthorized: !this.#insecure } }),
      FormData,
      request,
    }));
    return this.#loading;
  }

  /** undefined if the server does not support resumable uploads. */
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

  /** Sends one request and returns its response with any status. */
  async #exchange(
    { agent, FormData, request }: Http,
    { method, path, form, file }: BuiltRequest,
    { signal, trial, timeout }: { signal: AbortSignal | undefined; trial: string | undefined; timeout: number },
  ): Promise<{ status: number; text: string; isTrial: boolean }> {
    const isQuery = method === 'GET';
    const query = isQuery && form.size > 0 ? `?${form}` : '';
    const sending = file && multipartForm(new FormData(), form, file, timeout);
    const limit = withTimeout(sending ? undefined : timeout, signal ?? sending?.content.signal);
    try {
      const answer = await request(`${this.#site}/api/v1${trial === undefined ? '' : `/${trial}`}${path}${query}`, {
        method: method as Dispatcher.HttpMethod,
        dispatcher: agent,
        headers: isQuery || sending ? this.#headers : { ...this.#headers, ...FORM },
        body: isQuery ? null : (sending?.form ?? form.toString()),
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: limit.signal,
      });
      const isTrial = answer.headers['parlance-trial'] !== undefined;
      return { status: answer.statusCode, text: await answer.body.text(), isTrial };
    } catch (error) {
      // A failure to read the file is not an error of the server.
      if (sending?.content.failure !== undefined) throw sending.content.failure;
      throw new Unreachable(this.#site, error);
    } finally {
      sending?.content.end();
      limit.end();
    }
  }
}

function nameIn(disposition: string): string | undefined {
  try {
    return parseDisposition(disposition).parameters.filename;
  } catch {
    return undefined;
  }
}

/** The parts of a declaration that a remote caller needs. */
export function describe(operation: Operation): DescribedOperation {
  const kinds: Record<string, ParameterKind> = {};
  for (const [name, schema] of Object.entries(operation.params.entries)) {
    kinds[name] = textKind(schema as Parameters<typeof textKind>[0]);
  }
  const { errors } = operation;
  return {
    name: operation.name,
    routes: routesOf(operation).map(({ method, path }) => `${method} ${path}`),
    kinds,
    isLong: operation.longPoll === true,
    absence: errors.includes(NoSuchFile) ? 'file' : errors.includes(DoesNotExist) ? '404' : '400',
  };
}

let described: readonly DescribedOperation[] | undefined;

/** Computed on first use. */
function describedOperations(): readonly DescribedOperation[] {
  described ??= (catalogue as readonly Operation[]).map(describe);
  return described;
}

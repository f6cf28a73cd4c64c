/**
 * `parlance/client` for browsers: a session over `fetch`, without Node modules and without schemas. Only the server
 * checks parameters.
 */
import type { Explanation } from '../access/explanation.ts';
import { BadRequest, RequestVariableMissing } from '../base/errors.ts';
import type { DryRun } from '../chat/consequences.ts';
import type { DownloadedFile, DownloadOptions } from '../chat/download.ts';
import { type Session, sessionOver } from '../chat/session.ts';
import { siteOf, withoutApiPath } from '../rules/site-address.ts';
import { readAnswer, Unreachable, withTimeout } from './answer.ts';
import { buildRequest } from './built-request.ts';
import type { DescribedOperation } from './described-operation.ts';
import { OPERATIONS } from './operation-list.ts';
import { HeldPolls, recovery } from './polls.ts';
import type { ConnectOptions } from './requests.ts';

export { ChatError, type ErrorCode, isChatError, RateLimitHit } from '../base/errors.ts';
export type { ChatEvent, EventType, ListenOptions, QueuedEvent, Session } from '../chat/session.ts';
export type { ConnectOptions } from './requests.ts';
export { Unreachable };

/** Longer than any server holds a long poll. */
const LONG_POLL_MS = 120_000;
const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * Opens a session over HTTP. With `email` and `api_key`, it authenticates with them. Without, it sends the cookies of
 * the browser. Sends nothing before the first call. Calls reject with `ChatError` or `Unreachable`.
 * @throws TypeError if `site` is not a valid site address
 * @example const session = connect({ site: 'https://chat.example.com', email, api_key });
 */
export function connect(options: ConnectOptions): Session & { close(): Promise<void> } {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const site = withoutApiPath(siteOf('site', options.site, page));
  const { email, api_key, timeoutMs = DEFAULT_TIMEOUT_MS, patienceMs = Number.POSITIVE_INFINITY } = options;
  const hasKey = email !== undefined && api_key !== undefined;
  const headers: Record<string, string> = hasKey ? { authorization: `Basic ${base64(`${email}:${api_key}`)}` } : {};
  const polls = new HeldPolls();
  const send = async (
    operation: DescribedOperation,
    parameters: Record<string, unknown>,
    { signal, trial }: { signal?: AbortSignal | undefined; trial?: string } = {},
  ): Promise<object> => {
    const read = (name: string) => readParameter(operation, name, parameters[name]);
    const { method, path, form, file } = buildRequest(operation, OPERATIONS, parameters, read);
    const query = method === 'GET' && form.size > 0 ? `?${form}` : '';
    const body = method === 'GET' ? undefined : file === undefined ? form : await fileForm(form, file);
    const { signal: either, end } = withTimeout(
      operation.isLong ? LONG_POLL_MS : file === undefined ? timeoutMs : undefined,
      signal,
    );
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(`${site}/api/v1${trial === undefined ? '' : `/${trial}`}${path}${query}`, {
        method,
        headers,
        signal: either,
        credentials: hasKey ? 'omit' : 'include',
        ...(body === undefined ? {} : { body }),
      });
      text = await answer.text();
    } catch (error) {
      throw new Unreachable(site, error);
    } finally {
      end();
    }
    // A server that does not know dry runs has changed nothing: it does not know this path.
    if (
      trial !== undefined &&
      !answer.headers.has('parlance-trial') &&
      (answer.status === 404 || answer.status < 300)
    ) {
      throw new BadRequest(`The server ${site} does not support dry runs. Nothing was changed.`);
    }
    return readAnswer(site, answer.status, text);
  };
  const invoke = (operation: DescribedOperation, parameters: Record<string, unknown>, signal?: AbortSignal) =>
    operation.isLong
      ? polls.hold((letGo) => send(operation, parameters, { signal: letGo }), signal)
      : send(operation, parameters, { signal });
  const session: Session = sessionOver<DescribedOperation>({
    operations: OPERATIONS,
    recover: recovery(patienceMs, () => polls.areClosed),
    invoke,
    dryRun: (operation, parameters) => send(operation, parameters, { trial: 'dry_run' }) as Promise<DryRun>,
    why: (user, operation, parameters) =>
      send(operation, parameters, { trial: `why/${encodeURIComponent(user)}` }) as Promise<Explanation>,
    download: async (pathId, asked) => {
      const [realm_id_str = '', ...rest] = pathId.split('/');
      const { url } = await session.uploads.getTemporaryUrl({
        realm_id_str,
        filename: rest.join('/'),
      });
      return downloadByFetch(site, url, asked);
    },
    isClosed: () => polls.areClosed,
  });
  return Object.assign(session, { close: () => polls.close() });
}

/** A path parameter. Only its type is checked here. */
function readParameter({ kinds }: DescribedOperation, name: string, value: unknown): unknown {
  if (value === undefined) throw new RequestVariableMissing(name);
  if (kinds[name] === 'integer' && !Number.isSafeInteger(value)) throw new BadRequest(`${name} must be an integer.`);
  return value;
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** A form with a file. The browser streams a `Blob`. Other content is read into memory first. */
async function fileForm(fields: URLSearchParams, file: unknown): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  if (file instanceof Blob) {
    form.append('file', file, (file as { name?: string }).name || 'uploaded-file');
    return form;
  }
  const { name, type, content } = file as { name?: string; type?: string; content: unknown };
  const pieces: (Blob | Uint8Array)[] = [];
  if (content instanceof Blob || content instanceof Uint8Array) pieces.push(content);
  else for await (const piece of content as AsyncIterable<Uint8Array>) pieces.push(piece);
  form.append('file', new Blob(pieces as BlobPart[], type === undefined ? {} : { type }), name || 'uploaded-file');
  return form;
}

/** Downloads a file from an address that needs no login. */
async function downloadByFetch(site: string, url: string, { range }: DownloadOptions): Promise<DownloadedFile> {
  const address = new URL(url, site);
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
  const answer = await fetch(address, { headers, credentials: 'omit' }).catch((error: unknown) => {
    throw new Unreachable(site, error);
  });
  if (answer.status !== (range ? 206 : 200)) readAnswer(site, answer.status, await answer.text());
  return {
    name:
      nameIn(answer.headers.get('content-disposition') ?? '') ??
      decodeURIComponent(address.pathname.split('/').at(-1) ?? ''),
    type: (answer.headers.get('content-type') ?? 'application/octet-stream').replace(/;.*$/s, ''),
    size: Number(answer.headers.get('content-length') ?? Number.NaN),
    content: piecesOf(answer.body),
  };
}

/** Servers write names with non-ASCII characters as `filename*=UTF-8''…`, and others in quotes. */
function nameIn(disposition: string): string | undefined {
  const encoded = /;\s*filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const quoted = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1];
  return quoted?.replace(/\\(.)/g, '$1') ?? /;\s*filename=([^;"\s]+)/i.exec(disposition)?.[1];
}

/** Not every browser supports iteration of a `ReadableStream`. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

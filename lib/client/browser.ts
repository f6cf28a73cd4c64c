/**
 * `parlance/client` for browsers: a session over `fetch`, without Node modules and without schemas. Only the server
 * checks parameters.
 */
import type { Explanation } from '../access/explanation.ts';
import type { DryRun } from '../kernel/consequences.ts';
import { BadRequest, RequestVariableMissing } from '../kernel/errors.ts';
import type { Session } from '../kernel/session.ts';
import { sessionOver } from '../kernel/session.ts';
import { siteOf, withoutApiPath } from '../rules/site-address.ts';
import { addressOf } from './address.ts';
import { readAnswer } from './answer.ts';
import { downloadByFetch, fileForm } from './browser-files.ts';
import type { ConnectOptions } from './connect-options.ts';
import type { DescribedOperation } from './described-operation.ts';
import { HeldPolls } from './held-polls.ts';
import { OPERATIONS } from './operation-list.ts';
import { recovery } from './recover.ts';
import { withTimeout } from './timeout.ts';
import { Unreachable } from './unreachable.ts';

export { ChatError, type ErrorCode, RateLimitHit } from '../kernel/errors.ts';
export { isChatError } from '../kernel/is-chat-error.ts';
export type { ChatEvent, EventType, ListenOptions, QueuedEvent, Session } from '../kernel/session.ts';
export type { ConnectOptions } from './connect-options.ts';
export { Unreachable };

/** Longer than any server holds a long poll. */
const LONG_POLL_MS = 120_000;
const DEFAULT_TIMEOUT_MS = 15_000;
/** In characters. Servers refuse longer URLs. A POST with `method=GET` in its form does the same as a GET. */
const MAX_QUERY = 4_000;

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
    const { method, path, form, file } = buildRequest(operation, parameters);
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

function buildRequest(operation: DescribedOperation, parameters: Record<string, unknown>) {
  const { kinds } = operation;
  const { method, path, names } = addressOf(operation, OPERATIONS, (name) => {
    const value = parameters[name];
    if (value === undefined) throw new RequestVariableMissing(name);
    if (kinds[name] === 'integer' && !Number.isSafeInteger(value)) throw new BadRequest(`${name} must be an integer.`);
    return value;
  });
  const form = new URLSearchParams();
  let file: unknown;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || names.has(name)) continue;
    if (value instanceof Blob || (kinds[name] === 'file' && typeof value === 'object')) {
      file = value;
      continue;
    }
    // As JSON, text is quoted and cannot be mistaken for a number or a list.
    const isPlain = typeof value === 'string' && (kinds[name] === 'text' || kinds[name] === undefined);
    const text = isPlain ? value : JSON.stringify(value);
    // A form would replace them by another character.
    if (/\p{Surrogate}/u.test(text)) throw new BadRequest(`${name} must not contain lone surrogates.`);
    form.append(name, text);
  }
  if (method === 'GET' && form.toString().length > MAX_QUERY) {
    form.append('method', method);
    return { method: 'POST', path, form, file };
  }
  return { method, path, form, file };
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

import type { Dispatcher } from 'undici';
import type { Explanation } from '../access/explanation.ts';
import { catalogue, operationNamed } from '../kernel/catalogue.ts';
import type { DryRun } from '../kernel/consequences.ts';
import { BadRequest } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import { fileParameter, readParameter } from '../kernel/parameters.ts';
import type { StreamedFile } from '../kernel/schemas.ts';
import { type Invoke, type Session, sessionOver } from '../kernel/session.ts';
import { encodeText } from '../kernel/text-codec.ts';
import { siteOf } from '../rules/site-address.ts';
import { addressOf } from './address.ts';
import { readAnswer } from './answer.ts';
import { describe } from './describe.ts';
import type { DescribedOperation } from './described-operation.ts';
import { downloadFrom } from './file-receiving.ts';
import { FileSending } from './file-sending.ts';
import { HeldPolls } from './held-polls.ts';
import { recovery } from './recover.ts';
import { ResumableSending, resumableFile, type SendRequest } from './resumable-sending.ts';
import { withTimeout } from './timeout.ts';
import { Unreachable } from './unreachable.ts';

export type { Explanation, Step } from '../access/explanation.ts';
export type { Capability } from '../kernel/client.ts';
export type { DryRunEvent, DryRunSideEffect } from '../kernel/consequences.ts';
export type { DownloadedFile, DownloadOptions } from '../kernel/download.ts';
export type { DataOf, ErrorData } from '../kernel/error-data.ts';
export type { GroupObjection, InvitationFailure, InvitationProblem } from '../kernel/errors.ts';
export { ChatError, type ErrorCode, RateLimitHit } from '../kernel/errors.ts';
export { isChatError } from '../kernel/is-chat-error.ts';
export type {
  ChatEvent,
  DryRuns,
  EventType,
  ListenOptions,
  OperationName,
  ParametersOf,
  QueuedEvent,
  QueuePlace,
  Session,
} from '../kernel/session.ts';
export type { DryRun };
export { Unreachable };

/** Which server, and as whom. */
export interface ConnectOptions {
  /** Address of the server, e.g. `https://chat.example.com`; in a page also a path of its own server, `/chat`. */
  site: string;
  /** Address of the account; left out for what needs no credentials. */
  email?: string;
  /** The API key of the account with that address. */
  api_key?: string;
  /** Name sent as User-Agent; the server records its first word. Default `Parlance`. */
  client?: string;
  /**
   * Milliseconds that a call may take, its answer included. Long polls wait as long as the server holds them; a file
   * takes as long as it takes, where a server that takes nothing of it for so long is given up (in browsers, never).
   * Default 15000.
   */
  timeoutMs?: number;
  /**
   * Milliseconds for which `listen` and `register` go on asking a server that cannot be reached any more, or has no
   * time. `listen` goes on where it was, so that nothing is missed that the server keeps. Default 0; in browsers
   * without end.
   */
  patienceMs?: number;
  /** Whether certificates are not checked; only for tests of your own. Default false; browsers always check. */
  insecure?: boolean;
}

/** Longer than any server holds a poll. */
const LONG_POLL_MS = 120_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DEFAULT_TIMEOUT_MS = 15_000;
/** Characters. Servers refuse long addresses; a POST whose form says `method=GET` asks the same. */
const MAX_QUERY = 4_000;

/**
 * A session over HTTP: the same type as `chat.as(user)`, on any server of the API. Nothing is sent before the first call.
 * @throws TypeError where `site` is no address of a server
 */
export function connect(options: ConnectOptions): Session & { close(): Promise<void> } {
  const site = siteOf('site', options.site).replace(/\/api(\/v1)?$/, '');
  // Loaded with the first request: programs that stay on a file never need it.
  let loading: Promise<Pick<typeof import('undici'), 'request'> & { agent: Dispatcher }> | undefined;
  const http = () => {
    loading ??= import('undici').then(({ Agent, request }) => ({
      agent: new Agent({ connect: { rejectUnauthorized: !options.insecure } }),
      request,
    }));
    return loading;
  };
  const headers: Record<string, string> = { 'user-agent': options.client ?? 'Parlance' };
  if (options.email !== undefined && options.api_key !== undefined) {
    headers.authorization = `Basic ${Buffer.from(`${options.email}:${options.api_key}`).toString('base64')}`;
  }
  const polls = new HeldPolls();
  const send = async (
    operation: Operation,
    parameters: Record<string, unknown>,
    { signal, trial }: { signal?: AbortSignal | undefined; trial?: string } = {},
  ): Promise<object> => {
    const { method, path, form, file } = buildRequest(operation, parameters);
    const isQuery = method === 'GET';
    const query = isQuery && form.size > 0 ? `?${form}` : '';
    let status: number;
    let text: string;
    let isTrial = false;
    const { agent, request } = await http();
    const timeout = operation.longPoll ? LONG_POLL_MS : (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const large = file && trial === undefined && fileParameter(operation)?.isStreamed ? resumableFile(file) : undefined;
    if (large) {
      const sendPart: SendRequest = (address, { headers: more, ...rest }) =>
        request(address, {
          dispatcher: agent,
          headersTimeout: timeout,
          bodyTimeout: timeout,
          ...rest,
          headers: { ...headers, ...more },
        });
      const sent = await new ResumableSending(site, sendPart, timeout, large).run();
      if (sent) return sent;
    }
    const sending = file && new FileSending(form, file, timeout);
    const limit = withTimeout(sending ? undefined : timeout, signal ?? sending?.signal);
    try {
      const answer = await request(`${site}/api/v1${trial === undefined ? '' : `/${trial}`}${path}${query}`, {
        method: method as Dispatcher.HttpMethod,
        dispatcher: agent,
        headers: isQuery ? headers : { ...headers, ...(sending?.headers ?? FORM) },
        body: isQuery ? null : (sending?.body ?? form.toString()),
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: limit.signal,
      });
      status = answer.statusCode;
      isTrial = answer.headers['parlance-trial'] !== undefined;
      text = await answer.body.text();
    } catch (error) {
      // What could not be read is no fault of the server's.
      if (sending?.failure !== undefined) throw sending.failure;
      throw new Unreachable(site, error);
    } finally {
      sending?.end();
      limit.end();
    }
    // No server does something at an address that it does not know.
    if (trial !== undefined && !isTrial && (status === 404 || status < 300)) {
      throw new BadRequest(`The server ${site} cannot try things out; nothing was changed.`);
    }
    return readAnswer(site, status, text);
  };
  const invoke: Invoke<Operation> = (operation, parameters, signal) =>
    operation.longPoll
      ? polls.hold((letGo) => send(operation, parameters, { signal: letGo }), signal)
      : send(operation, parameters, { signal });
  return Object.assign(
    sessionOver<Operation>({
      operations: catalogue as readonly Operation[],
      recover: recovery(options.patienceMs ?? 0, () => polls.areClosed),
      invoke,
      dryRun: (operation, parameters) => send(operation, parameters, { trial: 'dry_run' }) as Promise<DryRun>,
      why: (user, operation, parameters) =>
        send(operation, parameters, { trial: `why/${encodeURIComponent(user)}` }) as Promise<Explanation>,
      download: async (pathId, asked) => {
        const [realm_id_str, ...rest] = pathId.split('/');
        const parameters = { realm_id_str, filename: rest.join('/') };
        const { url } = (await invoke(operationNamed('uploads.getTemporaryUrl'), parameters)) as { url: string };
        const { agent, request } = await http();
        return downloadFrom(site, url, asked, (address, options) =>
          request(address, { dispatcher: agent, ...options }),
        );
      },
      isClosed: () => polls.areClosed,
    }),
    {
      close: async () => {
        await polls.close();
        if (loading) await (await loading).agent.close();
      },
    },
  );
}

let described: readonly DescribedOperation[] | undefined;

/** Made once, and not before something is sent. */
function describedOperations(): readonly DescribedOperation[] {
  described ??= (catalogue as readonly Operation[]).map(describe);
  return described;
}

interface BuiltRequest {
  method: string;
  path: string;
  form: URLSearchParams;
  file?: Blob | StreamedFile | undefined;
}

function buildRequest(operation: Operation, parameters: Record<string, unknown>): BuiltRequest {
  const all = describedOperations();
  const own = all.find(({ name }) => name === operation.name) as DescribedOperation;
  const {
    method,
    path: filled,
    names: inPath,
  } = addressOf(own, all, (name) => readParameter(name, operation.params.entries[name], parameters[name]));
  const entries = operation.params.entries;
  const form = new URLSearchParams();
  let file: Blob | StreamedFile | undefined;
  const taken = fileParameter(operation)?.name;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || inPath.has(name)) continue;
    if (value instanceof Blob || (name === taken && typeof value === 'object')) {
      file = value as Blob | StreamedFile;
      continue;
    }
    const schema = entries[name];
    const text = schema ? encodeText(schema, value) : typeof value === 'string' ? value : JSON.stringify(value);
    // A form would carry another character in its place.
    if (/\p{Surrogate}/u.test(text)) throw new BadRequest(`${name} must not contain lone surrogates.`);
    form.append(name, text);
  }
  if (method === 'GET' && form.toString().length > MAX_QUERY) {
    form.append('method', method);
    return { method: 'POST', path: filled, form };
  }
  return { method, path: filled, form, file };
}

import { BadRequest, isChatError } from '../base/errors.ts';
import type { RegisterOptions, UploadOptions } from '../chat/call-options.ts';
import type { DryRun } from '../chat/consequences.ts';
import { type QueuePlace, type Session, sessionOver } from '../chat/session.ts';
import type { Explanation } from '../engine/explanation.ts';
import { type Backoff, pauseAfter, readAnswer, retryAfter, Unreachable, wait, withTimeout } from './answer.ts';
import { buildRequest } from './built-request.ts';
import type { DescribedOperation } from './described-operation.ts';
import { NoStream, streamedEvents } from './event-stream.ts';
import { type Credentials, Login } from './login.ts';
import { OPERATIONS } from './operation-list.ts';
import type { Platform, PlatformRequest, ResumableFile } from './platform.ts';
import type { SendRequest } from './resumable-sending.ts';

/** Longer than any server holds a long poll. */
const LONG_POLL_MS = 120_000;

/** Timeout of a piece of an upload in a browser, which does not say how much it has sent. */
const PIECE_TIMEOUT_MS = 120_000;

/** Codes of errors about the login. */
const LOGIN_ERROR = /^(UNAUTHORIZED|TOKEN_(EXPIRED|INVALID|REVOKED))$/;

/**
 * A session that sends its calls to a server.
 * @param patienceMs time of failures after which `listen` and `register` stop retrying
 */
export function remoteSession(
  platform: Platform,
  {
    site,
    timeoutMs,
    patienceMs,
    backoff,
    ...credentials
  }: Credentials & { site: string; timeoutMs: number; patienceMs: number; backoff?: Backoff | undefined },
): Session & { close(): Promise<void> } {
  const login = new Login(platform, site, credentials);
  /** Aborts the long polls. */
  const closing = new AbortController();
  const polls = new Set<Promise<object>>();
  const isClosed = () => closing.signal.aborted;
  const sendPiece: SendRequest = (url, request, signal) =>
    exchange(login, url, request, platform.seesSent || !request.piece ? timeoutMs : PIECE_TIMEOUT_MS, signal);
  const send = async (
    operation: DescribedOperation,
    parameters: Record<string, unknown>,
    { preview, ...options }: UploadOptions & { preview?: string } = {},
  ): Promise<object> => {
    const { signal } = options;
    const read = (name: string) => platform.readParameter(operation, name, parameters[name]);
    const isQuoted = (name: string) => platform.isQuoted(operation, name);
    const { method, path, form, file } = buildRequest(operation, parameters, { read, isQuoted });
    const large = operation.name === 'uploads.send' && file && !preview && platform.resumable(file);
    const sent = large && (await sendInPieces(site, sendPiece, large, { ...options, key: parameters.idempotency_key }));
    if (sent) return sent;
    const isQuery = method === 'GET';
    const url = `${site}/api/v1${preview ? `/${preview}` : ''}${path}${isQuery ? queryOf(form) : ''}`;
    const request = { method, form: isQuery ? undefined : form, file };
    const { status, header, text } = await (operation.isLong
      ? exchange(login, url, request, LONG_POLL_MS, signal, closing.signal, login.over)
      : exchange(login, url, request, file && !platform.seesSent ? undefined : timeoutMs, signal));
    if (preview && !header('parlance-trial')) checkHasDryRuns(site, status);
    return readAnswer(site, status, text);
  };
  let hasStreams = true;
  async function* stream(place: QueuePlace, signal: AbortSignal | undefined) {
    try {
      yield* streamedEvents(login, site, place, [signal, closing.signal, login.over]);
    } catch (error) {
      if (isChatError(error, 'ACCOUNT_CHANGED')) login.end();
      login.over.throwIfAborted();
      if (error instanceof NoStream) hasStreams = false;
      // The token expired during the stream, whose status was 200. The next stream asks for another one.
      else if (login.isRenewable && isChatError(error) && error.status !== 401 && LOGIN_ERROR.test(error.code ?? ''))
        login.drop();
      else throw error;
    }
  }
  const session: Session = sessionOver<DescribedOperation>({
    operations: OPERATIONS,
    stream: (place, signal) => (hasStreams ? stream(place, signal) : undefined),
    outage: () => {
      // Perhaps the network was only slow.
      hasStreams = true;
      return outage(patienceMs, backoff, closing.signal);
    },
    invoke: (operation, parameters, options) => {
      const answer = send(operation, parameters, options);
      if (operation.isLong) polls.add(answer);
      return answer.finally(() => polls.delete(answer));
    },
    dryRun: (operation, parameters, { signal }) =>
      send(operation, parameters, { signal, preview: 'dry_run' }) as Promise<DryRun>,
    why: (user, operation, parameters, { signal }) =>
      send(operation, parameters, { signal, preview: `why/${encodeURIComponent(user)}` }) as Promise<Explanation>,
    download: async (...file) => {
      // Browsers fetch this part with the first download.
      const { downloadFile } = await import('./remote-download.ts').catch((error: unknown) => {
        throw new Unreachable(site, error);
      });
      return downloadFile({ site, login, session, readAnswer }, ...file);
    },
    isClosed,
  });
  return Object.assign(session, {
    close: async () => {
      closing.abort();
      await Promise.allSettled(polls);
      // Listeners that end now still delete their event queues.
      await new Promise((resolve) => setTimeout(resolve, 0));
      await platform.close?.();
    },
  });
}

/** A server that does not know dry runs has changed nothing: it does not know their path. */
function checkHasDryRuns(site: string, status: number): void {
  if (status === 404 || status < 300) throw new BadRequest(`${site} has no dry runs. Nothing changed.`);
}

const queryOf = (form: URLSearchParams) => (form.size ? `?${form}` : '');

/** One request and its response. @param milliseconds timeout of silence; undefined for none */
async function exchange(
  login: Login,
  url: string,
  request: PlatformRequest,
  milliseconds: number | undefined,
  ...signals: (AbortSignal | undefined)[]
) {
  const limit = withTimeout(milliseconds, ...signals);
  const onSent = (bytes: number) => {
    limit.heard();
    request.onSent?.(bytes);
  };
  try {
    const answer = await login.request(url, { ...request, onSent, signal: limit.signal });
    limit.heard();
    const { status, header } = answer;
    return { status, header, text: await answer.text(limit.heard) };
  } catch (error) {
    login.over.throwIfAborted();
    throw error;
  } finally {
    limit.end();
  }
}

/** undefined if the server takes no pieces. */
async function sendInPieces(
  site: string,
  sendPiece: SendRequest,
  file: ResumableFile,
  options: UploadOptions & { key: unknown },
): Promise<object | undefined> {
  // Browsers fetch this part with the first large file.
  const { ResumableSending } = await import('./resumable-sending.ts').catch((error: unknown) => {
    throw new Unreachable(site, error);
  });
  return new ResumableSending(site, sendPiece, file, options).run();
}

/**
 * Waits before a retry after the server was unreachable, overloaded or rate-limiting.
 * @param patience milliseconds of failures after which it stops retrying
 */
function outage(patience: number, backoff: Backoff | undefined, closing: AbortSignal) {
  const since = Date.now();
  let retries = 0;
  return async (error: unknown, { signal, onState }: RegisterOptions): Promise<boolean> => {
    if (!isPassing(error) || Date.now() - since >= patience) return false;
    const pause = Math.max(retryAfter(error), pauseAfter(retries++, backoff));
    const early = new AbortController();
    onState?.({ state: 'offline', error, retryAt: Date.now() + pause, retryNow: () => early.abort() });
    await wait(pause, closing, early.signal, signal);
    const isOver = signal?.aborted || closing.aborted;
    if (!isOver) onState?.({ state: 'connecting', lastError: error });
    return !isOver;
  };
}

/**
 * Unreachable includes responses of a proxy whose server is down: they are not responses of this API. An error in a
 * stream has no status, but says when to retry.
 */
function isPassing(error: unknown): error is Error {
  return error instanceof Unreachable || (isChatError(error) && (error.status >= 500 || retryAfter(error) > 0));
}

import type { Dispatcher } from 'undici';
import type * as v from 'valibot';
import { piecesOf } from '../base/schemas.ts';
import { textKind } from '../base/text-codec.ts';
import { type CatalogueOperation, operationNamed } from '../catalogue.ts';
import type { Session } from '../chat/session.ts';
import { readParameter } from '../engine/parameters.ts';
import { siteOf, withoutApiPath } from '../rules/site-address.ts';
import { textOf, Unreachable } from './answer.ts';
import type { DescribedOperation } from './described-operation.ts';
import { multipartForm, OutgoingContent, resumableFile } from './file-sending.ts';
import type { Platform, UploadPiece } from './platform.ts';
import { remoteSession } from './remote-session.ts';

export type { DataOf, ErrorData } from '../base/error-data.ts';
export type { GroupObjection, InvitationFailure, InvitationProblem } from '../base/errors.ts';
export { ChatError, type ErrorCode, isChatError, RateLimitHit } from '../base/errors.ts';
export type { AbortSignalLike, BlobLike } from '../base/platform-types.ts';
export type {
  CallOptions,
  ConnectionState,
  EventTransport,
  RegisterOptions,
  UploadOptions,
} from '../chat/call-options.ts';
export type { DryRun, DryRunEvent, DryRunSideEffect } from '../chat/consequences.ts';
export type { DownloadedFile, DownloadOptions } from '../chat/download.ts';
export type { NarrowParam } from '../chat/generated.ts';
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
} from '../chat/session.ts';
export type { Explanation, Step } from '../engine/explanation.ts';
export type { Capability } from '../events/client.ts';
export type { NarrowOperator } from '../rules/narrow.ts';
export { createChatStore } from './store/chat-store.ts';
export { suggest } from './store/suggest.ts';
export type {
  Activity,
  Cell,
  Channel,
  Channels,
  ChannelUnread,
  ChatStore,
  ChatStoreOptions,
  Conversation,
  CustomEmoji,
  DirectPlace,
  Draft,
  DraftStorage,
  EmojiRef,
  EmojiTable,
  Me,
  Message,
  MessageList,
  MessageListState,
  Messages,
  Narrow,
  Organization,
  Outbox,
  Outgoing,
  OwnSettings,
  People,
  Person,
  Place,
  Presence,
  Reaction,
  Status,
  Subscription,
  Suggestion,
  Topic,
  TopicPlace,
  TopicUnread,
  UnreadCounts,
  Warning,
} from './store/types.ts';
export { Unreachable };

/** Options of `connect`. */
export interface ConnectOptions {
  /** Address of the server: `https://chat.example.com`. In browsers also a path on the same host: `/chat`. */
  site: string;
  /** E-mail address of the account. Leave it out for operations that need no login. */
  email?: string;
  /** API key of the account. */
  api_key?: string;
  /**
   * A token instead of `email` and `api_key`, sent as `Authorization: Bearer …`. A function is called before the first
   * request and again when the server refuses its token with status 401. It then repeats the request once, unless
   * that sends a stream. If the function rejects, the call fails with `Unreachable`, and `listen`
   * retries; throw a `ChatError` to end it. Resolve to an empty string if the user
   * has no login: the session sends no token, and fails with `UNAUTHORIZED` after a refused one.
   */
  token?: string | (() => string | Promise<string>);
  /**
   * User ID of the account that your program shows. Default: the account of the first response. The session is for this
   * account. When its cookie or token is that of another account, the server refuses the request, and all calls reject
   * with `ACCOUNT_CHANGED`. Open another session then.
   */
  account?: number;
  /** User-Agent header. The server records its first word. Default `Parlance`. */
  client?: string;
  /**
   * Time in milliseconds in which no byte of a response arrives, after which a call fails. Default 15000. A response
   * that keeps arriving may take any time. Long polls wait for two minutes. For uploads it limits the time in which the
   * server accepts no data. In browsers, a piece of a large file has two minutes, and a small file has no
   * timeout.
   */
  timeoutMs?: number;
  /**
   * Time in milliseconds for which `listen` and `register` retry if the server is unreachable, overloaded or
   * rate-limits. `listen` continues without losing events as long as its queue exists. Default 0; in browsers no limit.
   */
  patienceMs?: number;
  /**
   * Pauses before these retries, in milliseconds. The first pause is `firstMs`, default 500. Each further failure in a
   * row doubles it, up to `maxMs`, default 15000. A random part of up to 25 % is added or taken off, so that clients do
   * not return together. If the server says when to retry, a pause is at least as long.
   */
  backoff?: { firstMs?: number; maxMs?: number };
  /** Skip the check of TLS certificates. Only for your own tests. Default false. Browsers always check. */
  insecure?: boolean;
}

/** Timeout between two pieces of a downloaded file, in milliseconds. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Milliseconds. The server cuts a stream of events that its client does not read for longer. */
const UNREAD_STREAM_MS = 25_000;

/** Ends normally if the server has cut the stream of a slow program: its events are still in their queue. */
async function* untilCut(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let wasSlow = false;
  try {
    for await (const piece of content) {
      const since = Date.now();
      yield piece;
      wasSlow ||= Date.now() - since > UNREAD_STREAM_MS;
    }
  } catch (error) {
    if (!wasSlow) throw error;
  }
}

const FORM = 'application/x-www-form-urlencoded';

const declarationOf = ({ name }: DescribedOperation) => operationNamed(name as CatalogueOperation['name']);

function outgoing(piece: UploadPiece, onSent: ((bytes: number) => void) | undefined) {
  const content = new OutgoingContent(piecesOf(piece), onSent);
  return { body: content.body, content };
}

/**
 * Opens a session over HTTP, on a Parlance server or another server of this API. It has the same type as
 * `chat.as(user)`. Sends nothing before the first call. Calls reject with `ChatError` or `Unreachable`.
 * @throws TypeError if `site` is not a valid site address
 * @example
 * const session = connect({ site: 'https://chat.example.com', email: 'ada@example.com', api_key: '…' });
 * await session.messages.send({ type: 'channel', to: 'general', topic: 'greetings', content: 'Hello' });
 * await session.close();
 */
export function connect(options: ConnectOptions): Session & { close(): Promise<void> } {
  const site = withoutApiPath(siteOf('site', options.site));
  const { client = 'Parlance', timeoutMs = 15_000, patienceMs = 0, insecure = false } = options;
  let loading: ReturnType<typeof load> | undefined;
  /** Loaded with the first request: programs that only open a local database never need it. */
  const load = async () => {
    const { Agent, FormData, request } = await import('undici');
    return { dispatcher: new Agent({ connect: { rejectUnauthorized: !insecure } }), FormData, request };
  };
  const http = () => (loading ??= load());
  const platform: Platform = {
    readParameter: (operation, name, value) =>
      readParameter(name, declarationOf(operation).params[name] as v.GenericSchema, value),
    isQuoted: (operation, name) => {
      const { params } = declarationOf(operation);
      return Object.hasOwn(params, name) && textKind(params[name] as v.GenericSchema) !== 'text';
    },
    resumable: resumableFile,
    seesSent: true,
    async request(url, { method, headers, form, file, piece, pieceBytes, onSent, signal, isPublic }) {
      const { dispatcher, FormData, request } = await http();
      const sending = piece
        ? outgoing(piece(), onSent)
        : form && file && multipartForm(new FormData(), form, file, onSent);
      const isForm = form && !sending;
      const end = () => sending?.content.body.destroy();
      const fail = (error: unknown) => {
        end();
        // A failure to read the file is not an error of the server.
        throw sending?.content.failure ?? new Unreachable(site, error);
      };
      // No `accept-encoding`: undici does not decode. With gzip, 10,000 users on one machine take 110 ms, not 16.
      const answer = await request(url, {
        method: method as Dispatcher.HttpMethod,
        dispatcher,
        headers: {
          ...headers,
          ...(isPublic ? {} : { 'user-agent': client }),
          ...(pieceBytes === undefined ? {} : { 'content-length': String(pieceBytes) }),
          ...(isForm ? { 'content-type': FORM } : {}),
        },
        body: sending?.body ?? form?.toString() ?? null,
        ...(isPublic ? { bodyTimeout: DOWNLOAD_TIMEOUT_MS } : { headersTimeout: 0, bodyTimeout: 0 }),
        signal: signal ?? null,
      }).catch(fail);
      return {
        status: answer.statusCode,
        header: (name) => answer.headers[name]?.toString(),
        text: (heard) => textOf(answer.body, heard).catch(fail).finally(end),
        // Half a download must fail.
        content: isPublic ? answer.body : untilCut(answer.body),
      };
    },
    close: async () => (await loading)?.dispatcher.close(),
  };
  return remoteSession(platform, { ...options, site, timeoutMs, patienceMs });
}

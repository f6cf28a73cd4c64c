import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Chat, RateLimitHit, Unauthorized } from '../lib/index.ts';
import {
  type Access,
  type Caller,
  type CancelSignal,
  type ChatTransport,
  catalogue,
  decodeText,
  encodeText,
  FairScheduler,
  mayBeAudited,
  NotFound,
  type Operation,
  type Permit,
  textKind,
  transportOf,
} from '../lib/internal.ts';
import { Authentication, clientName } from './authentication.ts';
import { RequestBody } from './body.ts';
import { ClientGone } from './body-stream.ts';
import { acceptedEncoding, Compression, type Encoding } from './compression.ts';
import { EVENT_FRAME, EVENT_STREAM, EVENTS, STREAM_METHODS, sendEventStream } from './event-stream.ts';
import { type Fields, type Form, noFields, queryText, readFields } from './form.ts';
import { takeIdempotencyKey } from './idempotency-key.ts';
import { addHeaders, webhookKeyIn } from './incoming-webhooks.ts';
import { type HeldQueue, LongPolls } from './long-polls.ts';
import { asNewClients } from './older-clients.ts';
import type { ListenerOptions } from './options.ts';
import { EMAIL_RULES, queueLimits, RateLimits } from './rate-limits.ts';
import { recordOf } from './request-record.ts';
import { type Exchange, sendFailure, sendResult, withLongListsWritten } from './respond.ts';
import { decodeSegment, type Match, type Route, routerFor } from './router.ts';
import { UnsentAnswers } from './unsent-answers.ts';
import { Web } from './web/web.ts';

/** A dry run, or a `why` request: may a user run the operation, and why. */
type Preview = { kind: 'dry_run' } | { kind: 'why'; user: number | string };

/**
 * Reads a prefix such as `/dry_run/messages` or `/why/7/messages`. It is not a header: an older server would ignore the
 * header and run the operation.
 */
function previewAt(path: string): { preview?: Preview; path: string } {
  const found = /^\/(?:(dry_run)|why\/([^/]+))(\/.+)$/.exec(path);
  if (!found) return { path };
  const [, dryRun, user, rest = ''] = found;
  if (dryRun !== undefined) return { preview: { kind: 'dry_run' }, path: rest };
  const name = decodeSegment(user as string);
  return { preview: { kind: 'why', user: /^[0-9]{1,15}$/.test(name) ? Number(name) : name }, path: rest };
}

/** Milliseconds by which events may be late before changes wait. */
const MAX_LAG_MS = 1_000;
const LAG_STEP_MS = 50;
const MAX_LAG_WAIT_MS = 5_000;
const LAG_RETRY_AFTER_S = 5;

/** How accounts share the work of requests. */
const REQUESTS = {
  places: 1,
  expensiveMs: 50,
  maxWaiting: 50,
  // Most proxies give up after 60 s, and then the client does not learn the result.
  maxWaitMs: 45_000,
};

export type ListenerContext = ReturnType<typeof listenerContext>;

/** The state that the requests of a listener share. */
export function listenerContext(
  chat: Chat,
  options: ListenerOptions,
  { operations = catalogue, ownsRequests = false }: { operations?: readonly Operation[]; ownsRequests?: boolean } = {},
) {
  const { rateLimits: rules = {}, trustProxy = 0, maxBodyBytes = 1024 * 1024 } = options;
  const rateLimits = rules === false ? undefined : new RateLimits(rules, Number(trustProxy));
  const transport = transportOf(chat);
  const web = new Web(transport, options);
  return {
    chat,
    transport,
    router: routerFor(operations),
    authentication: new Authentication(transport, options, rateLimits, web.cookie),
    rateLimits,
    web,
    scheduler: rateLimits && new FairScheduler(REQUESTS),
    polls: new LongPolls({ ownsRequests, limits: rules === false ? undefined : queueLimits(rules) }),
    unsent: new UnsentAnswers(),
    compression: new Compression(),
    maxBodyBytes,
  };
}

interface ApiExchange extends Exchange {
  body?: RequestBody;
  permit?: Permit | undefined;
}

type Call = NonNullable<Awaited<ReturnType<typeof prepareCall>>>;

/**
 * Answers an API request: route, method, authentication, rate limit, then the operation in the chat (access,
 * parameters, execution), then the response. The first error in this order is returned.
 * @param address `path`: below `/api/v1`; `query`: without the question mark
 */
export async function answerCall(
  api: ListenerContext,
  req: IncomingMessage,
  res: ServerResponse,
  { path, query }: { path: string; query: string },
): Promise<void> {
  const { unsent, compression } = api;
  const exchange: ApiExchange = { req, res, headers: {}, encoding: encodingFor(api, req) };
  try {
    const isStream = path === EVENT_STREAM;
    if (isStream && !STREAM_METHODS.choose(req, res)) return;
    const call = await prepareCall(api, exchange, isStream ? EVENTS : path, query);
    if (!call) return;
    if (isStream) return await streamEvents(api, exchange, call);
    const answer = await perform(api, exchange, call);
    const endWork = exchange.permit?.beginWork();
    let sending: Promise<void> | undefined;
    try {
      const result = await withLongListsWritten(answer);
      const dispatch = {
        unsent,
        compression,
        caller: callerKey(api, req, call.caller.userId),
        signal: cancelSignalOf(res),
      };
      if (!res.destroyed) sending = sendResult(exchange, result, dispatch);
    } finally {
      endWork?.();
    }
    // Compression does not use the event loop, so others need not wait for it.
    exchange.permit?.end();
    await sending;
  } catch (error) {
    await exchange.body?.abandon();
    sendFailure(api.transport.engine.logger, exchange, path, error);
  } finally {
    exchange.permit?.end();
  }
}

/**
 * Pages of other sites get nothing compressed. They could send requests with a login cookie and a guess. The size would
 * show whether the response contains the guess (BREACH).
 */
function encodingFor({ authentication }: ListenerContext, req: IncomingMessage): Encoding | undefined {
  const encoding = acceptedEncoding(req);
  return encoding && authentication.isFromOwnSite(req) ? encoding : undefined;
}

/** Who waits for and uses the shared resources of the server: the account, or else the network address. */
export const callerKey = ({ rateLimits }: ListenerContext, req: IncomingMessage, userId: number | null = null) =>
  userId ?? rateLimits?.addressOf(req) ?? 'unknown';

/** All steps before the operation. Returns undefined if the response is already sent. */
async function prepareCall(api: ListenerContext, exchange: ApiExchange, path: string, query: string) {
  const { req, res, headers } = exchange;
  const { preview, path: address } = previewAt(path);
  const match = api.router.find(address);
  if (!match) throw new NotFound(path.length > 1 ? path.slice(0, 200) : '/api/v1');
  const incoming = match.methods.get('POST')?.operation.incoming;
  const body = new RequestBody(req, res, api.maxBodyBytes, incoming?.body);
  exchange.body = body;
  // Read forms with a file only after authentication.
  const mayBeFile = body.isMultipart && match.methods.get('POST')?.file !== undefined;
  const namesMethod = req.method === 'POST' && body.type !== undefined && !mayBeFile;
  const webhookKey = incoming && webhookKeyIn(query);
  const identify = (access: Access) => api.authentication.identify(req, access, headers, webhookKey);
  // Authenticate before reading the body, if no method at this path is open to everyone.
  const known = namesMethod && match.methods.every(isClosed) ? await identify('user') : undefined;
  // The account waits until it may send another request, before its body is read.
  if (known) await permitFor(api, exchange, known.userId)?.enter();
  const fields = namesMethod ? (await body.tryForm())?.fields : undefined;
  const route = match.methods.choose(req, res, fields && methodOverride(fields, match));
  if (!route) return undefined;
  const { operation } = route;
  const record = recordOf(req);
  const prefix = preview ? (preview.kind === 'why' ? '/why/{user}' : '/dry_run') : '';
  // A dry run is not counted as a call of its operation.
  record?.note(`/api/v1${prefix}${route.path}`, preview?.kind ?? operation.name);
  // Only these responses have the header, so a client can check that nothing was changed.
  if (preview) headers['Parlance-Trial'] = preview.kind;
  const access = preview?.kind === 'why' ? 'user' : operation.access;
  const identity = known ?? (await identify(access));
  // Logins have limits of their own, so that other requests from an address cannot stop them.
  const isSignIn = operation.limitedBy?.rule === 'sign-in' && !preview;
  if (!isSignIn)
    await api.rateLimits?.take(req, identity.userId, operation.longPoll ? 'polls_by_user' : 'api_by_user', headers);
  // Before `begin`: polls that deliver may need the place.
  if (operation.effect !== 'read' && !operation.longPoll && !preview) await untilDelivered(api, res);
  const permit = permitFor(api, exchange, identity.userId);
  // Requests without a body do not wait behind the bodies of their account, or behind changes that wait for delivery.
  if (!operation.longPoll && !isSignIn && body.type !== undefined) await permit?.enter();
  const form = await body.form(route.file);
  const caller: Caller = { ...identity, client: clientName(req) };
  if (mayBeAudited(operation) || preview?.kind === 'why') {
    if (record) caller.request = record.id;
    if (api.rateLimits) caller.network = api.rateLimits.addressOf(req);
  }
  if (permit) caller.permit = permit;
  // Polls wait, logins have their own turns, and streamed files are still arriving: none of them holds a place.
  if (operation.longPoll || isSignIn || route.file?.isStreamed) permit?.end();
  else await permit?.begin(operation);
  if (operation.extent)
    caller.scanTerms = () => ({ ...api.rateLimits?.scansOf(req, identity.userId), signal: cancelSignalOf(res) });
  const { values, overridden } = valuesOf(match, route, query, form);
  if (incoming) addHeaders(values, incoming, req.headers);
  takeIdempotencyKey(req.headers['idempotency-key'], operation, values);
  return { preview, operation, caller, values, overridden };
}

/** Delivery comes before intake: while events are late, changes wait. */
async function untilDelivered({ transport }: ListenerContext, res: ServerResponse): Promise<void> {
  const { hub, clock } = transport.engine;
  for (let waited = 0; hub.lagMs(clock.now()) > MAX_LAG_MS; waited += LAG_STEP_MS) {
    if (waited >= MAX_LAG_WAIT_MS) throw new RateLimitHit(LAG_RETRY_AFTER_S);
    if (res.destroyed) throw new ClientGone();
    await nextLagStep();
  }
}

let lagStep: Promise<void> | undefined;

/** One timer for all changes that wait, since there may be thousands. */
function nextLagStep(): Promise<void> {
  lagStep ??= wait(LAG_STEP_MS).finally(() => {
    lagStep = undefined;
  });
  return lagStep;
}

/** The permit of the request, which is the same from its first use on. */
function permitFor(api: ListenerContext, exchange: ApiExchange, userId: number | null): Permit | undefined {
  const { req, res } = exchange;
  exchange.permit ??= api.scheduler?.permit(callerKey(api, req, userId), cancelSignalOf(res));
  return exchange.permit;
}

const cancelSignalOf = (res: ServerResponse): CancelSignal => ({
  get aborted() {
    return res.destroyed;
  },
  addEventListener: (_, listener: () => void) => void res.once('close', listener),
  removeEventListener: (_, listener: () => void) => void res.off('close', listener),
});

const isClosed = ({ operation: { access } }: Route) => access !== 'anyone' && access !== 'spectator';

/** The field `method` in the body of a POST overrides the method. */
function methodOverride(fields: Fields, match: Match): string | undefined {
  if (fields.method === undefined) return undefined;
  const { method } = fields;
  const named = match.methods.get(method);
  // Remove the field, unless the operation has a parameter with this name.
  if (named && !Object.hasOwn(named.operation.params, 'method')) delete fields.method;
  return method;
}

/** Parameters by name, as text. The path overrides the body, and the body overrides the query. */
function valuesOf(match: Match, route: Route, query: string, form: Form | undefined) {
  // Not a copy: fields of a streamed form may still arrive.
  const values: Record<string, unknown> = form?.fields ?? noFields();
  if (form?.typed) {
    // JSON strings stay text, even if they look like a number. Other JSON values keep their type.
    for (const [name, text] of Object.entries(form.fields)) {
      const schema = route.operation.params[name];
      if (schema && textKind(schema) === 'text or json') values[name] = encodeText(schema, text);
    }
    Object.assign(values, form.typed);
  }
  if (query !== '') {
    const inQuery = readFields(queryText(query), noFields());
    for (const name in inQuery) if (!Object.hasOwn(values, name)) values[name] = inQuery[name];
  }
  if (route.file && form?.file) values[route.file.name] = form.file;
  const overridden: string[] = [];
  for (const [i, name] of route.names.entries()) {
    const inPath = match.values[i] as string;
    // Clients repeat parameters of the path.
    if (Object.hasOwn(values, name) && String(values[name]) !== inPath) overridden.push(name);
    values[name] = inPath;
  }
  asNewClients(values, route.operation.params);
  return { values, overridden };
}

function withOverridden(answer: object, overridden: readonly string[]): object {
  if (overridden.length === 0) return answer;
  const { ignored_parameters_unsupported: unknown = [] } = answer as { ignored_parameters_unsupported?: string[] };
  return { ...answer, ignored_parameters_unsupported: [...unknown, ...overridden].sort() };
}

async function streamEvents(api: ListenerContext, exchange: ApiExchange, call: Call): Promise<void> {
  const { transport, polls, unsent } = api;
  const { req, res } = exchange;
  const { caller, values } = call;
  // Without a value, the header is as good as absent: a proxy or a browser may send it so.
  const last_event_id = req.headers['last-event-id'] || (values.last_event_id ?? '-1');
  const check = hostLoginCheck(api, req, caller);
  const stream = (signal: CancelSignal) => {
    caller.signal = signal;
    const events = transport.streamEvents(caller, { ...values, last_event_id }, decodeText, EVENT_FRAME);
    const admit = (bytes: number) => unsent.hold(res, caller.userId as number, bytes);
    return sendEventStream(exchange, check ? checked(events, check) : events, admit);
  };
  await polls.hold(req, res, stream, { queue: heldQueue(api, req, call), authenticatesAgain: check !== undefined });
}

/**
 * Checks a login of the host again, before what has waited goes out: only the host knows when the login is over. The
 * chat itself checks API keys, tokens and cookies.
 */
function hostLoginCheck({ authentication }: ListenerContext, req: IncomingMessage, caller: Caller) {
  if (caller.keyGeneration !== undefined) return undefined;
  return async () => {
    const { userId } = await authentication.identify(req, 'user');
    if (userId !== caller.userId) throw new Unauthorized('The login is over. Log in again.');
  };
}

const heldQueue = ({ rateLimits }: ListenerContext, req: IncomingMessage, { caller, values }: Call): HeldQueue => ({
  queueId: String(values.queue_id),
  userId: caller.userId as number,
  address: rateLimits?.addressOf(req) ?? '',
});

/** Runs the check before each item. */
async function* checked<T>(items: AsyncIterable<T>, check: () => Promise<void>): AsyncGenerator<T> {
  for await (const item of items) {
    await check();
    yield item;
  }
}

function perform(api: ListenerContext, { req, res, permit }: ApiExchange, prepared: Call): Promise<object> {
  const { transport, polls, rateLimits } = api;
  const { preview, operation, caller, values, overridden } = prepared;
  if (preview?.kind === 'why')
    return transport.why(operation, { asker: caller, about: preview.user, values, decode: decodeText });
  if (preview) {
    const dryRun = () =>
      transport
        .dryRun(operation, caller, values, decodeText)
        .then((done) => ({ ...done, answer: withOverridden(done.answer, overridden) }));
    // Only this limit: other dry runs send no e-mail and check no password.
    const isJoin = rateLimits && operation.limitedBy?.rule === 'join';
    return isJoin ? limited({ transport, rateLimits }, req, { operation, caller, values }, dryRun) : dryRun();
  }
  const call = () => {
    // Counts only the synchronous part, such as reading the parameters.
    const endWork = permit?.beginWork();
    const result = transport.engine.call(operation, caller, values, decodeText);
    endWork?.();
    return result;
  };
  if (operation.longPoll) {
    const check = hostLoginCheck(api, req, caller);
    const poll = async (signal: CancelSignal) => {
      caller.signal = signal;
      const answer = await call();
      await check?.();
      return answer;
    };
    return polls.hold(req, res, poll, {
      queue: heldQueue(api, req, prepared),
      authenticatesAgain: check !== undefined,
    });
  }
  const answering = rateLimits ? limited({ transport, rateLimits }, req, { operation, caller, values }, call) : call();
  return overridden.length === 0 ? answering : answering.then((answer) => withOverridden(answer, overridden));
}

/** Runs a call with the extra rate limit of its operation. */
async function limited(
  { transport, rateLimits }: { transport: ChatTransport; rateLimits: RateLimits },
  req: IncomingMessage,
  { operation: { limitedBy }, caller: { userId }, values }: Pick<Call, 'operation' | 'caller' | 'values'>,
  call: () => Promise<object>,
): Promise<object> {
  if (limitedBy?.rule === 'email' || limitedBy?.rule === 'invited-email') {
    await rateLimits.takeByAddress(req, EMAIL_RULES[limitedBy.rule]);
  }
  if (limitedBy?.rule === 'sign-in') {
    const account = values[limitedBy.account];
    if (typeof account === 'string') return rateLimits.signIn(req, account, transport, call);
    await rateLimits.take(req, userId ?? null);
  }
  if (limitedBy?.rule === 'join') return rateLimits.join(req, call);
  if (limitedBy?.rule === 'own-password' && values[limitedBy.password] && typeof userId === 'number') {
    return rateLimits.ownPassword(userId, transport, call);
  }
  return call();
}

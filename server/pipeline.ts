import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Chat, RateLimitHit } from '../lib/index.ts';
import {
  type Caller,
  type Departure,
  decodeText,
  encodeText,
  type FairScheduler,
  mayBeAudited,
  NotFound,
  type Operation,
  type Permit,
  textKind,
  transportOf,
} from '../lib/internal.ts';
import { type Authentication, clientName } from './authentication.ts';
import { RequestBody } from './body.ts';
import { type Fields, type Form, noFields, queryText, readFields } from './form.ts';
import { hasLongLists, withLongListsWritten } from './large-lists.ts';
import type { LongPolls } from './long-polls.ts';
import { EMAIL_RULES, type RateLimits, type SignInMemory } from './rate-limits.ts';
import { type RequestRecord, recordOf } from './request-record.ts';
import { sendFailure, sendResult } from './respond.ts';
import type { Match, Route, Router } from './router.ts';
import { performTrial, type Trial, trialAt } from './trials.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** Shared state of the API requests of a listener. */
export interface ApiContext {
  readonly chat: Chat;
  readonly router: Router;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits | undefined;
  /** Set if there are rate limits. */
  readonly scheduler: FairScheduler | undefined;
  readonly polls: LongPolls;
  readonly unsent: UnsentAnswers;
  readonly maxBodyBytes: number;
}

/** A request and its response. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Response headers so far. */
  headers: Record<string, string>;
  body?: RequestBody;
  permit?: Permit | undefined;
}

/** A call of an operation. */
interface Call {
  /** Set for a dry run or a `why` request. */
  readonly trial: Trial | undefined;
  readonly operation: Operation;
  readonly caller: Caller;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Answers an API request: route, method, authentication, rate limit, then the operation in the chat (access,
 * parameters, execution), then the response. The first error in this order is returned.
 * @param path below `/api/v1`
 * @param query without the question mark
 */
export async function answerCall(
  api: ApiContext,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const record = recordOf(req);
  const exchange: Exchange = { req, res, headers: record ? { 'X-Request-Id': record.id } : {} };
  try {
    const call = await prepareCall(api, exchange, path, query);
    if (!call) return;
    const answer = await perform(api, exchange, call);
    const endWork = exchange.permit?.beginWork();
    try {
      const result = hasLongLists(answer) ? await withLongListsWritten(answer) : answer;
      const key = keyOf(api, req, call.caller.userId) ?? 'nobody';
      if (!res.destroyed) sendResult(res, result, exchange.headers, (bytes) => api.unsent.add(res, key, bytes));
    } finally {
      endWork?.();
    }
  } catch (error) {
    await exchange.body?.abandon();
    sendFailure(transportOf(api.chat).logger, req, res, path, error, exchange.headers);
  } finally {
    exchange.permit?.end();
  }
}

/** The key for limits: the user ID or the network address. */
function keyOf(api: ApiContext, req: IncomingMessage, userId: number | null | undefined): number | string | undefined {
  return userId ?? api.rateLimits?.addressOf(req);
}

/** All steps before the operation. Returns undefined if the response is already sent. */
async function prepareCall(
  api: ApiContext,
  exchange: Exchange,
  path: string,
  query: string,
): Promise<Call | undefined> {
  const { req, res } = exchange;
  const { trial, path: address } = trialAt(path);
  const match = api.router.find(address);
  if (!match) throw new NotFound(path.slice(0, 200));
  const body = new RequestBody(req, res, api.maxBodyBytes);
  exchange.body = body;
  const namesMethod = mayNameMethod(req, match, body);
  // Authenticate before reading the body, if no method at this path is open to everyone.
  const known =
    namesMethod && match.methods.every(isClosed) ? await api.authentication.identify(req, 'user') : undefined;
  if (known) await enter(api, exchange, known.userId);
  const fields = namesMethod ? (await body.tryForm())?.fields : undefined;
  const route = match.methods.choose(req, res, fields && methodOverride(fields, match));
  if (!route) return undefined;
  const { operation } = route;
  const record = recordOf(req);
  if (record) noteRoute(record, route, trial);
  // Only these responses have the header, so a client can check that nothing was changed.
  if (trial) exchange.headers['Parlance-Trial'] = trial.kind;
  const access = trial?.kind === 'why' ? 'user' : operation.access;
  const identity =
    known ?? api.authentication.verified(req, access) ?? (await api.authentication.identify(req, access));
  if (record) record.userId = identity.userId;
  if (api.rateLimits) {
    const rule = operation.longPoll ? 'polls_by_user' : 'api_by_user';
    const { headers, retryAfter } = await api.rateLimits.count(req, identity.userId, rule);
    exchange.headers = { ...exchange.headers, ...headers };
    if (retryAfter !== undefined) throw new RateLimitHit(retryAfter);
  }
  if (operation.longPoll) exchange.permit ??= permitFor(api, exchange, identity.userId);
  else await enter(api, exchange, identity.userId);
  const form = body.isRead || body.isEmpty ? body.known() : await body.form(route.file);
  const caller: Caller = { ...identity, client: clientName(req) };
  if (mayBeAudited(operation)) {
    if (record) caller.request = record.id;
    if (api.rateLimits) caller.network = api.rateLimits.addressOf(req);
  }
  const { permit } = exchange;
  if (permit) caller.permit = permit;
  // Polls wait, and streamed files are still arriving: neither holds a place.
  if (operation.longPoll || route.file?.isStreamed) permit?.end();
  else await permit?.begin(operation);
  if (operation.extent)
    caller.scanTerms = () => ({ ...api.rateLimits?.scansOf(req, identity.userId), signal: departureOf(res) });
  return { trial, operation, caller, values: valuesOf(match, route, query, form) };
}

/** A dry run is not counted as a call of its operation. */
function noteRoute(record: RequestRecord, { operation, path }: Route, trial: Trial | undefined): void {
  const place = trial ? (trial.kind === 'why' ? '/why/{user}' : '/dry_run') : '';
  record.route = `/api/v1${place}${path}`;
  record.operation = trial ? trial.kind : operation.name;
}

/** Waits until the account may send another request, before its body is read. */
async function enter(api: ApiContext, exchange: Exchange, userId: number | null | undefined): Promise<void> {
  exchange.permit ??= permitFor(api, exchange, userId);
  await exchange.permit?.enter();
}

function permitFor(api: ApiContext, { req, res }: Exchange, userId: number | null | undefined): Permit | undefined {
  const key = keyOf(api, req, userId);
  return key === undefined ? undefined : api.scheduler?.permit(key, departureOf(res));
}

const departureOf = (res: ServerResponse): Departure => ({
  get aborted() {
    return res.destroyed;
  },
  addEventListener: (_, listener: () => void) => void res.once('close', listener),
  removeEventListener: (_, listener: () => void) => void res.off('close', listener),
});

const isClosed = ({ operation: { access } }: Route) => access !== 'anyone' && access !== 'spectator';

/** Forms with a file are read only after authentication. */
function mayNameMethod(req: IncomingMessage, match: Match, body: RequestBody): boolean {
  return req.method === 'POST' && !body.isEmpty && !(body.isMultipart && match.methods.get('POST')?.file);
}

/** The field `method` in the body of a POST overrides the method. */
function methodOverride(fields: Fields, match: Match): string | undefined {
  if (fields.method === undefined) return undefined;
  const { method } = fields;
  const named = match.methods.get(method);
  // Remove the field, unless the operation has a parameter with this name.
  if (named && !Object.hasOwn(named.operation.params.entries, 'method')) delete fields.method;
  return method;
}

/** Parameters by name, as text. The path overrides the body, and the body overrides the query. */
function valuesOf(match: Match, route: Route, query: string, form: Form | undefined): Record<string, unknown> {
  // Not a copy: fields of a streamed form may still arrive.
  const values: Record<string, unknown> = form?.fields ?? noFields();
  if (form?.typed) readTyped(route.operation, values, form.fields, form.typed);
  if (query !== '') {
    const asked = readFields(queryText(query), noFields());
    for (const name in asked) if (!Object.hasOwn(values, name)) values[name] = asked[name];
  }
  if (route.file && form?.file) values[route.file.name] = form.file;
  for (let i = 0; i < route.names.length; i++) values[route.names[i] as string] = match.values[i] as string;
  return values;
}

/** JSON strings stay text, even if they look like a number. Other JSON values keep their type. */
function readTyped(
  operation: Operation,
  values: Record<string, unknown>,
  fields: Fields,
  typed: Readonly<Record<string, unknown>>,
): void {
  for (const name in fields) {
    const schema = operation.params.entries[name];
    if (schema && textKind(schema) === 'text or json') values[name] = encodeText(schema, fields[name]);
  }
  Object.assign(values, typed);
}

function perform(
  { chat, polls, rateLimits }: ApiContext,
  { req, res, permit }: Exchange,
  { trial, operation, caller, values }: Call,
): Promise<object> {
  if (trial) return performTrial(chat, trial, { operation, caller, values });
  const call = () => {
    // Counts only the synchronous part, such as reading the parameters.
    const endWork = permit?.beginWork();
    const result = transportOf(chat).call(operation, caller, values, decodeText);
    endWork?.();
    return result;
  };
  if (operation.longPoll) {
    return polls.hold(req, res, (signal) => {
      caller.signal = signal;
      return call();
    });
  }
  return rateLimits ? limited(chat, rateLimits, req, { operation, caller, values }, call) : call();
}

/** Runs a call with the extra rate limit of its operation. */
async function limited(
  chat: Chat,
  rateLimits: RateLimits,
  req: IncomingMessage,
  { operation: { limitedBy }, caller: { userId }, values }: Omit<Call, 'trial'>,
  call: () => Promise<object>,
): Promise<object> {
  const transport = transportOf(chat);
  if (limitedBy?.rule === 'email' || limitedBy?.rule === 'invited-email') {
    await rateLimits.takeByAddress(req, EMAIL_RULES[limitedBy.rule]);
  }
  if (limitedBy?.rule === 'sign-in') {
    const account = values[limitedBy.account];
    if (typeof account !== 'string') return call();
    const memory: SignInMemory = {
      state: (network) => transport.signInState(account, network),
      remember: (network) => transport.rememberNetwork(account, network),
    };
    return rateLimits.signIn(req, account, memory, call);
  }
  if (limitedBy?.rule === 'own-password' && values[limitedBy.password] && typeof userId === 'number') {
    const timesUnlocked = async () => (await transport.signInState(userId)).timesUnlocked;
    return rateLimits.ownPassword(userId, timesUnlocked, call);
  }
  return call();
}

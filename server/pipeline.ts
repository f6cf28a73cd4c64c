import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimitHit } from '../lib/index.ts';
import { NotFound, present } from '../lib/internal.ts';
import { ApiRequest, type Kind, type Preview, type Stage } from './api-request.ts';
import { ClientGone, RequestBody } from './body.ts';
import { call } from './call.ts';
import type { ListenerContext } from './context.ts';
import { EVENT_STREAM, EVENTS, STREAM_METHODS } from './event-stream.ts';
import type { Form } from './form.ts';
import { recordOf } from './request-record.ts';
import { hasLongList, sendFailure, sendResult, withLongListsWritten } from './respond.ts';
import { decodeSegment, type Match, type Route } from './router.ts';

/** Finds the operation by path and method. OPTIONS is answered here. */
const route: Stage = {
  enter(request) {
    const { context, req, res, path } = request;
    const isStream = path === EVENT_STREAM;
    if (isStream && !STREAM_METHODS.choose(req, res)) return end(request);
    const address = previewAt(isStream ? EVENTS : path);
    const match = context.router.find(address.path);
    if (!match) throw new NotFound(path.length > 1 ? path.slice(0, 200) : '/api/v1');
    request.match = match;
    request.preview = address.preview;
    request.body = new RequestBody(req, res, context.maxBodyBytes, match.methods.get('POST')?.operation.incoming?.body);
    if (!mayNameMethod(request)) return choose(request, { isStream });
    return formBefore(request).then((form) => choose(request, { form, isStream }));
  },
};

function choose(request: ApiRequest, { form, isStream }: { form?: Form | undefined; isStream: boolean }): undefined {
  const { req, res, match, preview } = request;
  const found = match.methods.choose(req, res, form && methodIn(form, match));
  if (!found) return end(request);
  request.route = found;
  request.kind = isStream ? 'stream' : kindOf(found, preview);
  const prefix = preview ? (preview.kind === 'why' ? '/why/{user}' : '/dry_run') : '';
  // A dry run is not counted as a call of its operation.
  recordOf(req)?.note(`/api/v1${prefix}${found.path}`, preview?.kind ?? found.operation.name);
  // Only these responses have the header, so a client can check that nothing was changed.
  if (preview) request.headers['Parlance-Trial'] = preview.kind;
  return undefined;
}

function end(request: ApiRequest): undefined {
  request.isAnswered = true;
}

function kindOf({ operation, file }: Route, preview: Preview | undefined): Kind {
  // Also for their previews: the file of an upload arrives slowly, and the chat refuses a preview of a poll.
  if (operation.effect === 'poll') return 'poll';
  if (file?.isStreamed) return 'upload';
  if (preview) return 'preview';
  return operation.limitedBy?.rule === 'sign-in' ? 'sign-in' : 'call';
}

/**
 * Reads a prefix such as `/dry_run/messages` or `/why/7/messages`. It is not a header: an older server would ignore the
 * header and run the operation.
 */
function previewAt(path: string): { preview?: Preview; path: string } {
  const found = /^\/(?:(dry_run)|why\/([^/]+))(\/.+)$/.exec(path);
  if (!found) return { path };
  const [, dryRun, user, rest = ''] = found;
  if (dryRun !== undefined) return { preview: { kind: 'dry_run' }, path: rest };
  const name = decodeSegment(present(user));
  return { preview: { kind: 'why', user: /^[0-9]{1,15}$/.test(name) ? Number(name) : name }, path: rest };
}

/** Whether a field of the form may name the method. A form with a file waits for the authentication. */
function mayNameMethod({ req, body, match }: ApiRequest): boolean {
  if (req.method !== 'POST' || body.type === undefined) return false;
  return !body.isMultipart || match.methods.get('POST')?.file === undefined;
}

/** The form of a request whose route depends on it. Authenticates first, if no method at this path is open to everyone. */
async function formBefore(request: ApiRequest): Promise<Form | undefined> {
  if (request.match.methods.every(isClosed)) {
    await request.identify('user');
    // The account waits until it may send another request, before its body is read.
    await request.turn?.enter();
  }
  return request.body.tryForm();
}

const isClosed = ({ operation: { access } }: Route) => access !== 'anyone' && access !== 'spectator';

/** The field `method` in the body of a POST overrides the method. */
function methodIn({ fields }: Form, match: Match): string | undefined {
  const { method } = fields;
  if (method === undefined) return undefined;
  const named = match.methods.get(method);
  // Remove the field, unless the operation has a parameter with this name.
  if (named && !Object.hasOwn(named.operation.params, 'method')) delete fields.method;
  return method;
}

/** Finds the account of the request. */
const authenticate: Stage = {
  enter(request) {
    const { identity, preview, route } = request;
    return identity ? undefined : request.identify(preview?.kind === 'why' ? 'user' : route.operation.access);
  },
};

/** Counts the request for its account or network address. Operations may have further limits. */
const limit: Stage = {
  enter({ context, req, userId, treatment, headers }) {
    if (!treatment.limit) return undefined;
    return context.rateLimits?.take(req, userId, treatment.limit, headers);
  },
};

/** Milliseconds by which events may be late before changes wait. */
const MAX_LAG_MS = 1_000;
const LAG_STEP_MS = 50;
const MAX_LAG_WAIT_MS = 5_000;
const LAG_RETRY_AFTER_S = 5;

/**
 * Delivery comes before intake: while events are late, changes wait. Before the stage `takeTurn`, since polls that
 * deliver may need the place.
 */
const waitForDelivery: Stage = {
  enter(request) {
    return isChange(request) && isLate(request) ? untilDelivered(request) : undefined;
  },
};

const isChange = ({ route: { operation }, preview }: ApiRequest) =>
  operation.effect !== 'read' && operation.effect !== 'poll' && !preview;

function isLate({ context }: ApiRequest): boolean {
  const { hub, clock } = context.transport.engine;
  return hub.lagMs(clock.now()) > MAX_LAG_MS;
}

async function untilDelivered(request: ApiRequest): Promise<void> {
  for (let waited = 0; isLate(request); waited += LAG_STEP_MS) {
    if (waited >= MAX_LAG_WAIT_MS) throw new RateLimitHit(LAG_RETRY_AFTER_S);
    if (request.res.destroyed) throw new ClientGone();
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

/**
 * Reads the form, in the order of the account. Requests without a body do not wait behind the bodies of their account,
 * or behind changes that wait for delivery.
 */
const readBody: Stage = {
  enter(request) {
    return request.body.type === undefined ? undefined : read(request);
  },

  /** After a failure, drains the rest of a streamed form, which Node would read as the next request. */
  leave({ hasFailed, body }) {
    return hasFailed && body ? body.abandon() : undefined;
  },
};

async function read(request: ApiRequest): Promise<void> {
  const { body, route, treatment } = request;
  if (treatment.arrivesInTurn) await request.turn?.enter();
  request.form = await body.form(route.file);
}

/** Waits for the turn of the account, if it has used much time. */
const takeTurn: Stage = {
  enter({ turn, treatment, route }) {
    if (treatment.takesTurn) return turn?.begin(route.operation);
    turn?.end();
    return undefined;
  },

  leave(request) {
    request.endTurn();
    return undefined;
  },
};

/** Writes the result as JSON and sends it, compressed if it is long. */
const send: Stage = {
  async enter(request) {
    const { context, res, turn, signal, callerKey: caller, result = {} } = request;
    const { unsent, compression } = context;
    const endWork = turn?.beginWork();
    let sending: Promise<void> | undefined;
    try {
      const written = hasLongList(result) ? await withLongListsWritten(result) : result;
      if (!res.destroyed) sending = sendResult(request, written, { unsent, compression, caller, signal });
    } finally {
      endWork?.();
    }
    // Compression does not use the event loop, so others need not wait for it.
    request.endTurn();
    await sending;
  },
};

/** The way of an API request. The response has the first error in this order. */
const STAGES: readonly Stage[] = [route, authenticate, limit, waitForDelivery, readBody, takeTurn, call, send];

/** The stages that a request leaves, the last one first. */
const LEFT = STAGES.filter(({ leave }) => leave).reverse();

/**
 * Answers an API request.
 * @param address `path`: below `/api/v1`; `query`: without the question mark
 */
export async function answerCall(
  context: ListenerContext,
  req: IncomingMessage,
  res: ServerResponse,
  { path, query }: { path: string; query: string },
): Promise<void> {
  const request = new ApiRequest(context, req, res, path, query);
  let failure: unknown;
  try {
    for (const stage of STAGES) {
      const entering = stage.enter(request);
      if (entering) await entering;
      if (request.isAnswered) break;
    }
  } catch (error) {
    request.hasFailed = true;
    failure = error;
  }
  for (const stage of LEFT) {
    const leaving = stage.leave?.(request);
    if (leaving) await leaving;
  }
  if (request.hasFailed) sendFailure(context.transport.engine.logger, request, path, failure);
}

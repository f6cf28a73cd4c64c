import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimitHit } from '../lib/index.ts';
import { ApiRequest, type Stage } from './api-request.ts';
import { ClientGone } from './body-stream.ts';
import { call } from './call.ts';
import type { ListenerContext } from './context.ts';
import { hasLongList, sendFailure, sendResult, withLongListsWritten } from './respond.ts';
import { route } from './route.ts';

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

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiRequest } from './api-request.ts';
import type { ListenerContext } from './context.ts';
import { sendFailure } from './respond.ts';
import { authenticate } from './stages/authenticate.ts';
import { call } from './stages/call.ts';
import { limit } from './stages/limit.ts';
import { readBody } from './stages/read-body.ts';
import { route } from './stages/route.ts';
import { send } from './stages/send.ts';
import type { Stage } from './stages/stage.ts';
import { takeTurn } from './stages/take-turn.ts';
import { waitForDelivery } from './stages/wait-for-delivery.ts';

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

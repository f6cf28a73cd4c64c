import { setTimeout as wait } from 'node:timers/promises';
import { RateLimitHit } from '../../lib/index.ts';
import type { ApiRequest } from '../api-request.ts';
import { ClientGone } from '../body-stream.ts';
import type { Stage } from './stage.ts';

/** Milliseconds by which events may be late before changes wait. */
const MAX_LAG_MS = 1_000;
const LAG_STEP_MS = 50;
const MAX_LAG_WAIT_MS = 5_000;
const LAG_RETRY_AFTER_S = 5;

/**
 * Delivery comes before intake: while events are late, changes wait. Before the stage `takeTurn`, since polls that
 * deliver may need the place.
 */
export const waitForDelivery: Stage = {
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

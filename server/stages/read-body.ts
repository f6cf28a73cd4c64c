import type { ApiRequest } from '../api-request.ts';
import type { Stage } from './stage.ts';

/**
 * Reads the form, in the order of the account. Requests without a body do not wait behind the bodies of their account,
 * or behind changes that wait for delivery.
 */
export const readBody: Stage = {
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

import type { ApiRequest } from '../api-request.ts';

/** A step on the way of a request. */
export interface Stage {
  /** Throws the error of the response. Returns a promise only if the request has to wait. */
  enter(request: ApiRequest): Promise<void> | undefined;
  /** Called for every request at its end, also if it has failed before this stage. */
  leave?(request: ApiRequest): Promise<void> | undefined;
}

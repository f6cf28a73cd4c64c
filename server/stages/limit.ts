import type { Stage } from './stage.ts';

/** Counts the request for its account or network address. Operations may have further limits. */
export const limit: Stage = {
  enter({ context, req, userId, treatment, headers }) {
    if (!treatment.limit) return undefined;
    return context.rateLimits?.take(req, userId, treatment.limit, headers);
  },
};

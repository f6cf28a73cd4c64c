import type { Operation } from '../lib/internal.ts';
import type { ApiRequest, Call } from './api-request.ts';
import { EMAIL_RULES, type RateLimits } from './rate-limits.ts';

type Limit = NonNullable<Operation['limitedBy']>;
type Run = () => Promise<object>;

/** Runs a call with the extra rate limit of its operation. */
export function limited(request: ApiRequest, { values }: Call, limit: Limit, run: Run): Promise<object> {
  const { context, req } = request;
  const { rateLimits } = context;
  if (!rateLimits) return run();
  switch (limit.rule) {
    case 'sign-in':
      return signIn(rateLimits, request, values[limit.account], run);
    case 'own-password':
      return ownPassword(rateLimits, request, values[limit.password], run);
    case 'join':
      return rateLimits.join(req, run);
    default:
      return rateLimits.takeByAddress(req, EMAIL_RULES[limit.rule]).then(run);
  }
}

async function signIn(limits: RateLimits, request: ApiRequest, account: unknown, run: Run): Promise<object> {
  const { context, req, userId } = request;
  if (typeof account === 'string') return limits.signIn(req, account, context.transport, run);
  await limits.take(req, userId);
  return run();
}

/** The password is only given if the request confirms it. */
async function ownPassword(limits: RateLimits, request: ApiRequest, password: unknown, run: Run): Promise<object> {
  const { context, userId } = request;
  return password && userId !== null ? limits.ownPassword(userId, context.transport, run) : run();
}

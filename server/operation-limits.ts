import type { ApiRequest, Call } from './api-request.ts';
import { EMAIL_RULES, type RateLimits } from './rate-limits.ts';

type Run = () => Promise<object>;

/** Runs a call with the extra rate limit of its operation. */
export function limited(request: ApiRequest, { values }: Call, run: Run): Promise<object> {
  const { context, req, route } = request;
  const { rateLimits } = context;
  const { limitedBy } = route.operation;
  if (!rateLimits || !limitedBy) return run();
  switch (limitedBy.rule) {
    case 'sign-in':
      return signIn(rateLimits, request, values[limitedBy.account], run);
    case 'own-password':
      return ownPassword(rateLimits, request, values[limitedBy.password], run);
    case 'join':
      return rateLimits.join(req, run);
    default:
      return rateLimits.takeByAddress(req, EMAIL_RULES[limitedBy.rule]).then(run);
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

import type { Access } from '../../lib/internal.ts';
import type { ApiRequest } from '../api-request.ts';
import { webhookKeyIn } from '../incoming-webhooks.ts';
import type { Stage } from './stage.ts';

/** Finds the account of the request. */
export const authenticate: Stage = {
  enter(request) {
    const { identity, preview, route } = request;
    if (identity) return undefined;
    return identify(request, preview?.kind === 'why' ? 'user' : route.operation.access);
  },
};

export async function identify(request: ApiRequest, access: Access): Promise<void> {
  const { context, req, headers, match, query } = request;
  const webhookKey = match.methods.get('POST')?.operation.incoming && webhookKeyIn(query);
  request.identity = await context.authentication.identify(req, access, headers, webhookKey);
}

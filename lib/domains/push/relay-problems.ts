import type { ChatError } from '../../kernel/errors.ts';
import { AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer } from '../../kernel/push-errors.ts';
import type { PushRelayError } from '../../ports/push-relay.ts';

/** How a call is refused for which the relay could not do its part; whoever runs the server finds more in the log. */
export function refusalFor({ problem }: PushRelayError): ChatError {
  if (problem === 'unreachable') return new FailedToConnectBouncer();
  if (problem === 'failing') return new InternalServerErrorOnBouncer();
  return new AdminActionRequired();
}

import type { PushRelayError } from '../../adapters/push-relay.ts';
import type { ChatError } from '../../kernel/errors.ts';
import { AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer } from '../../kernel/push-errors.ts';

/** The error for the caller if the relay fails. The log contains the details. */
export function refusalFor({ problem }: PushRelayError): ChatError {
  if (problem === 'unreachable') return new FailedToConnectBouncer();
  if (problem === 'failing') return new InternalServerErrorOnBouncer();
  return new AdminActionRequired();
}

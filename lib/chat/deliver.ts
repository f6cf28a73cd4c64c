import { BadRequest } from '../base/errors.ts';
import { catalogue } from '../catalogue.ts';
import type { UserReference } from './accounts.ts';
import type { Operations } from './generated.ts';
import type { AnswerIn } from './methods.ts';
import type { OperationName, ParametersOf, Session } from './session.ts';

/** Operations that accept an `idempotency_key`. */
export type DeliverableName = {
  [N in OperationName]: 'idempotency_key' extends keyof NonNullable<ParametersOf<N>[0]> ? N : never;
}[OperationName];

/** A call that your program keeps in a table of its own until the chat has made it. */
export type Delivery<N extends DeliverableName = DeliverableName> = N extends DeliverableName ? StoredCall<N> : never;

/** A call of one operation, for `chat.deliver`. */
export interface StoredCall<N extends DeliverableName> {
  /** Identifies the call: 1 to 255 characters, for example `orders 7`. */
  key: string;
  /** The account that makes the call. Default: `chat.system()`. */
  user?: UserReference | null;
  /** An operation that accepts an `idempotency_key`, for example `messages.send`. */
  operation: N;
  /** Its parameters, without `idempotency_key`. */
  parameters: Omit<NonNullable<ParametersOf<N>[0]>, 'idempotency_key'>;
}

/** The answer of a delivered call: that of its operation. */
export type DeliveryAnswer<N extends DeliverableName> = AnswerIn<Operations, N>;

/** @param sessionOf the session of the account, or of the system */
export async function deliver<N extends DeliverableName>(
  sessionOf: (user: UserReference | null | undefined) => Session,
  { key, user, operation, parameters }: StoredCall<N>,
): Promise<DeliveryAnswer<N>> {
  const found = catalogue.find(({ name, params }) => name === operation && 'idempotency_key' in params);
  if (!found)
    throw new BadRequest(`chat.deliver needs an operation that accepts an idempotency_key, not ${operation}.`);
  // Without a key, each delivery would make the call again. Rows of a table have no types.
  if (typeof key !== 'string') throw new BadRequest('chat.deliver needs a key, for example the ID of the row.');
  const [group = '', action = ''] = found.name.split('.');
  const session = sessionOf(user) as unknown as Record<string, Record<string, (given: object) => unknown>>;
  return session[group]?.[action]?.({ ...parameters, idempotency_key: key }) as Promise<DeliveryAnswer<N>>;
}

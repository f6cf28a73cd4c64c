import type * as v from 'valibot';
import { usersByAddress } from '../../../access/users.ts';
import type { ReadContext } from '../../../kernel/context.ts';

import type { EventQueue, User } from '../../../storage/storage.ts';
import type { narrowParam } from '../../messages/narrow.ts';
import { readQueueNarrow } from '../../messages/queue-narrow.ts';

const OF_PEOPLE: ReadonlySet<string> = new Set(['dm', 'pm-with', 'dm-including', 'group-pm-with', 'sender', 'from']);

/** A queue's narrow as it is kept: pairs of texts, and people by ID, since a message event has one address of each. */
export async function queueNarrow(
  scope: ReadContext,
  reader: User,
  given: v.InferOutput<typeof narrowParam>,
): Promise<EventQueue['narrow']> {
  const narrow = given.map((term): EventQueue['narrow'][number] => {
    const [operator, operand, negated] = Array.isArray(term) ? term : [term.operator, term.operand, term.negated];
    const pair = [operator.toLowerCase(), String(operand)] as const;
    return negated === true ? [...pair, true] : [...pair];
  });
  readQueueNarrow(narrow);
  const written = narrow.flatMap(([operator, operand]) => (OF_PEOPLE.has(operator) ? people(operand) : []));
  const addresses = written.filter((one) => one.includes('@'));
  if (addresses.length === 0) return narrow;
  const users = await usersByAddress(scope, reader, addresses);
  const byId = (address: string) => users.get(address)?.id ?? address;
  return narrow.map(([operator, operand, ...negated]) =>
    OF_PEOPLE.has(operator)
      ? [operator, people(operand).map(byId).join(','), ...negated]
      : [operator, operand, ...negated],
  );
}

function people(operand: string): string[] {
  return operand.split(',').map((one) => one.trim());
}

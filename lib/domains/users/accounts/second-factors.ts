import * as v from 'valibot';
import { falseByDefault, optional } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { isAdministrator, isBot } from '../../../rules/roles.ts';
import type { TransactionContext } from '../../../viewer/context.ts';

/** Strict clients refuse fields that they do not know, so they get the field only on request. */
export const secondFactorParams = {
  include_second_factor: falseByDefault('Include `has_second_factor`. Only administrators get it.'),
};

/** For the result of an operation that shows accounts to administrators. Events and the initial state do not have it. */
export const secondFactorEntries = {
  has_second_factor: optional(
    v.boolean(),
    'Whether logins with a password need a code. Only with `include_second_factor`, and absent for bots.',
  ),
};

/** The field for each of these accounts. undefined: the caller does not get it. */
export async function secondFactorsFor(
  { tx, actor }: Pick<TransactionContext<'spectator'>, 'tx' | 'actor'>,
  users: readonly User[],
): Promise<((user: User) => { has_second_factor?: boolean }) | undefined> {
  if (!actor || !isAdministrator(actor)) return undefined;
  const holders = new Set(await tx.secondFactors.holders(users.map(({ id }) => id)));
  return (user) => (isBot(user) ? {} : { has_second_factor: holders.has(user.id) });
}

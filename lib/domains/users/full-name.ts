import type { TransactionContext } from '../../kernel/context.ts';
import { BadRequest } from '../../kernel/errors.ts';

import { nameKey } from '../../rules/names.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';

/** Refuses a name that somebody else has, where the organization wants names to be unique. */
export async function checkNameIsFree(
  { tx, organization }: Pick<TransactionContext, 'tx' | 'organization'>,
  name: string,
  holder?: number,
): Promise<void> {
  if (!organizationSetting(organization, 'require_unique_names')) return;
  const key = nameKey(name);
  const users = await tx.users.changedSince(0);
  if (users.some((user) => user.id !== holder && nameKey(user.full_name) === key))
    throw new BadRequest(`The name "${name}" is taken.`);
}

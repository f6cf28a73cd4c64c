import * as v from 'valibot';
import { accountCreated, groupMembersAdded } from '../../../access/events.ts';
import { userObject } from '../../../access/user-view.ts';
import { restrictedGuests, storedAccount } from '../../../access/user-visibility.ts';
import { areGuestsRestricted } from '../../../access/users.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { directRoleGroupIds } from '../../../rules/membership.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import type { User } from '../../../storage/interface/users.ts';

export const accountUpdated = defineEvent('realm_user/update', {
  summary: 'Something of an account changed: its id and what is new.',
  fields: { person: v.object({ ...v.partial(userObject).entries, user_id: v.number() }) },
});

/** Tells of a new account, and of the role groups it is in. The log keeps its real address; each reader gets what they may see. */
export function emitAccountCreated(
  { organization, now, emit }: Pick<WriteContext, 'organization' | 'now' | 'emit'>,
  user: User,
): void {
  const account = storedAccount(user, organization);
  const isHidden = areGuestsRestricted(organization) && !isBot(user);
  emit({ scope: 'everyone' }, accountCreated(isHidden ? { ...account, hiddenFromGuests: true } : account));
  for (const group_id of directRoleGroupIds(user, organization, now)) {
    emit({ scope: 'everyone' }, groupMembersAdded({ group_id, user_ids: [user.id] }));
  }
}

/** Tells whoever sees the account what changed of it. */
export async function emitAccountUpdated(
  context: WriteContext,
  account: User,
  change: Omit<Parameters<typeof accountUpdated>[0]['person'], 'user_id'>,
): Promise<void> {
  context.emit(await accountAudience(context, account), accountUpdated({ person: { user_id: account.id, ...change } }));
}

/** Everybody, unless guests are kept from seeing people they have nothing to do with. */
async function accountAudience(context: WriteContext, account: User): Promise<Audience> {
  if (isBot(account) || !areGuestsRestricted(context.organization)) return { scope: 'everyone' };
  const acquainted = await context.tx.acquaintances.between(await restrictedGuests(context), [account.id]);
  return { scope: 'members', users: [account.id, ...acquainted.map(({ guest_id }) => guest_id)] };
}

import * as v from 'valibot';
import { avatarUrl } from '../../../access/avatars.ts';
import { accountCreated } from '../../../access/events.ts';
import { profileValue } from '../../../access/profile-data.ts';
import { roleSeesEmail, userObject } from '../../../access/user-view.ts';
import { restrictedGuests, storedAccount } from '../../../access/user-visibility.ts';
import { areGuestsRestricted } from '../../../access/users.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { EmailVisibility, User } from '../../../storage/interface/users.ts';
import { emitRoleMembers } from '../../user-groups/account-memberships.ts';

const changedPerson = v.object({
  ...v.partial(userObject).entries,
  user_id: v.number(),
  avatar_source: v.optional(describe(v.picklist(['U', 'G', 'J']), 'Uploaded, at Gravatar, generated.')),
  avatar_url_medium: v.optional(v.string()),
  custom_profile_field: v.optional(
    describe(
      v.object({
        id: v.number(),
        value: v.nullable(profileValue.entries.value),
        rendered_value: profileValue.entries.rendered_value,
      }),
      'What the person has in one field now; null: nothing.',
    ),
  ),
  new_email: describe(v.optional(v.string()), 'The API address that the account has from now on.'),
});

type PersonChange = v.InferOutput<typeof changedPerson>;

/** What changed, as the log keeps it: with `email_visibility` where it tells of the real address. */
export interface StoredChange {
  person: PersonChange;
  email_visibility?: EmailVisibility;
}

export const accountUpdated = defineEvent('realm_user/update', {
  summary: 'Something of an account changed: its id and what is new.',
  fields: { person: changedPerson },
  /** The log keeps the real address, with who may see it; each reader gets what they may see by then. */
  forClient({ person, email_visibility }: StoredChange, { reader, options }) {
    if (email_visibility === undefined) return { person };
    const isVisible = reader.id === person.user_id || roleSeesEmail(email_visibility, reader.role);
    if (!isVisible)
      return { person: person.delivery_email === undefined ? person : { ...person, delivery_email: null } };
    const isTheirsToCompute = options.client_gravatar && person.avatar_url !== undefined;
    return { person: isTheirsToCompute ? { ...person, avatar_url: null } : person };
  },
});

/** Tells of new accounts. The log keeps their real addresses; each reader gets what they may see. */
export function emitAccountsCreated(
  context: Pick<WriteContext, 'organization' | 'now' | 'emit'>,
  users: readonly User[],
) {
  const { organization, emit } = context;
  for (const user of users) {
    const account = storedAccount(user, organization);
    const isHidden = areGuestsRestricted(organization) && !isBot(user);
    emit({ scope: 'everyone' }, accountCreated(isHidden ? { ...account, hiddenFromGuests: true } : account));
  }
  emitRoleMembers(context, users);
}

/** Tells whoever sees the account what changed of it, each change in an event of its own. */
export async function emitAccountUpdated(
  context: WriteContext,
  account: User,
  ...changes: readonly Omit<PersonChange, 'user_id'>[]
): Promise<void> {
  const audience = await accountAudience(context, account);
  for (const change of changes) {
    context.emit(audience, accountUpdated({ person: { user_id: account.id, ...change } }));
  }
}

/** The real address of an account, for each reader who may see it by then, with the picture that follows from it. */
export function addressShown(account: User, organization: Organization) {
  const { id: user_id, delivery_email, avatar_version, email_visibility } = account;
  const picture = account.avatar_source === 'G' ? { avatar_url: avatarUrl(account, organization), avatar_version } : {};
  return accountUpdated({ person: { user_id, delivery_email, ...picture }, email_visibility });
}

/** Everybody, unless guests are kept from seeing people they have nothing to do with. */
export async function accountAudience(
  context: Pick<WriteContext, 'tx' | 'organization'>,
  account: User,
): Promise<Audience> {
  if (isBot(account) || !areGuestsRestricted(context.organization)) return { scope: 'everyone' };
  const acquainted = await context.tx.acquaintances.between(await restrictedGuests(context), [account.id]);
  return { scope: 'members', users: [account.id, ...acquainted.map(({ guest_id }) => guest_id)] };
}

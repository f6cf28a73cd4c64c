import * as v from 'valibot';
import { roleSeesEmail, type UserObject, userObject, userView } from '../../../access/user-view.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { systemGroupId } from '../../../rules/system-groups.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { EmailVisibility, User } from '../../../storage/interface/users.ts';

/** A new account as the log keeps it: with the real address and who may see it. */
export interface StoredAccount {
  person: UserObject & { email_visibility: EmailVisibility };
}

export const accountCreated = defineEvent('realm_user/add', {
  summary: 'An account was created.',
  fields: { person: userObject },
  forClient({ person: { email_visibility, ...person } }: StoredAccount, { reader, options }) {
    const isVisible = person.is_bot || person.user_id === reader.id || roleSeesEmail(email_visibility, reader.role);
    const hasGravatar = String(person.avatar_url).includes('//secure.gravatar.com/');
    return {
      person: {
        ...person,
        ...(isVisible ? {} : { delivery_email: null }),
        ...(isVisible && options.client_gravatar && hasGravatar ? { avatar_url: null } : {}),
      },
    };
  },
});

export const accountUpdated = defineEvent('realm_user/update', {
  summary: 'Something of an account changed: its id and what is new.',
  fields: { person: v.object({ ...v.partial(userObject).entries, user_id: v.number() }) },
});

/** Tells of a new account. The log keeps its real address; each reader gets what they may see. */
export function emitAccountCreated(context: Pick<WriteContext, 'organization' | 'emit'>, user: User): void {
  const { organization, emit } = context;
  const options = { client_gravatar: false, include_custom_profile_fields: true };
  const person = { ...userView(user, user, organization, options), email_visibility: user.email_visibility };
  emit(accountAudience(organization), accountCreated({ person }));
}

/** Tells what changed of an account. */
export function emitAccountUpdated(
  { organization, emit }: Pick<WriteContext, 'organization' | 'emit'>,
  person: Parameters<typeof accountUpdated>[0]['person'],
): void {
  emit(accountAudience(organization), accountUpdated({ person }));
}

/** Everybody, unless guests are kept from seeing people they do not know. */
function accountAudience(organization: Organization): Audience {
  const open = organizationPermission(organization, 'can_access_all_users_group') === systemGroupId('role:everyone');
  return { scope: open ? 'everyone' : 'members' };
}

import * as v from 'valibot';
import { roleSeesEmail, type UserObject, userObject } from '../../../access/user-view.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import type { EmailVisibility } from '../../../storage/storage.ts';

/** As the log keeps it: with the real address and who may see it. */
interface StoredAccount {
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

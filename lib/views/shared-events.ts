import * as v from 'valibot';
import { describe, optional } from '../base/schemas.ts';
import { defineEvent, type EventClient } from '../events/define-event.ts';
import type { EmailVisibility } from '../model/users.ts';
import { isGuest } from '../rules/roles.ts';
import { roleSeesEmail, UNKNOWN_NAME, type UserObject, unknownUserView, userObject } from './user-view.ts';

/* Events that several domains send when the set of visible objects changes. */

/** An account as the log stores it: with the real address and its visibility. */
export interface StoredAccount {
  person: UserObject & { email_visibility: EmailVisibility };
  /** Restricted guests get a placeholder account with only the ID. */
  hiddenFromGuests?: true;
}

export const accountCreated = defineEvent('realm_user/add', {
  summary:
    'An account was created, or the reader can see it now. It then replaces the placeholder account with this ID.',
  fields: { person: userObject },
  inRooms: ({ person }: StoredAccount, { users }) => users.has(person.user_id),
  forClient({ person: stored, hiddenFromGuests }: StoredAccount, { reader, options, organization }) {
    const { email_visibility, ...person } = stored;
    if (hiddenFromGuests && isGuest(reader) && reader.id !== person.user_id) {
      if (options.client_capabilities.user_list_incomplete) return [];
      const view = { client_gravatar: options.client_gravatar, include_custom_profile_fields: true };
      return { person: unknownUserView({ organization }, { id: person.user_id }, view) };
    }
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

export const accountHidden = defineEvent('realm_user/remove', {
  summary: 'The reader can no longer see an account. It is replaced by a placeholder account or removed.',
  fields: {
    person: v.object({
      user_id: v.number(),
      full_name: describe(v.literal(UNKNOWN_NAME), 'Name of the placeholder account.'),
    }),
  },
});

export const channelUpdated = defineEvent('stream/update', {
  summary: 'A property of a channel changed.',
  inRooms: ({ stream_id }, { channels }) => channels.has(stream_id),
  fields: {
    stream_id: v.number(),
    name: describe(v.string(), 'Name of the channel; the old name if the name changed.'),
    property: describe(v.string(), 'Name of the changed property.'),
    value: v.unknown(),
    rendered_description: optional(v.string(), 'With the property `description`.'),
    history_public_to_subscribers: optional(v.boolean(), 'With the property `invite_only`.'),
    is_web_public: optional(v.boolean(), 'With the property `invite_only`.'),
  },
});

type GroupMembers = { group_id: number; user_ids: number[] };

const groupMembers = { group_id: v.number(), user_ids: v.array(v.number()) };

export const groupMembersAdded = defineEvent('user_group/add_members', {
  summary: 'Users became direct members of a group, or members were reactivated.',
  fields: groupMembers,
  forClient: ifGroupShown<GroupMembers>,
});

export const groupMembersRemoved = defineEvent('user_group/remove_members', {
  summary: 'Users were removed as direct members of a group, or members were deactivated.',
  fields: groupMembers,
  forClient: ifGroupShown<GroupMembers>,
});

/** Events of deactivated groups are only for clients that support deactivated groups. */
export interface GroupShown {
  ofDeactivated?: true | undefined;
}

export function ifGroupShown<F extends object>({ ofDeactivated, ...fields }: F & GroupShown, { options }: EventClient) {
  return ofDeactivated && !options.client_capabilities.include_deactivated_groups ? [] : (fields as unknown as F);
}

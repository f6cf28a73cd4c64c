import * as v from 'valibot';
import { choice, describe, flag, id, integer, list, text } from '../../../kernel/schemas.ts';
import { MEMBER, ROLES } from '../../../rules/roles.ts';

/** A new account joins all of them in one transaction. */
const MAX_CHANNELS = 1_000;
const MAX_GROUPS = 100;
/** About 4,000 years: the largest 32-bit integer. */
const MAX_MINUTES = 2_147_483_647;
export const MAX_WELCOME_LENGTH = 8_000;

export const groupIds = v.optional(
  describe(list(id, MAX_GROUPS), 'User groups to join. You need permission to add members to them.'),
  [],
);
export const includeDefaultChannels = v.optional(
  describe(flag, 'Also subscribe to the channels that are default channels at the time of joining.'),
  false,
);
export const inviteAs = v.optional(
  describe(choice(ROLES), 'Role of the new account. It cannot be more powerful than yours.'),
  MEMBER,
);
export const expiresInMinutes = v.optional(
  describe(
    v.nullable(v.pipe(integer, v.minValue(1, 'must be at least 1'), v.maxValue(MAX_MINUTES, 'is too large'))),
    'null: never expires. Default: as configured on the server, usually 14400 (10 days).',
  ),
);
export const streamIds = describe(
  list(id, MAX_CHANNELS),
  'Channels to subscribe to: default channels, or channels to which you can add subscribers.',
);
export const welcomeText = v.optional(
  describe(
    v.nullable(text(MAX_WELCOME_LENGTH)),
    'Message from the welcome bot; administrators only. null: the default message of the organization. Empty: no message.',
  ),
  null,
);

/** The parameters that `invites.send` and `invites.createMultiuse` share. */
export interface GivenOffer {
  group_ids: number[];
  include_realm_default_subscriptions: boolean;
  invite_as: (typeof ROLES)[number];
  invite_expires_in_minutes?: number | null | undefined;
  stream_ids: number[];
  welcome_message_custom_text: string | null;
}

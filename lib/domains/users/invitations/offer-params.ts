import * as v from 'valibot';
import { choice, describe, flag, id, integer, list, text } from '../../../kernel/schemas.ts';
import { MEMBER, ROLES } from '../../../rules/roles.ts';

/** Whoever accepts joins them in one transaction. */
const MAX_CHANNELS = 1_000;
const MAX_GROUPS = 100;
/** Some four thousand years: what 32 bits hold. */
const MAX_MINUTES = 2_147_483_647;
export const MAX_WELCOME_LENGTH = 8_000;

export const groupIds = v.optional(
  describe(list(id, MAX_GROUPS), 'User groups to join; you must be allowed to add people to them.'),
  [],
);
export const includeDefaultChannels = v.optional(
  describe(flag, 'Whether to subscribe to the default channels, as they are by then.'),
  false,
);
export const inviteAs = v.optional(
  describe(choice(ROLES), 'Role of the new account: as powerful as yours at most.'),
  MEMBER,
);
export const expiresInMinutes = v.optional(
  describe(
    v.nullable(v.pipe(integer, v.minValue(1, 'must be at least 1'), v.maxValue(MAX_MINUTES, 'is too large'))),
    'null: never. When absent, as the server is configured; 10 days unless it says otherwise.',
  ),
);
export const streamIds = describe(
  list(id, MAX_CHANNELS),
  'Channels to subscribe to: default channels, or such to which you may add subscribers.',
);
export const welcomeText = v.optional(
  describe(
    v.nullable(text(MAX_WELCOME_LENGTH)),
    'What the welcome bot writes, from administrators alone. null: what the organization has for everybody; empty: nothing.',
  ),
  null,
);

/** What an operation is given for an offer, whatever the order of its parameters. */
export interface GivenOffer {
  group_ids: number[];
  include_realm_default_subscriptions: boolean;
  invite_as: (typeof ROLES)[number];
  invite_expires_in_minutes?: number | null | undefined;
  stream_ids: number[];
  welcome_message_custom_text: string | null;
}

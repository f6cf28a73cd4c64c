import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import {
  between,
  choice,
  describe,
  falseByDefault,
  id,
  list,
  optional,
  text,
  type ValuesOf,
} from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import { hasContentAccess, mayAddSubscribersHere } from '../../../rules/channels.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { hasPermission, type Membership } from '../../../rules/permissions.ts';
import { isAdministrator, MEMBER, ROLES, roleName, withArticle } from '../../../rules/roles.ts';
import type { Invitation } from '../../../storage/interface/invitations.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import type { AccountContext, ReadContext } from '../../../viewer/context.ts';
import { viewerOf } from '../../../viewer/viewer.ts';
import { hasGroupPermission } from '../../user-groups/group.ts';

const MINUTE_MS = 60_000;
/** In bytes. */
const SEED_LENGTH = 16;

/** Input for the keys of invitations. Useless without the organization's secret. */
const newSeed = () => randomBytes(SEED_LENGTH).toString('hex');

export async function planOffer(context: AccountContext, given: OfferParams, { isForMany }: { isForMany: boolean }) {
  const { actor, now, services } = context;
  if (!(await mayInvite(context, actor, { isForMany }))) {
    throw new BadRequest(`You are not allowed to ${isForMany ? 'create invitation links' : 'invite people'}.`);
  }
  const { invite_as } = given;
  if (!mayInviteAs(actor, { invited_as: invite_as })) {
    throw new BadRequest(`As ${withArticle(actor.role)} you cannot invite people as ${roleName(invite_as)}.`);
  }
  await checkConfirmed(context, invite_as);
  await checkChannels(context, given.stream_ids);
  await checkGroups(context, given.group_ids);
  const { invite_expires_in_minutes: minutes = services.options.invitationMinutes } = given;
  return {
    invited_by_user_id: actor.id,
    seed: newSeed(),
    invited_as: invite_as,
    stream_ids: [...new Set(given.stream_ids)],
    group_ids: [...new Set(given.group_ids)],
    include_realm_default_subscriptions: given.include_realm_default_subscriptions,
    notify_referrer_on_join: false,
    welcome_message_custom_text: isAdministrator(actor) ? given.welcome_message_custom_text : null,
    created_ms: now,
    expires_ms: minutes === null ? null : now + minutes * MINUTE_MS,
  };
}

async function checkChannels(context: AccountContext, ids: readonly number[]): Promise<void> {
  for (const { id, channel, mayGive } of await wantedChannels(context, context.actor, ids)) {
    if (!channel)
      throw new BadRequest(`There is no channel with ID ${id} that you can access. No invitations were created.`);
    if (!mayGive) {
      throw new BadRequest(`You cannot subscribe others to "${channel.name}". No invitations were created.`);
    }
  }
}

async function checkGroups(context: AccountContext, ids: readonly number[]): Promise<void> {
  for (const { id, group, mayGive } of await wantedGroups(context, context.actor, ids)) {
    if (!group)
      throw new BadRequest(`There is no user group with ID ${id} that people can join. No invitations were created.`);
    if (!mayGive) {
      throw new BadRequest(`You cannot add people to the group "${group.name}". No invitations were created.`);
    }
  }
}

/** A new account joins all of them in one transaction. */
const MAX_CHANNELS = 1_000;
const MAX_GROUPS = 100;
/** About 4,000 years: the largest 32-bit integer. */
const MAX_MINUTES = 2_147_483_647;
export const MAX_WELCOME_LENGTH = 8_000;

export const offerParams = {
  code: confirmationCode,
  group_ids: optional(list(id, MAX_GROUPS), 'User groups to join. You need permission to add members to them.', []),
  include_realm_default_subscriptions: falseByDefault('Also subscribe to the default channels when joining.'),
  invite_as: optional(choice(ROLES), 'Role of the new account. It cannot be more powerful than yours.', MEMBER),
  invite_expires_in_minutes: optional(v.nullable(between(1, MAX_MINUTES)), 'null: never. Default: usually 10 days.'),
  stream_ids: describe(list(id, MAX_CHANNELS), 'Default channels, or channels to which you can add subscribers.'),
  welcome_message_custom_text: optional(
    v.nullable(text(MAX_WELCOME_LENGTH)),
    'Message from the welcome bot; administrators only. null: the default message of the organization. Empty: no message.',
    null,
  ),
};

type OfferParams = Omit<ValuesOf<typeof offerParams>, 'code'>;

/** Whether a user may invite by e-mail or, if `isForMany`, create multi-use links. */
export function mayInvite(context: ReadContext, inviter: User, { isForMany }: { isForMany: boolean }) {
  return viewerOf(context, inviter).may(isForMany ? 'create_multiuse_invite_group' : 'can_invite_users_group');
}

/** Lower numbers are more powerful roles. A user cannot invite to a role above their own. */
export function mayInviteAs(inviter: User, { invited_as }: Pick<Invitation, 'invited_as'>): boolean {
  return invited_as >= inviter.role;
}

/**
 * For each channel that the inviter can read: whether the inviter may subscribe others to it, or it is a default channel.
 * Default channels need the permission to subscribe others to at least one channel.
 */
export async function wantedChannels(context: ReadContext, inviter: User, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const found = (await context.tx.channels.byIds([...new Set(ids)])).filter((channel) => !channel.is_archived);
  const { known, membership } = await viewerOf(context, inviter).knownChannels(found);
  const readable = new Map(known.filter(({ readable }) => readable).map(({ channel }) => [channel.id, channel]));
  const everywhere = organizationPermission(context.organization, 'can_add_subscribers_group');
  const mayAddAnywhere =
    isAdministrator(inviter) ||
    hasPermission(everywhere, membership, { guests: false, setting: 'can_add_subscribers_group' });
  const mayAdd = (channel: Channel) => mayAddAnywhere || mayAddSubscribersHere(channel, membership);
  const addable = new Set([...readable.values()].filter(mayAdd).map(({ id }) => id));
  const isAnyOnlyDefault = [...readable.values()].some(({ id, is_default }) => is_default && !addable.has(id));
  const mayGiveDefaults = addable.size > 0 || (isAnyOnlyDefault && (await mayAddSomewhere(context, membership)));
  return ids.map((id) => {
    const channel = readable.get(id);
    const mayGive = channel !== undefined && (addable.has(id) || (channel.is_default && mayGiveDefaults));
    return { id, channel, mayGive };
  });
}

/** Whether the settings of any channel allow the user to subscribe others to it. */
async function mayAddSomewhere({ tx }: ReadContext, membership: Membership): Promise<boolean> {
  const { id } = membership.user;
  const channels = (await tx.channels.naming([id])).filter(
    (channel) => !channel.is_archived && mayAddSubscribersHere(channel, membership),
  );
  if (channels.length === 0) return false;
  const subscribed = new Set((await tx.subscriptions.byChannel([id])).keys());
  return channels.some((channel) =>
    hasContentAccess(channel, membership, { isSubscribed: subscribed.has(channel.id) }),
  );
}

/** For each active group that is not a system group: whether the inviter may add members to it. */
export async function wantedGroups(context: ReadContext, inviter: User, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const membership = await viewerOf(context, inviter).membership();
  const found = await context.tx.groups.heads([...new Set(ids)]);
  const open = found.filter((group) => !group.is_system_group && !group.deactivated);
  const groups = new Map(open.map((group) => [group.id, group]));
  return ids.map((id) => {
    const group = groups.get(id);
    const mayGive =
      group !== undefined && hasGroupPermission(context.organization, group, membership, ['can_add_members_group']);
    return { id, group, mayGive };
  });
}

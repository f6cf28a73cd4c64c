import type { ReadContext, TransactionContext } from '../../../kernel/context.ts';
import { type InvitationProblem, InvitationUnusable } from '../../../kernel/errors.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { GroupHead } from '../../../storage/interface/groups.ts';
import type { Invitation } from '../../../storage/interface/invitations.ts';
import type { User } from '../../../storage/interface/users.ts';
import { defaultChannelIds } from '../../channels/default-channels.ts';
import { ADDRESS_LINK_HOURS, endOf, isAddressKey } from './address-key.ts';
import { mayInvite, mayInviteAs, wantedChannels, wantedGroups } from './invite-permissions.ts';
import { findInvitation, hashOfKey } from './links.ts';

export const invitationKeyParam = describe(text(100), 'The last part of the invitation link.');

/** What an invitation gives if it is accepted now. */
export interface ValidInvitation {
  invitation: Invitation;
  /** When the link expires; null: never. */
  expires_ms: number | null;
  /** Address of the account: invited or confirmed. null: not known yet. */
  email: string | null;
  inviter: User;
  channels: Channel[];
  groups: GroupHead[];
}

/** Why an invitation has ended. Does not check what its inviter may still give. */
export function problemOf(invitation: Invitation, now: number): InvitationProblem | undefined {
  if (invitation.ended === 'accepted') return 'used';
  if (invitation.ended === 'revoked') return 'revoked';
  return invitation.expires_ms !== null && invitation.expires_ms <= now ? 'expired' : undefined;
}

/**
 * What the invitation with this key gives now. Leaves out channels and groups that the inviter can no longer give.
 * @throws InvitationUnusable if the invitation cannot be accepted
 */
export async function accessValidInvitation(
  context: ReadContext & Pick<TransactionContext, 'confirmedEmail'>,
  given: string,
): Promise<ValidInvitation> {
  const key = given.trim();
  if (isAddressKey(key)) return offerOfAddress(context, key);
  const invitation = await findInvitation(context, key);
  if (!invitation) throw new InvitationUnusable('unknown');
  const { confirmedEmail } = context;
  const email = invitation.email ?? confirmedEmail?.trim() ?? null;
  return findValidInvitation(context, invitation, email);
}

/** For a link that was sent to confirm an address. */
async function offerOfAddress(context: ReadContext, key: string): Promise<ValidInvitation> {
  const { tx, now } = context;
  const proof = await tx.emailVerifications.byKeyHash(hashOfKey(key));
  const invitation = proof && (await tx.invitations.byId(proof.invitation_id));
  if (!invitation) throw new InvitationUnusable('unknown');
  if (proof.is_used) throw new InvitationUnusable('used');
  if (now >= endOf(proof)) {
    throw new InvitationUnusable(
      'expired',
      `This link has expired after ${ADDRESS_LINK_HOURS} hours. Open the invitation again to get a new link.`,
    );
  }
  const offer = await findValidInvitation(context, invitation, proof.email);
  return { ...offer, expires_ms: Math.min(endOf(proof), offer.expires_ms ?? Number.POSITIVE_INFINITY) };
}

/** @throws InvitationUnusable if the invitation cannot be accepted */
export async function findValidInvitation(
  context: ReadContext,
  invitation: Invitation,
  email: string | null,
): Promise<ValidInvitation> {
  const { tx, now } = context;
  const problem = problemOf(invitation, now);
  if (problem) throw new InvitationUnusable(problem);
  const inviter = await tx.users.byId(invitation.invited_by_user_id);
  if (!inviter || !(await mayStillInvite(context, inviter, invitation))) throw new InvitationUnusable('revoked');
  const channels = await wantedChannels(context, inviter, invitation.stream_ids);
  const given = new Map(channels.flatMap(({ id, channel, mayGive }) => (channel && mayGive ? [[id, channel]] : [])));
  if (invitation.include_realm_default_subscriptions) {
    for (const channel of await tx.channels.byIds(await defaultChannelIds(context))) given.set(channel.id, channel);
  }
  const groups = await wantedGroups(context, inviter, invitation.group_ids);
  return {
    invitation,
    expires_ms: invitation.expires_ms,
    email,
    inviter,
    channels: [...given.values()],
    groups: groups.flatMap(({ group, mayGive }) => (group && mayGive ? [group] : [])),
  };
}

async function mayStillInvite(context: ReadContext, inviter: User, invitation: Invitation): Promise<boolean> {
  if (!inviter.is_active || !mayInviteAs(inviter, invitation)) return false;
  return mayInvite(context, inviter, invitation.email === null);
}

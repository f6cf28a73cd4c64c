import type { ReadContext } from '../../../kernel/context.ts';
import { type InvitationProblem, InvitationUnusable } from '../../../kernel/errors.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { GroupHead } from '../../../storage/interface/groups.ts';
import type { Invitation } from '../../../storage/interface/invitations.ts';
import type { User } from '../../../storage/interface/users.ts';
import { defaultChannelIds } from '../../channels/default-channels.ts';
import { mayInvite, mayInviteAs, wantedChannels, wantedGroups } from './giving.ts';
import { hashOfKey } from './links.ts';

export const invitationKeyParam = describe(text(100), 'What its link ends in.');

/** What whoever accepts gets at this moment. */
export interface StandingOffer {
  invitation: Invitation;
  inviter: User;
  channels: Channel[];
  groups: GroupHead[];
}

/** Why an invitation is open no more, as far as it says so itself. */
export function problemOf(invitation: Invitation, now: number): InvitationProblem | undefined {
  if (invitation.ended === 'accepted') return 'used';
  if (invitation.ended === 'revoked') return 'revoked';
  return invitation.expires_ms !== null && invitation.expires_ms <= now ? 'expired' : undefined;
}

/**
 * What the invitation with this key gives: never more than its inviter could give when it was sent, nor more
 * than they could now. What they cannot give any more is left out.
 * @throws InvitationUnusable where it lets nobody in
 */
export async function accessOffer(context: ReadContext, key: string): Promise<StandingOffer> {
  const { tx, now } = context;
  const invitation = await tx.invitations.byKeyHash(hashOfKey(key.trim()));
  if (!invitation) throw new InvitationUnusable('unknown');
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
    inviter,
    channels: [...given.values()],
    groups: groups.flatMap(({ group, mayGive }) => (group && mayGive ? [group] : [])),
  };
}

async function mayStillInvite(context: ReadContext, inviter: User, invitation: Invitation): Promise<boolean> {
  if (!inviter.is_active || !mayInviteAs(inviter, invitation)) return false;
  return mayInvite(context, inviter, invitation.email === null);
}

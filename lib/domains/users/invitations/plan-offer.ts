import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { isAdministrator, roleName, withArticle } from '../../../rules/roles.ts';
import type { InvitationOffer } from '../../../storage/interface/invitations.ts';
import { mayInvite, mayInviteAs, wantedChannels, wantedGroups } from './invite-permissions.ts';
import { newSeed } from './links.ts';
import type { GivenOffer } from './offer-params.ts';

const MINUTE_MS = 60_000;

/**
 * Validates the offer of an invitation; writes nothing.
 * @throws BadRequest if the caller may not invite, or may not give a part of the offer
 */
export async function planOffer(
  context: AccountContext,
  given: GivenOffer,
  { isForMany }: { isForMany: boolean },
): Promise<InvitationOffer> {
  const { actor, now, services } = context;
  if (!(await mayInvite(context, actor, isForMany))) {
    throw new BadRequest(
      isForMany ? 'You are not allowed to create invitation links.' : 'You are not allowed to invite people.',
    );
  }
  const { invite_as } = given;
  if (!mayInviteAs(actor, { invited_as: invite_as })) {
    throw new BadRequest(`As ${withArticle(actor.role)} you cannot invite people as ${roleName(invite_as)}.`);
  }
  await checkChannels(context, given.stream_ids);
  await checkGroups(context, given.group_ids);
  const minutes =
    given.invite_expires_in_minutes === undefined
      ? services.options.invitationMinutes
      : given.invite_expires_in_minutes;
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
      throw new BadRequest(
        `You are not allowed to subscribe others to "${channel.name}". No invitations were created.`,
      );
    }
  }
}

async function checkGroups(context: AccountContext, ids: readonly number[]): Promise<void> {
  for (const { id, group, mayGive } of await wantedGroups(context, context.actor, ids)) {
    if (!group)
      throw new BadRequest(`There is no user group with ID ${id} that people can join. No invitations were created.`);
    if (!mayGive) {
      throw new BadRequest(
        `You are not allowed to add people to the group "${group.name}". No invitations were created.`,
      );
    }
  }
}

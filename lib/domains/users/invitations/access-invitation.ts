import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { isAdministrator, isOwner, OWNER } from '../../../rules/roles.ts';
import type { Invitation, InvitationOffer } from '../../../storage/interface/invitations.ts';
import type { User } from '../../../storage/interface/users.ts';
import { problemOf } from './standing-offer.ts';

/**
 * The pending invitation, of the caller's own or anybody's for administrators; the link for many where `isForMany`.
 * @throws BadRequest where there is none, and in the same words where it is somebody else's
 * @throws UnauthorizedPrincipal for an invitation to be an owner, where the caller is none
 */
export async function accessInvitation(
  { tx, actor, now }: AccountContext,
  id: number,
  { isForMany }: { isForMany: boolean },
): Promise<Invitation> {
  const invitation = await tx.invitations.byId(id);
  const isThere = invitation && (invitation.email === null) === isForMany && problemOf(invitation, now) === undefined;
  if (!isThere || (invitation.invited_by_user_id !== actor.id && !isAdministrator(actor))) {
    throw new BadRequest(`There is no pending ${isForMany ? 'invitation link' : 'invitation'} with ID ${id}.`);
  }
  if (invitation.invited_as === OWNER && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
  return invitation;
}

/**
 * Whether somebody may have the link of an invitation that is for somebody else. Whoever has it can become that
 * person, so it is for those alone who may do as much anyway.
 */
export function maySeeLink(user: User, { invited_as }: Pick<InvitationOffer, 'invited_as'>): boolean {
  return invited_as === OWNER ? isOwner(user) : isAdministrator(user);
}

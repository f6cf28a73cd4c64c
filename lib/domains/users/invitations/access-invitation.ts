import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { isAdministrator, isOwner, OWNER } from '../../../rules/roles.ts';
import type { Invitation, InvitationOffer } from '../../../storage/interface/invitations.ts';
import type { User } from '../../../storage/interface/users.ts';
import { problemOf } from './invitation-validity.ts';

/**
 * A pending invitation: the caller's own or, for administrators, any. `isForMany` selects multi-use links.
 * @throws BadRequest if it does not exist; with the same message if the caller may not access it
 * @throws UnauthorizedPrincipal for an invitation with the owner role, unless the caller is an owner
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
 * Whether a user may see the link of another person's invitation. The link lets its holder create the account. So only
 * users who can grant the same role may see it.
 */
export function maySeeLink(user: User, { invited_as }: Pick<InvitationOffer, 'invited_as'>): boolean {
  return invited_as === OWNER ? isOwner(user) : isAdministrator(user);
}

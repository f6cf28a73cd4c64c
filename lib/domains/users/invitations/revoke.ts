import { defineOperation } from '../../../operation/operation.ts';
import { revocation } from './invitation.ts';

export const revokeInvite = defineOperation({
  name: 'invites.revoke',
  http: 'DELETE /invites/{invite_id}',
  summary: 'Revoke an invitation sent by e-mail',
  description:
    'Your own invitations; for administrators, all invitations. Only owners can revoke invitations with the owner role. The link stops working.',
  ...revocation({ isForMany: false }),
});

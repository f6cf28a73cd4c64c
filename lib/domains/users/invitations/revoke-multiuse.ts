import { defineOperation } from '../../../operation/operation.ts';
import { revocation } from './invitation.ts';

export const revokeMultiuseInvite = defineOperation({
  name: 'invites.revokeMultiuse',
  http: 'DELETE /invites/multiuse/{invite_id}',
  summary: 'Revoke a multi-use invitation link',
  description:
    'Your own links; for administrators, all links. Only owners can revoke links with the owner role. Accounts created with the link stay.',
  ...revocation({ isForMany: true }),
});

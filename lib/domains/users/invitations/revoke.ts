import * as v from 'valibot';
import { UnauthorizedPrincipal } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { revoke } from './invitation.ts';

export const revokeInvite = defineOperation({
  name: 'invites.revoke',
  http: 'DELETE /invites/{invite_id}',
  summary: 'Revoke an invitation sent by e-mail',
  description:
    'Your own invitations; for administrators, all invitations. Only owners can revoke invitations with the owner role. The link stops working.',
  example: { invite_id: 7 },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: v.object({ invite_id: id }),
  errors: [UnauthorizedPrincipal],
  async run(context, { invite_id }) {
    await revoke(context, invite_id, { isForMany: false });
  },
});

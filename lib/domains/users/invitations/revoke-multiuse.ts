import * as v from 'valibot';
import { UnauthorizedPrincipal } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { revoke } from './invitation.ts';

export const revokeMultiuseInvite = defineOperation({
  name: 'invites.revokeMultiuse',
  http: 'DELETE /invites/multiuse/{invite_id}',
  summary: 'Revoke a multi-use invitation link',
  description:
    'Your own links; for administrators, all links. Only owners can revoke links with the owner role. Accounts created with the link stay.',
  example: { invite_id: 7 },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: v.object({ invite_id: id }),
  errors: [UnauthorizedPrincipal],
  async run(context, { invite_id }) {
    await revoke(context, invite_id, { isForMany: true });
  },
});

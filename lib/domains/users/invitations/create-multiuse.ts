import * as v from 'valibot';
import { present } from '../../../base/present.ts';
import { repeatable, secret } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkPendingLimits, emitInvitesChanged, invitationKey, invitationLink } from './invitation.ts';
import { offerParams, planOffer } from './offer.ts';

export const createMultiuseInvite = defineOperation({
  name: 'invites.createMultiuse',
  http: 'POST /invites/multiuse',
  summary: 'Create a multi-use invitation link',
  description: 'Everyone with the link can join until it expires or is revoked.',
  example: { invite_expires_in_minutes: 1440 },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: { ...offerParams, stream_ids: v.optional(offerParams.stream_ids, []), ...repeatable },
  mayNeedCode: true,
  idempotency: { ignored: ['code'] },
  result: v.object({ invite_link: secret(v.string(), 'URL to share.') }),
  async run(context, { code: _, ...given }) {
    const { tx, actor, organization, services } = context;
    const offer = await planOffer(context, given, { isForMany: true });
    await checkPendingLimits(context, 1);
    const id = present((await tx.invitations.create(offer, [{ email: null, email_state: null }], null))[0]);
    await emitInvitesChanged(context, actor.id);
    const key = invitationKey(organization, { ...offer, id, is_numbered: true });
    return { invite_link: invitationLink(services, key) };
  },
});

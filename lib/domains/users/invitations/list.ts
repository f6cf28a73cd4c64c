import * as v from 'valibot';
import { describe, falseByDefault, optional, secret } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { PendingInvitation } from '../../../storage/interface/invitations.ts';
import { confirmationCode, isGuarded } from '../../../viewer/confirmation.ts';
import { invitationKey, invitationLink, maySeeLink } from './invitation.ts';

export const listInvites = defineOperation({
  name: 'invites.list',
  http: 'GET /invites',
  summary: 'List pending invitations',
  description:
    'Your own invitations; for administrators, all invitations. Excludes expired and revoked invitations. Without `code`, invitations to roles that need one have no links.',
  access: 'human member',
  extent: () => 'large',
  mayNeedCode: true,
  params: {
    include_links: falseByDefault('Include the links of invitations by e-mail. Only administrators get them.'),
    code: confirmationCode,
  },
  result: v.object({
    invites: v.array(
      v.object({
        id: describe(v.number(), 'ID of the invitation. Links have their own numbers.'),
        invited_by_user_id: v.number(),
        invited: describe(v.number(), 'When the invitation was created; UNIX seconds.'),
        expiry_date: describe(v.nullable(v.number()), 'UNIX seconds; null: never.'),
        invited_as: describe(v.number(), 'Role of the new account.'),
        is_multiuse: describe(v.boolean(), 'Whether it is a multi-use link.'),
        email: optional(v.string(), 'The invited address. Absent for multi-use links.'),
        notify_referrer_on_join: v.optional(v.boolean()),
        link_url: v.optional(
          secret(
            v.string(),
            'Link to share. For invitations by e-mail only with `include_links`. Absent for bearer tokens.',
          ),
        ),
        email_state: optional(
          v.picklist(['waiting', 'sent', 'failed', 'none']),
          'State of the latest e-mail; `none` if the server sent none. Absent for multi-use links.',
        ),
        email_error: optional(v.string(), 'Error of the latest attempt to send the e-mail.'),
      }),
    ),
  }),
  async run({ tx, actor, organization, now, services, isConfirmed }, { include_links }) {
    const pending = await tx.invitations.pending(now, isAdministrator(actor) ? undefined : actor.id);
    // The creator always sees a multi-use link.
    const isShown = (invitation: PendingInvitation) => {
      if (!isConfirmed && isGuarded(organization, invitation.invited_as)) return false;
      return invitation.email === null
        ? maySeeLink(actor, invitation) || invitation.invited_by_user_id === actor.id
        : include_links && maySeeLink(actor, invitation);
    };
    return {
      invites: pending.map((invitation) => ({
        id: invitation.id,
        invited_by_user_id: invitation.invited_by_user_id,
        invited: Math.floor(invitation.created_ms / 1000),
        expiry_date: invitation.expires_ms === null ? null : Math.floor(invitation.expires_ms / 1000),
        invited_as: invitation.invited_as,
        ...(invitation.email === null
          ? { is_multiuse: true }
          : {
              is_multiuse: false,
              email: invitation.email,
              notify_referrer_on_join: invitation.notify_referrer_on_join,
              email_state: invitation.email_state ?? ('none' as const),
            }),
        ...(isShown(invitation) ? { link_url: invitationLink(services, invitationKey(organization, invitation)) } : {}),
        ...(invitation.email_error === null ? {} : { email_error: invitation.email_error }),
      })),
    };
  },
});

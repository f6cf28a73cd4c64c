import * as v from 'valibot';
import { InvitationUnusable } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessValidInvitation, invitationKeyParam } from './invitation.ts';

export const previewInvite = defineOperation({
  name: 'invites.preview',
  // The key gives access, so it must not be in a URL, which proxies log.
  http: 'POST /invites/preview',
  summary: 'Show an invitation before accepting it',
  description:
    'Needs only the key of the link. Fails with INVITATION_UNUSABLE if the invitation cannot be accepted. Its `reason` is unknown, expired, revoked or used.',
  example: { key: 'q1Zc7P0aXw9RkT3mB8vYdL2s' },
  access: 'anyone',
  effect: 'read',
  params: { key: invitationKeyParam },
  result: v.object({
    realm_name: v.string(),
    realm_description: describe(v.string(), 'Markdown.'),
    invited_by: describe(v.string(), 'Name of the inviter.'),
    invited_as: describe(v.number(), 'Role of the new account.'),
    email: describe(v.nullable(v.string()), 'E-mail address of the new account; null: the new user chooses it.'),
    must_confirm_address: describe(v.boolean(), 'Whether to call `invites.confirmAddress` before accepting.'),
    expiry_date: describe(v.nullable(v.number()), 'UNIX seconds; null: never.'),
    channels: describe(v.array(v.string()), 'Names of the channels that the new user will be subscribed to.'),
    groups: describe(v.array(v.string()), 'Names of the user groups that the new user will join.'),
  }),
  errors: [InvitationUnusable],
  async run(context, { key }) {
    const { organization, services } = context;
    const { invitation, expires_ms, email, inviter, channels, groups } = await accessValidInvitation(context, key);
    return {
      realm_name: organization.name,
      realm_description: organization.description,
      invited_by: inviter.full_name,
      invited_as: invitation.invited_as,
      email,
      must_confirm_address: email === null && services.options.mail !== undefined,
      expiry_date: expires_ms === null ? null : Math.floor(expires_ms / 1000),
      channels: channels.map(({ name }) => name).sort(),
      groups: groups.map(({ name }) => name).sort(),
    };
  },
});

import * as v from 'valibot';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, InvitationFailed, type InvitationFailure } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, text } from '../../../kernel/schemas.ts';
import { fold } from '../../../rules/fold.ts';
import type { InvitationOffer } from '../../../storage/interface/invitations.ts';
import { maySeeLink } from './access-invitation.ts';
import { addressesIn, addressProblem, disposableCheck, type IsDisposable, takenAddresses } from './addresses.ts';
import { takeFromDailyLimit } from './daily-limit.ts';
import { invitationEmail, reminderTime } from './emails.ts';
import { emitInvitesChanged } from './events.ts';
import { invitationKey, invitationLink } from './links.ts';
import {
  expiresInMinutes,
  groupIds,
  includeDefaultChannels,
  inviteAs,
  streamIds,
  welcomeText,
} from './offer-params.ts';
import { checkPendingLimits } from './pending-limits.ts';
import { planOffer } from './plan-offer.ts';

/** What one transaction invites while others wait for it. */
const MAX_ADDRESSES = 1_000;
/** Code points: so many addresses with their names. */
const MAX_TEXT = 500_000;

export const sendInvites = defineOperation({
  name: 'invites.send',
  http: 'POST /invites',
  summary: 'Invite people by e-mail',
  description:
    'Each gets a link that is for them alone. Addresses that have accounts are left out, which is refused with INVITATION_FAILED although the others were invited; where an address is no address, nobody is.',
  example: { invitee_emails: 'ben@example.com, Cleo <cleo@example.com>', stream_ids: [] },
  access: 'human member',
  effect: 'manual',
  audited: true,
  params: v.object({
    group_ids: groupIds,
    include_realm_default_subscriptions: includeDefaultChannels,
    invite_as: inviteAs,
    invite_expires_in_minutes: expiresInMinutes,
    invitee_emails: describe(
      text(MAX_TEXT),
      `Addresses apart by commas or line ends, also as \`Name <address>\`; ${MAX_ADDRESSES} at most.`,
    ),
    notify_referrer_on_join: v.optional(
      describe(flag, 'Whether the notification bot tells you when somebody has joined.'),
      true,
    ),
    stream_ids: streamIds,
    welcome_message_custom_text: welcomeText,
  }),
  result: v.object({
    invitations: v.optional(
      describe(
        v.array(
          v.object({
            id: v.number(),
            email: v.string(),
            link_url: v.optional(describe(v.string(), 'To hand out; for administrators alone.')),
          }),
        ),
        'Only where the server sends no e-mail.',
      ),
    ),
  }),
  errors: [BadRequest, InvitationFailed],
  async run({ transact }, { invitee_emails, notify_referrer_on_join, ...given }) {
    const isDisposable = await disposableCheck();
    const { answer, failure } = await transact('write', async (context) => {
      const offer = { ...(await planOffer(context, given, { isForMany: false })), notify_referrer_on_join };
      const addresses = addressesIn(invitee_emails);
      if (addresses.length === 0) throw new BadRequest('Give at least one address to invite.');
      if (addresses.length > MAX_ADDRESSES) {
        throw new BadRequest(
          `At most ${MAX_ADDRESSES} addresses can be invited at once; these are ${addresses.length}.`,
        );
      }
      const { invitable, errors } = await splitAddresses(context, addresses, isDisposable);
      await checkPendingLimits(context, invitable.length);
      await takeFromDailyLimit(context, invitable.length);
      const links = await invite(context, offer, invitable);
      return { answer: links, failure: errors.length > 0 ? { errors, sent_invitations: true } : undefined };
    });
    // What was sent stays sent: this says of whom it was not.
    if (failure)
      throw new InvitationFailed('Some of these addresses have accounts already; the others are invited.', failure);
    return answer;
  },
});

/** @throws InvitationFailed where an address is none that could join, or none is left to invite */
async function splitAddresses(
  context: AccountContext,
  addresses: readonly string[],
  isDisposable: IsDisposable,
): Promise<{ invitable: string[]; errors: InvitationFailure['errors'] }> {
  const invalid: [string, string, boolean][] = [];
  for (const address of addresses) {
    const problem = addressProblem(context.organization, address, isDisposable);
    if (problem !== undefined) invalid.push([address, problem, false]);
  }
  const taken = await takenAddresses(context, addresses);
  const present = addresses.flatMap((address): [string, string, boolean][] => {
    const found = taken.get(fold(address));
    return found ? [[address, found.reason, found.isDeactivated]] : [];
  });
  if (invalid.length > 0) {
    throw new InvitationFailed('Some of these addresses cannot be invited; nobody was.', {
      errors: [...invalid, ...present],
    });
  }
  if (present.length === addresses.length) {
    throw new InvitationFailed('All of these addresses have accounts already; nobody was invited.', {
      errors: present,
    });
  }
  return { invitable: addresses.filter((address) => !taken.has(fold(address))), errors: present };
}

/** Invites these addresses; answers with the links where they are the caller's to hand out. */
async function invite(context: AccountContext, offer: InvitationOffer, addresses: readonly string[]) {
  const { tx, actor, organization, services, enqueue } = context;
  const hasMail = services.options.mail !== undefined;
  const people = addresses.map((email) => ({ email, email_state: hasMail ? ('waiting' as const) : null }));
  await tx.invitations.dropReminders(addresses);
  const ids = await tx.invitations.create(offer, people, hasMail ? reminderTime(offer, context.now) : null);
  if (hasMail) for (const id of ids) enqueue(invitationEmail({ invitation_id: id, kind: 'invitation' }));
  await emitInvitesChanged(context, actor.id);
  if (hasMail) return {};
  const isShown = maySeeLink(actor, offer);
  return {
    invitations: ids.map((id, at) => ({
      id,
      email: addresses[at] as string,
      ...(isShown
        ? { link_url: invitationLink(services, invitationKey(organization, { ...offer, id, is_numbered: true })) }
        : {}),
    })),
  };
}

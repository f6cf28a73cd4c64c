import { BadRequest, InvitationFailed } from '../../../base/errors.ts';
import { describe, nonEmptyText, repeatable, trueByDefault } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emailKey } from '../../../rules/fold.ts';
import type { InvitationOffer } from '../../../storage/interface/invitations.ts';
import { type AccountContext, actingAs, type ManualContext } from '../../../viewer/context.ts';
import { addressesIn, addressProblem } from './addresses.ts';
import { invitationEmail, reminderTime } from './emails.ts';
import { checkPendingLimits, emitInvitesChanged, takeFromDailyLimit } from './invitation.ts';
import { offerParams, planOffer } from './offer.ts';

/** All invitations are created in one transaction, and other writers wait for it. */
const MAX_ADDRESSES = 1_000;
/** In code points: enough for all addresses with names. */
const MAX_TEXT = 500_000;

export const sendInvites = defineOperation({
  name: 'invites.send',
  http: 'POST /invites',
  summary: 'Invite people by e-mail',
  description:
    'Each person gets a personal link by e-mail. If the server sends no e-mail, get the links with `invites.list` and share them. Skips addresses that already have an account and then fails with INVITATION_FAILED; all other invitations are sent. If any address is invalid, sends nothing.',
  example: { invitee_emails: 'ben@example.com, Cleo <cleo@example.com>', stream_ids: [] },
  access: 'human member',
  scope: 'login',
  effect: 'manual',
  audited: true,
  params: {
    ...offerParams,
    invitee_emails: describe(
      nonEmptyText(MAX_TEXT),
      `At most ${MAX_ADDRESSES} addresses, separated by commas, semicolons or line breaks, optionally as \`Name <address>\`.`,
    ),
    notify_referrer_on_join: trueByDefault('Get a message from the notification bot when a person joins.'),
    ...repeatable,
  },
  mayNeedCode: true,
  idempotency: { ignored: ['code'] },
  errors: [InvitationFailed],
  async run(manual, { invitee_emails, notify_referrer_on_join, code: _, ...given }) {
    const addresses = addressesIn(invitee_emails);
    if (addresses.length === 0) throw new BadRequest('Give at least one address to invite.');
    if (addresses.length > MAX_ADDRESSES) {
      throw new BadRequest(`A request can invite at most ${MAX_ADDRESSES} addresses, not ${addresses.length}.`);
    }
    const { errors } =
      (manual.first as Outcome | undefined) ?? (await inviteAll(manual, addresses, given, { notify_referrer_on_join }));
    // The transaction is committed. The error only reports the skipped addresses.
    if (errors.length > 0) {
      const failure = { errors, sent_invitations: true };
      throw new InvitationFailed('Some of these addresses already have accounts. The others were invited.', failure);
    }
  },
});

type Skipped = readonly [address: string, reason: string, isDeactivated: boolean];

/** The addresses that were skipped. */
type Outcome = { errors: Skipped[] };

async function inviteAll(
  { transact, once, services }: ManualContext<'human member'>,
  addresses: readonly string[],
  given: Parameters<typeof planOffer>[1],
  own: { notify_referrer_on_join: boolean },
): Promise<Outcome> {
  // Before the count: it would tell users without the permission which addresses have accounts.
  const actor = await transact('read', async (context) => {
    await planOffer(context, given, { isForMany: false });
    return context.actor;
  });
  // Commits first: the error names accounts that the caller may not see, also if it rolls back or in a dry run.
  await services.asSystem('write', async (context) => {
    const named = await context.tx.users.byEmails(addresses);
    await takeFromDailyLimit(actingAs(context, actor), addresses.length, named.length);
  });
  return once('write', async (context) => {
    const offer = { ...(await planOffer(context, given, { isForMany: false })), ...own };
    const { invitable, errors } = await splitAddresses(context, addresses);
    await checkPendingLimits(context, invitable.length);
    await takeFromDailyLimit(context, invitable.length);
    await invite(context, offer, invitable);
    return { errors };
  });
}

/** @throws InvitationFailed if an address cannot be used to join, or all addresses have accounts */
async function splitAddresses(context: AccountContext, addresses: readonly string[]) {
  const invalid = addresses.flatMap((address): Skipped[] => {
    const problem = addressProblem(context.organization, address);
    return problem === undefined ? [] : [[address, problem, false]];
  });
  const users = await context.tx.users.byEmails(addresses);
  const taken = new Map(users.map((user) => [emailKey(user.delivery_email), user.is_active]));
  const present = addresses.flatMap((address): Skipped[] => {
    const isActive = taken.get(emailKey(address));
    if (isActive === undefined) return [];
    const reason = isActive ? 'Already has an account.' : 'The account with this address is deactivated.';
    return [[address, reason, !isActive]];
  });
  if (invalid.length > 0) {
    throw new InvitationFailed('Some of these addresses cannot be invited. No invitations were sent.', {
      errors: [...invalid, ...present],
    });
  }
  if (present.length === addresses.length) {
    throw new InvitationFailed('All of these addresses already have accounts. No invitations were sent.', {
      errors: present,
    });
  }
  return { invitable: addresses.filter((address) => !taken.has(emailKey(address))), errors: present };
}

async function invite(context: AccountContext, offer: InvitationOffer, addresses: readonly string[]): Promise<void> {
  const { tx, actor, services, enqueue } = context;
  const hasMail = services.options.mail !== undefined;
  const people = addresses.map((email) => ({ email, email_state: hasMail ? ('waiting' as const) : null }));
  await tx.invitations.dropReminders(addresses);
  const ids = await tx.invitations.create(offer, people, hasMail ? reminderTime(offer, context.now) : null);
  if (hasMail) for (const id of ids) enqueue(invitationEmail({ invitation_id: id, kind: 'invitation' }));
  await emitInvitesChanged(context, actor.id);
}

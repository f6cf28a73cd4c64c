import { createHash, randomBytes } from 'node:crypto';
import { BadRequest, RateLimitHit } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { deliverEmail, EMAILS_AT_ONCE } from '../../../jobs/outbox.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import { deriveKey } from '../../../rules/credentials.ts';
import { emailKey } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { checkConfirmed } from '../../../viewer/confirmation.ts';
import type { AccountContext, ReadContext } from '../../../viewer/context.ts';
import { checkUnlocked } from '../../../views/external-ids.ts';
import { changedAddressProblem } from '../invitations/addresses.ts';
import { COUNTED_MS, composeLinkEmail, isMailedTooOften, MAIL_PAUSE_SECONDS } from '../link-email.ts';
import { accountState, storeLink } from '../password-reset/reset-link.ts';

export const EMAIL_LINK_HOURS = 24;
const HOUR_MS = 3_600_000;
const TOKEN_LENGTH = 64;

/** Derives the token from the ID: the outbox must not contain it. A repeated e-mail has the same. */
export const emailToken = ({ secret }: Organization, id: string) =>
  deriveKey(secret, `email-change:${id}`, TOKEN_LENGTH);

/** Not the hash of a reset link: this token must not set a password. */
const hashOf = (token: string) => createHash('sha256').update(`email-change\n${token}`).digest('base64url');

type LinkContext = Pick<ReadContext, 'tx' | 'organization' | 'now'>;

/** @throws BadRequest unless the account may get this address. Does not check whether it is in use. */
function checkNewEmail({ organization }: LinkContext, user: User, email: string): void {
  checkUnlocked({ organization }, 'email', [user]);
  if (organizationSetting(organization, 'email_changes_disabled') && !isAdministrator(user))
    throw new BadRequest('Only administrators can change e-mail addresses in this organization.');
  const problem = changedAddressProblem(organization, user.delivery_email, email);
  if (problem !== undefined) throw new BadRequest(`Your account cannot have the address "${email}". ${problem}`);
}

const inUse = (email: string) => new BadRequest(`The address "${email}" is already in use by another account.`);

/** Refuses only an address that the caller sees. Otherwise the response is that of a free address, without an e-mail. */
async function checkSeenAddresses(context: AccountContext, email: string): Promise<void> {
  const { actor } = context;
  const holder = (await context.viewer.usersByAddress([email])).get(email);
  const visible = await context.viewer.visibleUserIds();
  if (!holder || holder.id === actor.id || (visible && !visible.has(holder.id))) return;
  if (emailKey(holder.delivery_email) === emailKey(email)) throw inUse(email);
}

/** Sends a link to the new address. The address changes when the user opens the link. An earlier link stops working. */
export async function requestEmailChange(context: AccountContext, given: string): Promise<void> {
  const { tx, actor, services, now, enqueue } = context;
  const email = given.trim();
  // Clients send all fields of their form.
  if (email === actor.delivery_email) return;
  // The holder of the new mailbox can set a password, or log in at a provider.
  await checkConfirmed(context, actor.role);
  checkNewEmail(context, actor, email);
  if (!services.options.mail)
    throw new BadRequest(
      'This server sends no e-mail, so it cannot confirm a new address. Ask an owner to change your address.',
    );
  await checkSeenAddresses(context, email);
  if (isMailedTooOften(await tx.passwordResets.mailedSince(actor.id, now - COUNTED_MS, { changes: true }), now))
    throw new RateLimitHit(MAIL_PAUSE_SECONDS);
  await tx.passwordResets.endChanges(actor.id);
  enqueue(sendEmailChange({ id: await storeEmailChange(context, actor, email) }));
}

/** Returns the ID of the link, from which its token follows. */
export async function storeEmailChange({ tx, organization, now }: LinkContext, user: User, email: string) {
  const id = randomBytes(16).toString('hex');
  const token_hash = hashOf(emailToken(organization, id));
  await storeLink(tx, user, { token_hash, new_email: email, created_ms: now, is_mailed: true });
  return id;
}

/** The account and its new address. @throws BadRequest, which does not reveal the reason */
export async function accessEmailChange(context: LinkContext, token: string) {
  const { tx, now } = context;
  const link = await tx.passwordResets.byToken(hashOf(token));
  const user =
    link && now < link.created_ms + EMAIL_LINK_HOURS * HOUR_MS ? await tx.users.byId(link.user_id) : undefined;
  if (!user?.is_active || !link?.new_email || accountState(user) !== link.account_state) {
    throw new BadRequest(
      `This link does not work. It works once, within ${EMAIL_LINK_HOURS} hours, until you request another one or change your password. Change the address in your settings again.`,
    );
  }
  checkNewEmail(context, user, link.new_email);
  const holder = await tx.users.byEmail(link.new_email);
  if (holder && holder.id !== user.id) throw inUse(link.new_email);
  return { user, email: link.new_email };
}

export const sendEmailChange = defineOutboxKind<{ id: string }>('email change', {
  concurrency: EMAILS_AT_ONCE,
  isPredictable: true,
  async perform(services, { id }, item) {
    const email = await services.storage.read(async (tx) => {
      const organization = present(await tx.organization.get());
      const context = { tx, organization, now: services.clock.now() };
      const token = emailToken(organization, id);
      const change = await accessEmailChange(context, token).catch((error: unknown) => {
        // Another request, a new password or a new rule has ended it.
        if (error instanceof BadRequest) return undefined;
        throw error;
      });
      if (!change) return undefined;
      const { baseUrl } = services.options;
      return composeLinkEmail({
        to: change.email,
        subject: `Confirm your new e-mail address for ${organization.name}`,
        greeting: `Hello ${change.user.full_name},`,
        // The reader knows by the present address whether the account is theirs.
        opening: [
          `you asked to use this address for your account in ${organization.name}, on ${baseUrl}, instead of ${change.user.delivery_email}.`,
        ],
        invitation: 'To confirm it, open',
        link: `${baseUrl}/accounts/email/confirm/${token}/`,
        button: 'Confirm the address',
        after: [`The link works once, within ${EMAIL_LINK_HOURS} hours. Until then your address stays the same.`],
        closing: 'If this was not you, ignore this e-mail. Nothing changes.',
      });
    });
    if (email) await deliverEmail(services, email, item);
  },
});

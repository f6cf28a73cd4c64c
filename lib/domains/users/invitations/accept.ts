import * as v from 'valibot';
import { deriveApiKey } from '../../../access/api-keys.ts';
import type { TransactionContext } from '../../../kernel/context.ts';
import {
  AddressNotConfirmed,
  BadRequest,
  EmailAlreadyInUse,
  InvitationUnusable,
  PasswordTooWeak,
} from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { fold } from '../../../rules/fold.ts';
import { checkPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../rules/passwords.ts';
import type { User } from '../../../storage/interface/users.ts';
import { joinGroups } from '../../user-groups/memberships.ts';
import { createAccounts, emailAddress, type NewPerson } from '../account-creation.ts';
import { checkNameIsFree, fullName } from '../names.ts';
import { hashPassword } from '../passwords.ts';
import { checkSettings, checkTimeZone } from '../settings/personal-settings.ts';
import { checkAddress, disposableCheck, type IsDisposable } from './addresses.ts';
import { emitInvitesChanged } from './events.ts';
import { accessOffer, invitationKeyParam, type StandingOffer } from './standing-offer.ts';
import { welcome } from './welcome.ts';

export const acceptInvite = defineOperation({
  name: 'invites.accept',
  http: 'POST /invites/accept',
  summary: 'Accept an invitation: create an account with it',
  description:
    'For whoever has the link. The account has the role, channels and groups of the invitation, as far as whoever invited may still give them. By a link for many, on a server that sends e-mail, the address is confirmed first (`invites.confirmAddress`); the key is then that of the link in the e-mail.',
  example: { key: 'q1Zc7P0aXw9RkT3mB8vYdL2s', full_name: 'Ben Ngo', password: 'correct horse battery staple' },
  access: 'anyone',
  effect: 'manual',
  audited: true,
  params: v.object({
    key: invitationKeyParam,
    email: v.optional(
      describe(
        text(1_000),
        'Your address; only where the link does not name it. Where e-mail is sent, it is confirmed before.',
      ),
    ),
    full_name: describe(text(1_000), 'Your name, 2 to 100 characters.'),
    password: v.optional(
      describe(
        text(MAX_PASSWORD_LENGTH),
        `For signing in; at least ${MIN_PASSWORD_LENGTH} characters, and not the name or address. Without one, there is the API key alone.`,
      ),
    ),
    timezone: v.optional(describe(text(100), 'IANA time zone, such as Europe/Copenhagen.')),
    default_language: v.optional(describe(text(50), 'Code of your language, such as de or pt-BR.')),
  }),
  result: v.object({ user_id: v.number(), email: v.string(), api_key: v.string() }),
  errors: [AddressNotConfirmed, BadRequest, EmailAlreadyInUse, InvitationUnusable, PasswordTooWeak],
  async run({ transact }, { password, ...given }) {
    const isDisposable = await disposableCheck();
    // Hashing is dear: only for those who would be let in.
    await transact('read', async (context) => {
      const { person } = await planAcceptance(context, given, isDisposable);
      if (password !== undefined) checkPassword(password, person);
    });
    const password_hash = password === undefined ? null : await hashPassword(password);
    return transact('write', async (context) => {
      const { tx, organization, now } = context;
      const { offer, person } = await planAcceptance(context, given, isDisposable);
      const [user] = (await createAccounts(context, [{ ...person, password_hash }], offer.channels)) as [User];
      await joinGroups(context, offer.groups, user);
      const { invitation } = offer;
      if (invitation.email !== null) await tx.invitations.end(invitation.id, 'accepted', now);
      else await tx.addressProofs.use(person.email);
      await tx.invitations.revokeFor(person.email, now);
      await emitInvitesChanged(context, invitation.invited_by_user_id);
      await welcome(context, offer, user);
      const api_key = deriveApiKey(organization.secret, user.id, user.key_generation);
      return { user_id: user.id, email: user.delivery_email, api_key };
    });
  },
});

interface GivenPerson {
  key: string;
  email?: string | undefined;
  full_name: string;
  timezone?: string | undefined;
  default_language?: string | undefined;
}

/** Who would join, by which offer; writes nothing. */
async function planAcceptance(
  context: TransactionContext<'anyone'>,
  { key, email: given, full_name, timezone, default_language }: GivenPerson,
  isDisposable: IsDisposable,
): Promise<{ offer: StandingOffer; person: NewPerson }> {
  const offer = await accessOffer(context, key);
  const email = addressOf(context, offer, given);
  checkAddress(context.organization, email, isDisposable);
  if (await context.tx.users.byEmail(email)) throw new EmailAlreadyInUse(email);
  const name = fullName(full_name);
  await checkNameIsFree(context, name);
  checkTimeZone(timezone);
  checkSettings({ default_language });
  const settings = default_language === undefined ? {} : { default_language };
  return { offer, person: { email, full_name: name, role: offer.invitation.invited_as, timezone, settings } };
}

/** The account's address: that which was invited or confirmed, or the one given where the link is for many. */
function addressOf(
  { services }: TransactionContext<'anyone'>,
  { email }: StandingOffer,
  given: string | undefined,
): string {
  if (email === null) {
    if (services.options.mail) throw new AddressNotConfirmed();
    if (given === undefined || given.trim() === '')
      throw new BadRequest('Give the address that your account is to have.');
    return emailAddress(given);
  }
  if (given !== undefined && fold(given) !== fold(email))
    throw new BadRequest(`This invitation is for ${email} alone.`);
  return email;
}

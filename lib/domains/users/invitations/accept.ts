import * as v from 'valibot';
import {
  AddressNotConfirmed,
  BadRequest,
  EmailAlreadyInUse,
  InvitationUnusable,
  PasswordAuthDisabled,
  PasswordTooWeak,
} from '../../../base/errors.ts';
import { describe, nonEmptyText, optional, text, type ValuesOf } from '../../../base/schemas.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emailKey } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { needsFactor } from '../../../viewer/confirmation.ts';
import type { TransactionContext } from '../../../viewer/context.ts';
import type { NewPerson } from '../account-creation.ts';
import { checkNameIsFree, emailAddress, fullName } from '../names.ts';
import { hashPassword, newPasswordParam, newPasswordResult, signedIn } from '../passwords.ts';
import { checkedSettings, languageCode } from '../settings/personal-settings.ts';
import { checkAddress } from './addresses.ts';
import { accessValidInvitation, invitationKeyParam, type ValidInvitation } from './invitation.ts';
import { joinByInvitation } from './joining.ts';

const params = {
  key: invitationKeyParam,
  email: optional(text(1_000), 'Your e-mail address. Required for a multi-use link on a server that sends no e-mail.'),
  full_name: describe(nonEmptyText(1_000), 'Your name, 2 to 100 characters.'),
  password: v.optional(newPasswordParam),
  timezone: optional(text(100), 'IANA time zone, such as Europe/Copenhagen.'),
  default_language: optional(languageCode, 'Code of your language, such as de or pt-BR.'),
};

export const acceptInvite = defineOperation({
  name: 'invites.accept',
  http: 'POST /invites/accept',
  summary: 'Accept an invitation and create an account',
  description:
    'Needs only the key of the link. The account gets the role, channels and groups of the invitation that the inviter can still give. Without a password, it has only its API key. If the role needs a second factor, the answer has no key: the first login with the password sets it up. If passwords are turned off, it has no key either: the person logs in elsewhere. For a multi-use link on a server that sends e-mail, confirm the address first (`invites.confirmAddress`). Then pass the key from that e-mail.',
  example: { key: 'q1Zc7P0aXw9RkT3mB8vYdL2s', full_name: 'Ben Ngo', password: 'correct horse battery staple' },
  access: 'anyone',
  effect: 'manual',
  audited: true,
  limitedBy: { rule: 'join' },
  params,
  result: newPasswordResult,
  errors: [AddressNotConfirmed, EmailAlreadyInUse, InvitationUnusable, PasswordAuthDisabled, PasswordTooWeak],
  async run({ transact, isDryRun }, { password, ...given }) {
    // Hashing is expensive, so first check that the request can succeed.
    await transact('read', async (context) => {
      if (password !== undefined && !organizationSetting(context.organization, 'password_login'))
        throw new PasswordAuthDisabled();
      const { person } = await planAcceptance(context, given);
      if (password !== undefined) checkPassword(password, person);
    });
    const password_hash = password === undefined ? null : await hashPassword(password, { isDryRun });
    return transact('write', async (context) => {
      const { offer, person } = await planAcceptance(context, given);
      const user = await joinByInvitation(context, offer, { ...person, password_hash });
      const { api_key, ...account } = signedIn(context.organization, user);
      return mayLogInByJoining(context.organization, user) ? { ...account, api_key } : account;
    });
  },
});

/** Not past a second factor, and not past the login elsewhere that the organization relies on. */
const mayLogInByJoining = (organization: Organization, { role }: User) =>
  organizationSetting(organization, 'password_login') && !needsFactor(organization, role);

type PersonParams = Omit<ValuesOf<typeof params>, 'password'>;

/** The new account and the offer that it accepts. Writes nothing. */
async function planAcceptance(
  context: TransactionContext<'anyone'>,
  { key, email: given, full_name, timezone, default_language }: PersonParams,
): Promise<{ offer: ValidInvitation; person: NewPerson }> {
  const offer = await accessValidInvitation(context, key);
  const email = addressOf(context, offer, given);
  checkAddress(context.organization, email);
  if (await context.tx.users.byEmail(email)) throw new EmailAlreadyInUse(email);
  const name = fullName(full_name);
  await checkNameIsFree(context, name);
  checkedSettings({ default_language, timezone });
  const settings = default_language === undefined ? {} : { default_language };
  const is_email_verified = isVerified(context, offer, email);
  const role = offer.invitation.invited_as;
  return { offer, person: { email, is_email_verified, full_name: name, role, timezone, settings } };
}

/**
 * Whether the address belongs to the person: the link was mailed to it, or the host or an administrator says so. A link
 * that was not mailed goes to anyone. So it counts only if an administrator invited the address.
 */
function isVerified({ confirmedEmail }: TransactionContext<'anyone'>, offer: ValidInvitation, email: string): boolean {
  const { invitation, inviter } = offer;
  if (confirmedEmail !== undefined && emailKey(confirmedEmail.trim()) === emailKey(email)) return true;
  if (invitation.email === null) return offer.email !== null;
  const isMailed = invitation.email_state === 'sent' || invitation.email_state === 'waiting';
  return isMailed || isAdministrator(inviter) || inviter.is_system_bot;
}

/** The account's address: the invited or confirmed address, or the given address for a multi-use link. */
function addressOf({ services }: TransactionContext<'anyone'>, { email }: ValidInvitation, given: string | undefined) {
  if (email === null) {
    if (services.options.mail) throw new AddressNotConfirmed();
    if (given === undefined || given.trim() === '')
      throw new BadRequest('This link does not contain an address. Set email to the address of your account.');
    return emailAddress(given);
  }
  if (given !== undefined && emailKey(given) !== emailKey(email))
    throw new BadRequest(`This invitation is only for ${email}. Use this address or omit email.`);
  return email;
}

import { BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal } from '../../base/errors.ts';
import { present } from '../../base/present.ts';
import { describe, nonEmptyText } from '../../base/schemas.ts';
import type { Channel } from '../../model/channels.ts';
import type { Organization } from '../../model/organization.ts';
import type { EmailVisibility, NewUser, Role, User } from '../../model/users.ts';
import { domainKey } from '../../rules/fold.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { ADMINISTRATOR, GUEST, isAdministrator, MEMBER } from '../../rules/roles.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { defaultChannelIds } from '../channels/default-channels.ts';
import { subscribe } from '../channels/subscribing.ts';
import { emitAccountsCreated } from './accounts/events.ts';
import { checkMayChangeOwner } from './activation.ts';
import { checkNameIsFree, emailAddress, fullName } from './names.ts';

export const newPersonParams = {
  email: describe(nonEmptyText(), 'Real e-mail address. Unique; case is ignored.'),
  full_name: describe(nonEmptyText(), 'Display name, 2 to 100 characters.'),
};

/** Data of a new account, validated and normalized. */
export interface NewPerson {
  email: string;
  /** Whether a mailed link proved the address, or an administrator or the host gave it. Default: false. */
  is_email_verified?: boolean;
  full_name: string;
  role: Role;
  password_hash?: string | null;
  external_id?: string | undefined;
  timezone?: string | undefined;
  /** Personal settings that the person chose. */
  settings?: Readonly<Record<string, unknown>> | undefined;
  /** As `User` has it. */
  profile_data?: string | undefined;
}

/**
 * Checks a person that an administrator adds. The administrator vouches for the address.
 * @throws for an invalid address or name, or a role that the actor cannot grant
 */
export function checkedPerson(actor: User, given: { email: string; full_name: string; role: Role }): NewPerson {
  const email = emailAddress(given.email);
  const full_name = fullName(given.full_name);
  checkMayChangeOwner(actor, given);
  if (given.role <= ADMINISTRATOR && !isAdministrator(actor)) {
    throw new UnauthorizedPrincipal('an organization administrator');
  }
  return { email, is_email_verified: true, full_name, role: given.role };
}

/** For callers who may see all accounts. */
export function addressTaken({ delivery_email, is_active }: User): EmailAlreadyInUse {
  const message = `The account with the address "${delivery_email}" is deactivated. Reactivate it instead.`;
  return new EmailAlreadyInUse(delivery_email, is_active ? undefined : message);
}

export function checkDomain(organization: Organization, email: string): void {
  const problem = domainProblem(organization, email);
  if (problem !== undefined) throw new BadRequest(`No account can have the address "${email}". ${problem}`);
}

export async function createAccount(context: WriteContext, person: NewPerson): Promise<User> {
  checkDomain(context.organization, person.email);
  await checkNameIsFree(context, person.full_name);
  return present((await createAccounts(context, [person]))[0]);
}

/** Subscribes them to the default channels by default. The caller checks that the addresses are free. */
export async function createAccounts(
  context: WriteContext,
  people: readonly NewPerson[],
  channels?: readonly Channel[],
): Promise<User[]> {
  const { tx, organization, now } = context;
  const users = await tx.users.createMany(people.map((person) => newAccount({ ...person, now, organization })));
  emitAccountsCreated(context, users);
  await subscribe(context, channels ?? (await tx.channels.byIds(await defaultChannelIds(context))), users);
  return users;
}

interface AccountData extends NewPerson {
  now: number;
  /** Gives the default settings. Absent for bots. */
  organization?: Organization;
}

export function newAccount(person: AccountData): NewUser {
  const defaults = person.organization ? organizationSetting(person.organization, 'user_settings_defaults') : {};
  const isCustomer =
    person.role === GUEST &&
    person.organization &&
    organizationSetting(person.organization, 'audience') === 'customers';
  const { email_address_visibility = 1, ...settings } = defaults;
  return {
    external_id: person.external_id ?? null,
    delivery_email: person.email,
    is_email_verified: person.is_email_verified ?? false,
    full_name: person.full_name,
    role: person.role,
    is_active: true,
    bot_type: null,
    bot_owner_id: null,
    bot_service: null,
    is_system_bot: false,
    timezone: person.timezone ?? '',
    joined_ms: person.now,
    avatar_source: person.organization ? organizationSetting(person.organization, 'default_avatar_source') : 'J',
    avatar_version: 1,
    email_visibility: email_address_visibility as EmailVisibility,
    password_hash: person.password_hash ?? null,
    key_generation: 0,
    login_generation: 0,
    ended_logins: null,
    can_change_user_emails: false,
    sign_in_unlocks: 0,
    // Each message in a room of a customer is for them, and no other way may lead back to the page.
    settings: { ...(isCustomer ? { enable_stream_email_notifications: true } : {}), ...settings, ...person.settings },
    profile_data: person.profile_data ?? '{}',
  };
}

/** The record of a new bot's account. Bots have no password and show their address to everyone. */
export function newBot(
  account: Pick<AccountData, 'email' | 'full_name' | 'now'>,
  bot: Partial<NewUser> & { bot_type: number },
): NewUser {
  return { ...newAccount({ ...account, is_email_verified: true, role: MEMBER }), ...bot };
}

export function domainProblem(organization: Organization, address: string): string | undefined {
  if (!organizationSetting(organization, 'emails_restricted_to_domains')) return undefined;
  const at = address.lastIndexOf('@');
  const domain = domainKey(address.slice(at + 1));
  const isAllowed = organizationSetting(organization, 'allowed_domains').some(
    ({ domain: allowed, allow_subdomains }) =>
      domain === domainKey(allowed) || (allow_subdomains && domain.endsWith(`.${domainKey(allowed)}`)),
  );
  if (!isAllowed) return 'This organization accepts only addresses of its allowed domains.';
  // One mailbox has any number of addresses with a plus sign.
  return address.slice(0, at).includes('+')
    ? 'This organization does not accept addresses with a plus sign.'
    : undefined;
}

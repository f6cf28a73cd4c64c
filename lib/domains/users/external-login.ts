import { AdoptionRefused, BadRequest, UserDeactivated } from '../../base/errors.ts';
import { present } from '../../base/present.ts';
import type { Role, User } from '../../model/users.ts';
import type { Adopt } from '../../rules/adoption.ts';
import { defaultRole, organizationSetting } from '../../rules/organization-settings.ts';
import { ADMINISTRATOR, isBot, isGuest, MEMBER } from '../../rules/roles.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { isLocked } from '../../views/external-ids.ts';
import { checkGroupLimits } from '../user-groups/group.ts';
import { applyMembers } from '../user-groups/memberships.ts';
import { createAccount } from './account-creation.ts';
import { isOnlyOwner } from './activation.ts';
import { endEarlierAccess, planAdoption } from './adoption.ts';
import { checkAddress } from './invitations/addresses.ts';
import { findOffer, type ValidInvitation } from './invitations/invitation.ts';
import { joinByInvitation } from './invitations/joining.ts';
import { checkNameIsFree, isEmailAddress, users } from './names.ts';
import { changeUser } from './user-change.ts';

/** A person who has logged in at an identity provider or with the password of a directory. */
export interface ExternalPerson {
  /** Identifies the provider or the directory. */
  issuer: string;
  /** ID of the person there. It never goes to another person. */
  subject: string;
  /** Undefined unless the provider has verified it: anyone may claim the address of another person. */
  email: string | undefined;
  name: string;
  /** `default`: the role of new accounts. Undefined: the role stays as it is. */
  role: Role | 'default' | undefined;
  /** Names or external IDs of the person's groups. Undefined: the groups stay as they are. */
  groups: readonly string[] | undefined;
}

/** Who gets an account by logging in. */
export interface ExternalLoginRules {
  adopt: Adopt;
  /** Whether everyone gets an account. Otherwise only people with an invitation, or with an address in an allowed domain. */
  isOpen: boolean;
}

/** Issuer of all logins in a directory. A new address of the directory does not change it. */
export const DIRECTORY_ISSUER = 'directory';

const MAX_GROUPS = 1_000;

/**
 * The account of a person: by their ID at the provider, otherwise by their verified address, otherwise a new account.
 * Then the role and the groups become those of the person.
 * @param context of the host
 * @throws AdoptionRefused, BadRequest, UserDeactivated with messages for the person
 */
export async function externalAccount(
  context: AccountContext,
  person: ExternalPerson,
  rules: ExternalLoginRules,
): Promise<{ user: User; isNew: boolean; hasNewRole: boolean }> {
  const { tx, organization } = context;
  const { issuer, subject } = person;
  const role = person.role === 'default' ? defaultRole(organization) : person.role;
  const found = await findExternalAccount(context, person, rules.adopt);
  const known = found?.mustReset ? await endEarlierAccess(context, found.user) : found?.user;
  const user = known ?? (await newAccount(context, { ...person, role }, rules));
  if (!found?.isLinked) await tx.externalLogins.add({ issuer, subject, user_id: user.id });
  await applyRole(context, user, role);
  if (person.groups) await applyGroups(context, user, person.groups.slice(0, MAX_GROUPS));
  const now = present(await tx.users.byId(user.id));
  return { user: now, isNew: !known, hasNewRole: now.role !== known?.role };
}

/** An account that a login opens. */
interface ExternalAccount {
  user: User;
  /** Whether the account has this login already. Otherwise it has the address. */
  isLinked: boolean;
  /** Whether its earlier access must end first, because it may be another person's. */
  mustReset: boolean;
}

/**
 * The account that the login of a person opens. Undefined: a new one. Writes nothing.
 * @throws AdoptionRefused, UserDeactivated
 */
export async function findExternalAccount(
  context: Pick<AccountContext, 'tx'>,
  person: Pick<ExternalPerson, 'issuer' | 'subject' | 'email'>,
  adopt: Adopt,
): Promise<ExternalAccount | undefined> {
  const { tx } = context;
  const holder = await tx.externalLogins.holder(person.issuer, person.subject);
  const user = holder === undefined ? undefined : await tx.users.byId(holder);
  const found = user ? { user, isLinked: true, mustReset: false } : await accountByAddress(context, person, adopt);
  if (found && !found.user.is_active) throw new UserDeactivated();
  return found;
}

/** The account with the verified address. */
async function accountByAddress(
  { tx }: Pick<AccountContext, 'tx'>,
  { issuer, email }: Pick<ExternalPerson, 'issuer' | 'email'>,
  adopt: Adopt,
): Promise<ExternalAccount | undefined> {
  // The lookup folds signs that lead to other mailboxes.
  const account = email !== undefined && isEmailAddress(email) ? await tx.users.byEmail(email) : undefined;
  if (!account) return undefined;
  if (isBot(account)) throw new AdoptionRefused('This address belongs to a bot.');
  if (!account.is_active) return { user: account, isLinked: false, mustReset: false };
  const isTaken = await tx.externalLogins.has(account.id, issuer);
  // The address may have gone from one person of the company to another.
  if (isTaken && adopt !== 'reset')
    throw new AdoptionRefused(
      `The account with the address "${email}" belongs to another login of your provider. Ask an administrator of the chat to change its address.`,
    );
  if (adopt === 'never' || (adopt === 'verified' && !account.is_email_verified))
    throw new AdoptionRefused(
      `There is an account with the address "${email}", but it is not certain that it is yours. Set a new password by e-mail, or ask an administrator.`,
    );
  return { user: account, isLinked: false, mustReset: isTaken || planAdoption(account, adopt) === 'reset' };
}

async function newAccount(
  context: AccountContext,
  person: ExternalPerson & { role: Role | undefined },
  { isOpen }: ExternalLoginRules,
): Promise<User> {
  const { organization } = context;
  const { email } = person;
  if (email === undefined || !isEmailAddress(email))
    throw new BadRequest(
      'You have no account yet, and your provider does not say that it has verified your e-mail address.',
    );
  checkAddress(organization, email);
  const offer = await offerFor(context, email);
  if (!offer && !isOpen && !organizationSetting(organization, 'emails_restricted_to_domains'))
    throw new BadRequest(`There is no account for "${email}". Ask an administrator for an invitation.`);
  const role = person.role ?? offer?.invitation.invited_as ?? defaultRole(organization);
  const full_name = await freeName(context, person.name, email);
  const account = { email, is_email_verified: true, full_name, role };
  return offer ? joinByInvitation(context, offer, account) : createAccount(context, account);
}

async function offerFor(context: AccountContext, email: string): Promise<ValidInvitation | undefined> {
  for (const invitation of await context.tx.invitations.pendingFor(email, context.now)) {
    const offer = await findOffer(context, invitation, email);
    if (typeof offer === 'object') return offer;
  }
  return undefined;
}

/** If names must be unique, adds the first part of the address to a name that another user has. */
async function freeName(context: AccountContext, given: string, email: string): Promise<string> {
  const [mailbox = ''] = email.split('@', 1);
  const name = users.toValidName(given.trim() === '' ? mailbox : given);
  try {
    await checkNameIsFree(context, name);
    return name;
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return users.toValidName(`${name} (${mailbox})`);
  }
}

/** The only owner stays owner: a wrong setting must not leave the organization without owners. */
async function applyRole(context: AccountContext, user: User, role: Role | undefined): Promise<void> {
  if (role === undefined || role === user.role || isLocked(context, 'role', user)) return;
  if (await isOnlyOwner(context, user)) return;
  const isPromoted = isGuest(user) && role <= ADMINISTRATOR;
  // Guests become members first.
  if (isPromoted) await changeUser(context, user, { role: MEMBER });
  await changeUser(context, isPromoted ? { ...user, role: MEMBER } : user, { role });
}

/** As in `chat.sync`: the user joins all groups of the list, and leaves those with an external ID that are not in it. */
async function applyGroups(context: AccountContext, user: User, names: readonly string[]): Promise<void> {
  const { tx } = context;
  const named = [...(await tx.groups.headsByExternalIds(names)), ...(await tx.groups.headsByNames(names))];
  const wanted = new Map(
    named.filter((group) => !group.is_system_group && !group.deactivated).map((group) => [group.id, group]),
  );
  const memberships = await tx.groups.directMemberships([user.id]);
  const memberOf = new Set(memberships.map(({ group_id }) => group_id));
  const left = (await tx.groups.heads([...memberOf])).filter(
    (group) => group.external_id !== null && !group.is_system_group && !wanted.has(group.id),
  );
  const joined = [...wanted.values()].filter(({ id }) => !memberOf.has(id));
  const isOpen = (group: { external_id: string | null }) =>
    !isLocked(context, 'groups', group) || !isLocked(context, 'groups', user);
  for (const group of left.filter(isOpen)) await applyMembers(context, group, 'remove', [user]);
  for (const group of joined.filter(isOpen)) await applyMembers(context, group, 'add', [user]);
  if (joined.length > 0) await checkGroupLimits(context);
}

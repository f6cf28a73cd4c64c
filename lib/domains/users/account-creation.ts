import type { WriteContext } from '../../kernel/context.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../kernel/errors.ts';
import { describe, text } from '../../kernel/schemas.ts';
import { domainProblem } from '../../rules/allowed-domains.ts';
import { ADMINISTRATOR, isAdministrator } from '../../rules/roles.ts';
import type { Channel } from '../../storage/interface/channels.ts';
import type { Organization } from '../../storage/interface/organization.ts';
import type { Role, User } from '../../storage/interface/users.ts';
import { defaultChannelIds } from '../channels/default-channels.ts';
import { subscribe } from '../channels/subscribing.ts';
import { emitAccountsCreated } from './accounts/events.ts';
import { checkMayChangeOwner } from './activation.ts';
import { fullName, isEmailAddress } from './names.ts';
import { newAccount } from './new-account.ts';

export const newPersonParams = {
  email: describe(text(), 'Real address; unique without regard to case.'),
  full_name: describe(text(), 'Display name, 2 to 100 characters.'),
};

/** Somebody who is to have an account; address and name are as they are stored. */
export interface NewPerson {
  email: string;
  full_name: string;
  role: Role;
  password_hash?: string | null;
  timezone?: string | undefined;
  settings?: Readonly<Record<string, unknown>> | undefined;
}

/** A person as they would be stored; throws for an address or a name that nobody can have, and for a role that the actor cannot give. */
export function checkedPerson(actor: User, given: { email: string; full_name: string; role: Role }): NewPerson {
  const email = emailAddress(given.email);
  const full_name = fullName(given.full_name);
  checkMayChangeOwner(actor, given);
  if (given.role <= ADMINISTRATOR && !isAdministrator(actor)) {
    throw new UnauthorizedPrincipal('an organization administrator');
  }
  return { email, full_name, role: given.role };
}

/** An address as it is stored. @throws BadRequest for what is none */
export function emailAddress(given: string): string {
  const email = given.trim();
  if (!isEmailAddress(email)) throw new BadRequest(`"${given}" is not an e-mail address.`);
  return email;
}

/** @throws BadRequest for the address of a domain that the organization does not accept */
export function checkDomain(organization: Organization, email: string): void {
  const problem = domainProblem(organization, email);
  if (problem !== undefined) throw new BadRequest(`No account can have the address "${email}". ${problem}`);
}

/**
 * Creates accounts whose addresses are free, subscribes them to channels, the default ones unless others are
 * given, and tells of them.
 */
export async function createAccounts(
  context: WriteContext,
  people: readonly NewPerson[],
  channels?: readonly Channel[],
): Promise<User[]> {
  const { tx, organization, now } = context;
  const users = await tx.users.createMany(
    people.map(({ password_hash = null, ...person }) => ({
      ...newAccount({ ...person, now, organization }),
      password_hash,
    })),
  );
  emitAccountsCreated(context, users);
  await subscribe(context, channels ?? (await tx.channels.byIds(await defaultChannelIds(context))), users);
  return users;
}

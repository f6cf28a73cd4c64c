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
  email: describe(text(), 'Real e-mail address. Unique; case is ignored.'),
  full_name: describe(text(), 'Display name, 2 to 100 characters.'),
};

/** Data of a new account, validated and normalized. */
export interface NewPerson {
  email: string;
  full_name: string;
  role: Role;
  password_hash?: string | null;
  timezone?: string | undefined;
  settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Validates and normalizes a new account. Throws for an invalid address or name, or a role the actor cannot grant. */
export function checkedPerson(actor: User, given: { email: string; full_name: string; role: Role }): NewPerson {
  const email = emailAddress(given.email);
  const full_name = fullName(given.full_name);
  checkMayChangeOwner(actor, given);
  if (given.role <= ADMINISTRATOR && !isAdministrator(actor)) {
    throw new UnauthorizedPrincipal('an organization administrator');
  }
  return { email, full_name, role: given.role };
}

/** Trims an e-mail address. @throws BadRequest if it is not valid */
export function emailAddress(given: string): string {
  const email = given.trim();
  if (!isEmailAddress(email)) throw new BadRequest(`"${given}" is not an e-mail address.`);
  return email;
}

/** @throws BadRequest if the organization does not accept the domain of the address */
export function checkDomain(organization: Organization, email: string): void {
  const problem = domainProblem(organization, email);
  if (problem !== undefined) throw new BadRequest(`No account can have the address "${email}". ${problem}`);
}

/**
 * Creates accounts, subscribes them to `channels` and sends the events. The caller checks that the addresses are free.
 * @param channels default: the default channels
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

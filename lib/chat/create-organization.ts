import { randomBytes, randomUUID } from 'node:crypto';
import { BadRequest } from '../base/errors.ts';
import { present } from '../base/present.ts';
import { organizationName } from '../domains/organization/settings/organization-change.ts';
import { newAccount, newBot } from '../domains/users/account-creation.ts';
import { fullName, isEmailAddress } from '../domains/users/names.ts';
import { hashPassword } from '../domains/users/passwords.ts';
import { deriveApiKey } from '../rules/credentials.ts';
import { AUDIENCES, type Audience, type OrganizationSettings } from '../rules/organization-settings.ts';
import { checkPassword } from '../rules/passwords.ts';
import type { OrganizationPermission } from '../rules/permission-settings.ts';
import { EMAIL_GATEWAY, isBot, NOTIFICATION_BOT, OWNER, SYSTEM_GROUPS, systemGroupId } from '../rules/roles.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { Services } from '../viewer/context.ts';

/** Parameters of `chat.createOrganization` and `chat.ensureOrganization`. */
export interface NewOrganization {
  /** Display name. */
  name: string;
  /** Description in Markdown. Default: empty. */
  description?: string;
  /**
   * `team` (default): members of one team, who see each other. `customers`: guests are customers who must not see each
   * other, and members are the staff. Then guests see only users they share a conversation with, no e-mail addresses and
   * no notices about channels, and cannot write to each other. `users.ensure` and `chat.sync` create guests.
   */
  audience?: Audience;
  /** The first account. Without a password, it can only sign in with its API key. */
  owner: { email: string; full_name: string; password?: string };
}

/** System bots: they may write to every user, and no policy restricts them. */
const SYSTEM_BOTS = [
  { email: NOTIFICATION_BOT, name: 'Notification Bot' },
  { email: 'welcome-bot@zulip.com', name: 'Welcome Bot' },
  { email: EMAIL_GATEWAY, name: 'Email Gateway' },
] as const;

/**
 * Stored, so that later changes of the defaults do not affect existing organizations. Read receipts are on because users
 * join by invitation only. Organizations created before this rule keep them off.
 */
const SETTINGS_FROM_THE_START = {
  enable_read_receipts: true,
  user_settings_defaults: { enter_sends: true },
} satisfies Partial<OrganizationSettings>;

const MEMBERS = systemGroupId('role:members');

const FOR_CUSTOMERS = {
  audience: 'customers',
  can_access_all_users_group: MEMBERS,
  direct_message_permission_group: MEMBERS,
  send_channel_events_messages: false,
  // 2: members see addresses, guests do not.
  user_settings_defaults: { email_address_visibility: 2, enter_sends: true },
} satisfies Partial<OrganizationSettings> & Partial<Record<OrganizationPermission, number>>;

/** Checks the parameters, not the database. @throws BadRequest if a name or address is invalid */
export function checkNewOrganization({ name, owner, audience = 'team' }: NewOrganization) {
  if (!AUDIENCES.includes(audience)) throw new BadRequest(`audience must be one of ${AUDIENCES.join(', ')}.`);
  const title = organizationName(name);
  const email = owner.email.trim();
  if (!isEmailAddress(email)) throw new BadRequest(`"${owner.email}" is not an e-mail address.`);
  const ownerName = fullName(owner.full_name);
  if (owner.password !== undefined) checkPassword(owner.password, { email, full_name: ownerName });
  return { title, email, ownerName, audience };
}

/** An owner, and the account's API key. */
export interface OrganizationOwner {
  /** The ID of the account. */
  user_id: number;
  /** The e-mail address with which the account logs in. */
  email: string;
  /** The API key. Keep it secret, like a password. */
  api_key: string;
}

/** Creates the organization, its system groups and bots and its first owner, in one transaction. */
export async function createOrganization(
  services: Services,
  organization: NewOrganization,
): Promise<OrganizationOwner> {
  const create = await prepareCreation(services, organization);
  return services.storage.write(async (tx) => {
    if (await tx.organization.get())
      throw new BadRequest('This database already contains an organization. Use an empty database.');
    return create(tx);
  });
}

/** Creates the organization unless there is one. */
export async function ensureOrganization(
  services: Services,
  organization: NewOrganization,
): Promise<OrganizationOwner & { is_new: boolean }> {
  const { email } = checkNewOrganization(organization);
  const present = await services.storage.read((tx) => ownerOf(tx, email));
  if (present) return { ...present, is_new: false };
  const create = await prepareCreation(services, organization);
  return services.storage.write(async (tx) => {
    // Write transactions run one at a time, so no other process creates it after this lookup.
    const owner = await ownerOf(tx, email);
    return owner ? { ...owner, is_new: false } : { ...(await create(tx)), is_new: true };
  });
}

/**
 * The owner with this address, otherwise the first owner: owners may change their address. Undefined without an
 * organization.
 */
async function ownerOf(tx: Transaction, email: string): Promise<OrganizationOwner | undefined> {
  const organization = await tx.organization.get();
  if (!organization) return undefined;
  const owners = (await tx.users.byIds(await tx.users.activeIds([OWNER]))).filter((user) => !isBot(user));
  const named = await tx.users.byEmail(email);
  const owner = owners.find(({ id }) => id === named?.id) ?? owners[0];
  if (!owner) throw new BadRequest('The organization has no active owner.');
  const api_key = deriveApiKey(organization.secret, owner.id, owner.key_generation);
  return { user_id: owner.id, email: owner.delivery_email, api_key };
}

/** Checks the parameters and hashes the password, which takes time, before the transaction. */
async function prepareCreation(services: Services, organization: NewOrganization) {
  const { title, email, ownerName, audience } = checkNewOrganization(organization);
  const { description = '', owner } = organization;
  const password_hash = owner.password === undefined ? null : await hashPassword(owner.password);
  const secret = randomBytes(32).toString('hex');
  const now = services.clock.now();
  return async (tx: Transaction): Promise<OrganizationOwner> => {
    await tx.organization.create({
      name: title,
      description,
      host: new URL(services.options.baseUrl).hostname,
      created_ms: now,
      secret,
      uuid: randomUUID(),
      settings: { ...SETTINGS_FROM_THE_START, ...(audience === 'customers' ? FOR_CUSTOMERS : {}) },
    });
    for (const group of SYSTEM_GROUPS) {
      const id = await tx.groups.create({
        external_id: null,
        name: group.name,
        description: group.description,
        is_system_group: true,
        creator_id: null,
        created_ms: null,
        deactivated: false,
        settings: {},
        members: [],
        direct_subgroup_ids: group.subgroup === null ? [] : [group.subgroup],
      });
      if (id !== group.id) throw new Error(`System group ${group.name} got ID ${id}; the database was not empty.`);
    }
    for (const bot of SYSTEM_BOTS) {
      const account = { email: bot.email, full_name: bot.name, now };
      await tx.users.create(newBot(account, { bot_type: 1, is_system_bot: true }));
    }
    const created = present(await tx.organization.get());
    const first = {
      email,
      is_email_verified: true,
      full_name: ownerName,
      role: OWNER,
      password_hash,
    } as const;
    const user = await tx.users.create(newAccount({ ...first, now, organization: created }));
    return { user_id: user.id, email, api_key: deriveApiKey(secret, user.id, user.key_generation) };
  };
}

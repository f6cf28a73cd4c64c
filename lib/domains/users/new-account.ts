import { organizationSetting } from '../../rules/organization-settings.ts';
import { MEMBER } from '../../rules/roles.ts';
import type { Organization } from '../../storage/interface/organization.ts';
import type { BotService, EmailVisibility, NewUser, Role } from '../../storage/interface/users.ts';

interface NewPerson {
  email: string;
  full_name: string;
  role: Role;
  now: number;
  /** Gives the default settings. Absent for bots and while the organization is being created. */
  organization?: Organization;
  timezone?: string | undefined;
  /** Personal settings that the person chose. */
  settings?: Readonly<Record<string, unknown>> | undefined;
}

/** The record of a new person's account. */
export function newAccount(person: NewPerson): NewUser {
  const defaults = person.organization ? organizationSetting(person.organization, 'user_settings_defaults') : {};
  const { email_address_visibility = 1, ...settings } = defaults;
  return {
    delivery_email: person.email,
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
    password_hash: null,
    key_generation: 0,
    can_change_user_emails: false,
    sign_in_unlocks: 0,
    settings: { ...settings, ...person.settings },
  };
}

/** The record of a new bot's account. Bots have no password and show their address to everyone. */
export function newBot(bot: {
  email: string;
  full_name: string;
  bot_type: number;
  service?: BotService | undefined;
  owner: number | null;
  now: number;
}): NewUser {
  return {
    ...newAccount({ email: bot.email, full_name: bot.full_name, role: MEMBER, now: bot.now }),
    bot_type: bot.bot_type,
    bot_owner_id: bot.owner,
    bot_service: bot.service ?? null,
  };
}

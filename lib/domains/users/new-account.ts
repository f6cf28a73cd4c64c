import { MEMBER } from '../../rules/roles.ts';
import type { AvatarSource, NewUser, Role } from '../../storage/interface/users.ts';

/** A person's account as it begins. */
export function newAccount(person: {
  email: string;
  full_name: string;
  role: Role;
  now: number;
  avatar_source?: AvatarSource;
}): NewUser {
  return {
    delivery_email: person.email,
    full_name: person.full_name,
    role: person.role,
    is_active: true,
    bot_type: null,
    bot_owner_id: null,
    is_system_bot: false,
    timezone: '',
    joined_ms: person.now,
    avatar_source: person.avatar_source ?? 'J',
    avatar_version: 1,
    email_visibility: 1,
    password_hash: null,
    key_generation: 0,
    settings: {},
  };
}

/** A bot's account as it begins; bots have no password and show their address to everyone. */
export function newBot(bot: {
  email: string;
  full_name: string;
  bot_type: number;
  owner: number | null;
  now: number;
}): NewUser {
  return {
    ...newAccount({ email: bot.email, full_name: bot.full_name, role: MEMBER, now: bot.now }),
    bot_type: bot.bot_type,
    bot_owner_id: bot.owner,
  };
}

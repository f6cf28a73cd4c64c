import { traceOf } from '../rules/decisions.ts';
import { roleName, withArticle } from '../rules/roles.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { User } from '../storage/interface/users.ts';
import type { Access } from './context.ts';
import { BadRequest, type ChatError, Unauthorized, UnauthorizedPrincipal } from './errors.ts';
import type { Operation } from './operation.ts';

const INCOMING_WEBHOOK = 2;

/** Throws unless the account may call the operation at all. */
export function checkAccount({ access, webhook }: Pick<Operation, 'access' | 'webhook'>, user: User): void {
  const tell = traceOf(user);
  const unusable = accountRefusal(webhook === true, user);
  tell?.({ rule: 'account', isYes: unusable === undefined, detail: unusable?.message ?? 'The account is active.' });
  if (unusable) throw unusable;
  const refusal = accessRefusal(access, user);
  tell?.({
    rule: 'access',
    isYes: refusal === undefined,
    detail: `It is open to ${OPEN_TO[access]}; ${whatIs(user)}.`,
  });
  if (refusal) throw refusal;
}

function whatIs({ role, bot_type }: User): string {
  return bot_type === null ? `they are ${withArticle(role)}` : `they are a bot with the role ${roleName(role)}`;
}

/** Who may call an operation, as display text. */
export const OPEN_TO: Readonly<Record<Access, string>> = {
  anyone: 'everyone, without login',
  spectator: 'every account; without login if the organization allows public access',
  user: 'every account',
  member: 'all users except guests',
  human: 'people, not bots',
  'human member': 'people who are not guests',
  administrator: 'administrators',
  owner: 'owners',
};

function accountRefusal(isForWebhooks: boolean, user: User): ChatError | undefined {
  if (!user.is_active)
    return new Unauthorized('This account has been deactivated. Ask an administrator to reactivate it.');
  if (user.bot_type !== INCOMING_WEBHOOK || isForWebhooks) return undefined;
  return new Unauthorized('An incoming-webhook bot may only send messages.');
}

function accessRefusal(access: Access, user: User): ChatError | undefined {
  const isBot = user.bot_type !== null;
  if ((access === 'member' || access === 'human member') && user.role === 600) {
    return new BadRequest('Guests are not allowed to do this.');
  }
  if ((access === 'human' || access === 'human member') && isBot)
    return new BadRequest('Bots are not allowed to do this.');
  if (access === 'administrator' && user.role > 200) return new UnauthorizedPrincipal('an organization administrator');
  if (access === 'owner' && user.role > 100) return new UnauthorizedPrincipal('an organization owner');
  return undefined;
}

/** Throws unless the operation is open to callers without credentials. */
export function checkSpectator(access: Access, organization: Organization, webPublicChannels: boolean): void {
  if (access === 'spectator' && webPublicChannels && organization.settings.enable_spectator_access === true) return;
  throw new Unauthorized('Give the e-mail address and API key of an account by HTTP Basic authentication.');
}

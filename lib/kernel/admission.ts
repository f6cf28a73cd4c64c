import type { Organization } from '../storage/interface/organization.ts';
import type { User } from '../storage/interface/users.ts';
import type { Access } from './context.ts';
import { BadRequest, Unauthorized, UnauthorizedPrincipal } from './errors.ts';
import type { Operation } from './operation.ts';

const INCOMING_WEBHOOK = 2;

/** Throws unless the account may call the operation at all. */
export function checkAccount({ access, webhook }: Pick<Operation, 'access' | 'webhook'>, user: User): void {
  if (!user.is_active) throw new Unauthorized('This account has been deactivated.');
  if (user.bot_type === INCOMING_WEBHOOK && !webhook) {
    throw new Unauthorized('An incoming-webhook bot may only send messages.');
  }
  const isBot = user.bot_type !== null;
  if ((access === 'member' || access === 'human member') && user.role === 600) {
    throw new BadRequest('Guests cannot do this.');
  }
  if ((access === 'human' || access === 'human member') && isBot) throw new BadRequest('Bots cannot do this.');
  if (access === 'administrator' && user.role > 200) throw new UnauthorizedPrincipal('an organization administrator');
  if (access === 'owner' && user.role > 100) throw new UnauthorizedPrincipal('an organization owner');
}

/** Throws unless the operation is open to callers without credentials. */
export function checkSpectator(access: Access, organization: Organization, webPublicChannels: boolean): void {
  if (access === 'spectator' && webPublicChannels && organization.settings.enable_spectator_access === true) return;
  throw new Unauthorized('Give the e-mail address and API key of an account by HTTP Basic authentication.');
}

import { avatarUrl } from '../../access/avatars.ts';
import { apiEmail, roleSeesEmail } from '../../access/user-view.ts';
import { areGuestsRestricted } from '../../access/users.ts';
import type { AccountContext } from '../../kernel/context.ts';
import { GUEST, isBot, ROLES } from '../../rules/roles.ts';
import type { Audience } from '../../storage/interface/event-log.ts';
import type { EmailVisibility, User } from '../../storage/interface/users.ts';
import { accountAudience, addressShown, emitAccountUpdated } from './accounts/events.ts';
import { emitBotsUpdated } from './bots/events.ts';

/** Changes an e-mail address or its visibility, and sends events to all users who see a difference. */
export async function changeAddress(
  context: AccountContext,
  before: User,
  change: { delivery_email?: string; email_visibility?: EmailVisibility },
): Promise<void> {
  const { tx, organization, emit } = context;
  const after = await tx.users.update(before.id, change);
  const new_email = apiEmail(after, organization);
  if (new_email !== apiEmail(before, organization)) await emitAccountUpdated(context, after, { new_email });
  const everybody = await accountAudience(context, after);
  if (after.delivery_email !== before.delivery_email) {
    // All users see the Gravatar URL, which is computed from the address.
    if (after.avatar_source === 'G') return emitWithBot(context, everybody, after);
    return emitWithBot(context, await audienceOf(context, after, (role) => sees(after, role)), after);
  }
  const readers = await audienceOf(context, after, (role) => sees(before, role) !== sees(after, role));
  emit({ ...readers, except: [...(readers.except ?? []), after.id] }, addressShown(after, organization));
}

const sees = (user: User, role: User['role']) => isBot(user) || roleSeesEmail(user.email_visibility, role);

async function emitWithBot(context: AccountContext, audience: Parameters<AccountContext['emit']>[0], user: User) {
  const { organization, emit } = context;
  emit(audience, addressShown(user, organization));
  await emitBotsUpdated(context, [user], {
    email: user.delivery_email,
    username: user.delivery_email,
    avatar_url: avatarUrl(user, organization),
  });
}

/**
 * The account itself, and the users with certain roles who can see it. If these are most users, the audience is
 * "everyone except ...": otherwise each change of the visibility would store one row per reader, thousands of rows.
 */
async function audienceOf(
  context: AccountContext,
  account: User,
  isOfInterest: (role: User['role']) => boolean,
): Promise<Audience> {
  const { tx, organization } = context;
  const areRestricted = areGuestsRestricted(organization) && !isBot(account);
  const wantsGuests = isOfInterest(GUEST);
  const guests = areRestricted && wantsGuests ? ((await accountAudience(context, account)).users ?? []) : [];
  const isEveryone = wantsGuests && !areRestricted;
  const scope = isEveryone ? 'everyone' : 'members';
  const others = ROLES.filter((role) => !isOfInterest(role) && role !== GUEST);
  const roles = ROLES.filter((role) => isOfInterest(role) && (role !== GUEST || isEveryone));
  const [ids, except] = [await tx.users.activeIds(roles), await tx.users.activeIds(others)];
  if (ids.length <= except.length) return { users: [...new Set([account.id, ...guests, ...ids])] };
  return { scope, users: [...new Set([account.id, ...guests])], except: except.filter((id) => id !== account.id) };
}

import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../base/errors.ts';
import { choice, optional, text, type ValuesOf } from '../../base/schemas.ts';
import type { DeclaredEvent } from '../../events/define-event.ts';
import type { EmailVisibility, Role, User } from '../../model/users.ts';
import { isErased } from '../../rules/erasure.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { ADMINISTRATOR, GUEST, isAdministrator, isBot, isGuest, isOwner, OWNER, ROLES } from '../../rules/roles.ts';
import type { Audience } from '../../storage/interface/events.ts';
import { checkConfirmed, confirmationCode, isGuarded } from '../../viewer/confirmation.ts';
import type { AccountContext, WriteContext } from '../../viewer/context.ts';
import { startOver } from '../../viewer/user-visibility.ts';
import { areGuestsRestricted, type KnownChannel, viewerOf } from '../../viewer/viewer.ts';
import { avatarUrl } from '../../views/avatars.ts';
import { checkUnlocked } from '../../views/external-ids.ts';
import { apiEmail, roleSeesEmail } from '../../views/user-view.ts';
import { emitChannelsDeleted, onlyIfShown } from '../channels/channel-view.ts';
import { emitChannelsBecameVisible } from '../channels/visible-channels.ts';
import { endForbiddenBlocks } from '../messages/blocking.ts';
import { organizationUpdated } from '../organization/settings/organization-change.ts';
import { emitOtherRole } from '../user-groups/memberships.ts';
import { accountAudience, addressShown, emitAccountUpdated } from './accounts/events.ts';
import { isOnlyOwner } from './activation.ts';
import { botCreated, botHidden, botView, emitBotsUpdated } from './bots/bot.ts';
import { changedAddressProblem } from './invitations/addresses.ts';
import { endAccessOf } from './logins.ts';
import { checkBotNameIsFree, checkNameIsFree, fullName } from './names.ts';
import { changeProfileData, profileDataParam } from './profile-data.ts';

export const userChangeParams = {
  full_name: optional(text(), 'Display name, 2 to 100 characters. A blank name changes nothing.'),
  role: optional(choice(ROLES), 'Only owners can grant or revoke the owner role. Guests cannot become administrators.'),
  profile_data: v.optional(profileDataParam),
  new_email: optional(text(), 'New real e-mail address. Only for owners with the permission can_change_user_emails.'),
  code: confirmationCode,
};

export async function changeUser(
  context: AccountContext,
  user: User,
  { role = user.role, full_name = '', profile_data, new_email }: Omit<ValuesOf<typeof userChangeParams>, 'code'>,
): Promise<void> {
  if (role !== user.role) {
    checkUnlocked(context, 'role', [user]);
    await changeRole(context, user, role);
  }
  const account = role === user.role ? user : { ...user, role };
  const name = full_name.trim() === '' ? user.full_name : fullName(full_name);
  if (name !== user.full_name) {
    checkUnlocked(context, 'name', [user]);
    await checkNameIsFree(context, name, user.id);
    if (isBot(user)) await checkBotNameIsFree(context, name, user.id);
    await context.tx.users.update(user.id, { full_name: name });
    await emitAccountUpdated(context, account, { full_name: name });
    await emitBotsUpdated(context, [account], { full_name: name });
  }
  if (profile_data) await changeProfileData(context, account, profile_data);
  if (new_email === undefined) return;
  const delivery_email = await newAddress(context, user, new_email);
  if (delivery_email === user.delivery_email) return;
  checkUnlocked(context, 'email', [user]);
  // The holder of the new mailbox can set a password.
  await checkConfirmed(context, account.role);
  await changeAddress(context, account, { delivery_email, is_email_verified: true });
}

async function newAddress({ tx, actor, organization }: AccountContext, user: User, given: string): Promise<string> {
  if (!isOwner(actor) || !actor.can_change_user_emails) {
    throw new BadRequest('Only owners with the permission can_change_user_emails can change e-mail addresses.');
  }
  if (isErased(user)) throw new BadRequest('This account was erased. Create a new account instead.');
  const email = given.trim();
  const problem = changedAddressProblem(organization, user.delivery_email, email);
  if (problem !== undefined) throw new BadRequest(`No account can have the address "${email}". ${problem}`);
  const holder = await tx.users.byEmail(email);
  if (holder && holder.id !== user.id)
    throw new BadRequest(`The address "${email}" is already in use by another account.`);
  return email;
}

/** Changes an e-mail address or its visibility, and sends events to all users who see a difference. */
export async function changeAddress(
  context: WriteContext,
  before: User,
  change: { delivery_email?: string; is_email_verified?: boolean; email_visibility?: EmailVisibility },
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

async function emitWithBot(context: WriteContext, audience: Parameters<WriteContext['emit']>[0], user: User) {
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
  context: WriteContext,
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

/** With more differences, the account's clients load everything again. */
const MAX_DIFFERENCES = 1_000;

async function checkRoleChange(context: AccountContext, user: User, role: Role): Promise<void> {
  const { actor } = context;
  if ((isOwner(user) || role === OWNER) && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
  if (!isAdministrator(actor)) throw new UnauthorizedPrincipal('an organization administrator');
  if (isGuest(user) && role <= ADMINISTRATOR) {
    throw new BadRequest('A guest cannot become an administrator. Make them a member first.');
  }
  if (await isOnlyOwner(context, user)) {
    throw new BadRequest(
      'The only owner of the organization cannot change their role. Make another user an owner first.',
    );
  }
}

/**
 * Changes the role of an account. If the new one needs a second factor, ends its logins, API key and password. More hands
 * may have them than the role allows. Users who see the account get the events of the role and of its system
 * groups. The account itself also gets what it can see now or no longer see.
 */
async function changeRole(context: AccountContext, before: User, role: Role): Promise<void> {
  const { tx, organization, emit } = context;
  await checkRoleChange(context, before, role);
  // Also to lower it: the account could get another password, and its role back from an owner who sees the change.
  await checkConfirmed(context, Math.min(role, before.role) as Role);
  const channels = await tx.channels.all();
  const { known: knownBefore } = await viewerOf(context, before).knownChannels(channels);
  const after = await tx.users.update(before.id, { role });
  if (isGuarded(organization, role) && !isGuarded(organization, before.role)) await endAccessOf(context, after);
  await endForbiddenBlocks(context, [after.id]);
  await emitAccountUpdated(context, after, { role });
  // Member lists contain active accounts only.
  if (!after.is_active) return;
  emitOtherRole(context, before, after);
  // Guests see other channels and users. Events before the change, if not read yet, would go by the new role.
  if (isGuest(before) !== isGuest(after)) return startOver(context, [after.id]);
  const { known: knownAfter } = await viewerOf(context, after).knownChannels(channels);
  const seen = await differences(context, before, after, { knownBefore, knownAfter });
  if (!seen) return startOver(context, [after.id]);
  const mine = { users: [after.id] };
  for (const { channel } of seen.lost) emitChannelsDeleted(context, mine, [channel], onlyIfShown(channel));
  await emitChannelsBecameVisible(
    context,
    seen.gained.map(({ channel }) => ({ ...mine, channel })),
  );
  for (const event of [...seen.events, ...eventsOfRole(context, before, after)]) emit(mine, event);
}

/** What the account sees no longer or newly. Undefined if there are too many differences. */
async function differences(
  { tx, organization }: AccountContext,
  before: User,
  after: User,
  { knownBefore, knownAfter }: Record<'knownBefore' | 'knownAfter', readonly KnownChannel[]>,
) {
  const ids = (known: readonly KnownChannel[]) => new Set(known.map(({ channel }) => channel.id));
  const [had, has] = [ids(knownBefore), ids(knownAfter)];
  const lost = knownBefore.filter(({ channel }) => !has.has(channel.id));
  const gained = knownAfter.filter(({ channel }) => !had.has(channel.id));
  /** Of other accounts: addresses and bots. */
  const events: DeclaredEvent[] = [];
  const isOther = (visibility: EmailVisibility) =>
    roleSeesEmail(visibility, before.role) !== roleSeesEmail(visibility, after.role);
  // One more than needed, because the account itself may be in the result.
  const enough = MAX_DIFFERENCES + 2;
  for (const other of await tx.users.withEmailVisibility(([1, 2, 3, 4, 5] as const).filter(isOther), enough)) {
    if (other.id !== after.id) events.push(addressShown(other, organization));
  }
  const isAnother = isAdministrator(before) !== isAdministrator(after);
  for (const bot of isAnother ? await tx.users.bots(enough + (await tx.users.botsOwnedBy(after.id)).length) : []) {
    if (bot.bot_owner_id === after.id) continue;
    if (isAdministrator(after)) events.push(botCreated({ bot: botView(bot, organization) }));
    else events.push(botHidden({ bot: { user_id: bot.id } }));
  }
  return lost.length + gained.length + events.length > MAX_DIFFERENCES ? undefined : { lost, gained, events };
}

/** Events for the parts of the state that only some roles get. */
function eventsOfRole(context: AccountContext, before: User, after: User): DeclaredEvent[] {
  if (!isAdministrator(after) || isAdministrator(before)) return [];
  const properties = ['max_invites', 'welcome_message_custom_text'] as const;
  return properties.map((property) =>
    organizationUpdated({ property, value: organizationSetting(context.organization, property) }),
  );
}

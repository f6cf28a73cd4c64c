import { type KnownChannel, knownChannels } from '../../access/channels.ts';
import { roleSeesEmail } from '../../access/user-view.ts';
import { startOver } from '../../access/user-visibility.ts';
import { isRestricted } from '../../access/users.ts';
import type { AccountContext } from '../../kernel/context.ts';
import type { DeclaredEvent } from '../../kernel/define-event.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../kernel/errors.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { ADMINISTRATOR, isAdministrator, isGuest, isOwner, OWNER } from '../../rules/roles.ts';
import type { EmailVisibility, Role, User } from '../../storage/interface/users.ts';
import { onlyIfShown } from '../channels/archived-channels.ts';
import { emitChannelsDeleted } from '../channels/channels/events.ts';
import { defaultChannelIds } from '../channels/default-channels.ts';
import { defaultChannelsChanged } from '../channels/defaults/events.ts';
import { emitChannelsBecameVisible } from '../channels/visible-channels.ts';
import { organizationUpdated } from '../organization/settings/events.ts';
import { emitOtherRole } from '../user-groups/account-memberships.ts';
import { addressShown, emitAccountUpdated } from './accounts/events.ts';
import { checkNotOnlyOwner } from './activation.ts';
import { botView } from './bots/bot.ts';
import { botCreated, botHidden } from './bots/events.ts';

/** With more differences, the account's clients load everything again. */
const MAX_DIFFERENCES = 1_000;

/** Throws unless the actor may assign this role to the account. */
export async function checkRoleChange(context: AccountContext, user: User, role: Role): Promise<void> {
  const { actor } = context;
  if ((isOwner(user) || role === OWNER) && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
  if (!isAdministrator(actor)) throw new UnauthorizedPrincipal('an organization administrator');
  if (isGuest(user) && role <= ADMINISTRATOR) {
    throw new BadRequest('A guest cannot become an administrator. Make them a member first.');
  }
  await checkNotOnlyOwner(context, user, 'The only owner of the organization cannot change their role');
}

/**
 * Changes the role of an account, which `checkRoleChange` must have allowed. Users who see the account get the events
 * of the role and of its system groups. The account itself also gets what it can see now or no longer see.
 */
export async function changeRole(context: AccountContext, before: User, role: Role): Promise<void> {
  const { tx, organization, emit } = context;
  const channels = await tx.channels.all();
  const { known } = await knownChannels(context, before, channels);
  const after = await tx.users.update(before.id, { role });
  await emitAccountUpdated(context, after, { role });
  // Member lists contain active accounts only.
  if (!after.is_active) return;
  emitOtherRole(context, before, after);
  // The set of visible users is completely different.
  if (isRestricted(before, organization) !== isRestricted(after, organization)) return startOver(context, [after.id]);
  const seen = await differences(context, before, after, known, (await knownChannels(context, after, channels)).known);
  if (seen === 'too much') return startOver(context, [after.id]);
  const mine = { users: [after.id] };
  for (const { channel } of seen.lost) emitChannelsDeleted(context, mine, [channel], onlyIfShown(channel));
  await emitChannelsBecameVisible(context, [[mine.users, seen.gained.map(({ channel }) => channel)]]);
  for (const event of [...seen.events, ...(await eventsOfRole(context, before, after))]) emit(mine, event);
}

interface Differences {
  lost: KnownChannel[];
  gained: KnownChannel[];
  /** Of other accounts: addresses and bots. */
  events: DeclaredEvent[];
}

/** What the account can see now or no longer see. */
async function differences(
  { tx, organization }: AccountContext,
  before: User,
  after: User,
  knownBefore: readonly KnownChannel[],
  knownAfter: readonly KnownChannel[],
): Promise<Differences | 'too much'> {
  const ids = (known: readonly KnownChannel[]) => new Set(known.map(({ channel }) => channel.id));
  const [had, has] = [ids(knownBefore), ids(knownAfter)];
  const lost = knownBefore.filter(({ channel }) => !has.has(channel.id));
  const gained = knownAfter.filter(({ channel }) => !had.has(channel.id));
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
  return lost.length + gained.length + events.length > MAX_DIFFERENCES ? 'too much' : { lost, gained, events };
}

/** Events for the parts of the state that only some roles get. */
async function eventsOfRole(context: AccountContext, before: User, after: User): Promise<DeclaredEvent[]> {
  const events: DeclaredEvent[] = [];
  if (isGuest(before) !== isGuest(after)) {
    const default_streams = isGuest(after) ? [] : await defaultChannelIds(context);
    events.push(defaultChannelsChanged({ default_streams }));
  }
  if (isAdministrator(after) && !isAdministrator(before)) {
    for (const property of ['max_invites', 'welcome_message_custom_text'] as const) {
      events.push(organizationUpdated({ property, value: organizationSetting(context.organization, property) }));
    }
  }
  return events;
}

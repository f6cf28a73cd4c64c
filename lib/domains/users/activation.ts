import { BadRequest, UnauthorizedPrincipal } from '../../base/errors.ts';
import { chunked } from '../../base/lists.ts';
import type { ChannelRules } from '../../model/channels.ts';
import type { GroupSettingValue } from '../../model/groups.ts';
import type { User } from '../../model/users.ts';
import { defineOutboxKind } from '../../operation/feature.ts';
import { channelPermission } from '../../rules/channels.ts';
import { isErased } from '../../rules/erasure.ts';
import { organizationPermission } from '../../rules/organization-settings.ts';
import { CHANNEL_PERMISSION_NAMES, ORGANIZATION_PERMISSION_NAMES } from '../../rules/permission-settings.ts';
import { isBot, isOwner, isSystem, OWNER } from '../../rules/roles.ts';
import { channelAudiences, inactiveUserIds } from '../../viewer/audiences.ts';
import { checkConfirmed } from '../../viewer/confirmation.ts';
import type { AccountContext, WriteContext } from '../../viewer/context.ts';
import { emitVisibility, restrictedGuests, visibilityBefore } from '../../viewer/user-visibility.ts';
import { checkUnlocked } from '../../views/external-ids.ts';
import { channelUpdated, groupMembersAdded, groupMembersRemoved } from '../../views/shared-events.ts';
import { onlyIfShown } from '../channels/channel-view.ts';
import { emitPeers, peerAudiences, peersSubscribed, peersUnsubscribed } from '../channels/subscriptions/events.ts';
import { groupSettingView } from '../organization/group-setting-value.ts';
import { organizationUpdatedDict } from '../organization/settings/organization-change.ts';
import { emitAccountMemberships, emitShownGroupPermissions } from '../user-groups/memberships.ts';
import { emitAccountUpdated } from './accounts/events.ts';
import { emitBotsUpdated, giveBot } from './bots/bot.ts';
import { emitInvitesChanged } from './invitations/invitation.ts';
import { checkBotNameIsFree } from './names.ts';

export function checkMayChangeOwner(actor: User, target: Pick<User, 'role'>): void {
  if (isOwner(target) && !isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
}

/** Whether the organization would have no owner without this one. Bots and deactivated accounts do not count. */
export async function isOnlyOwner({ tx }: Pick<WriteContext, 'tx'>, user: User): Promise<boolean> {
  return user.is_active && isOwner(user) && !isBot(user) && (await tx.users.countActive(OWNER)) <= 1;
}

/**
 * Deactivates an account and the bots it owns. Event queues, tokens and cookies end for good. API keys stop working until
 * a reactivation.
 */
export async function deactivate(context: WriteContext, user: User): Promise<void> {
  if (!user.is_active) return;
  const { tx } = context;
  checkUnlocked(context, 'is_active', [user]);
  if (await isOnlyOwner(context, user)) {
    const data = { entity: 'organization owner', is_last_owner: true };
    throw new BadRequest(
      'The only owner of the organization cannot be deactivated. Make another user an owner first.',
      data,
    );
  }
  const bots = isBot(user) ? [] : await tx.users.botsOwnedBy(user.id);
  await deactivateAll(context, [user, ...bots.filter((bot) => bot.is_active)]);
  if (await tx.invitations.revokeOf(user.id, context.now)) await emitInvitesChanged(context, user.id);
}

/** Deactivates these active accounts. Does not check whether they may be deactivated. */
export async function deactivateAll(context: WriteContext, accounts: readonly User[]): Promise<void> {
  if (accounts.length === 0) return;
  const { tx } = context;
  const ids = accounts.map((account) => account.id);
  const before = await visibilityBefore(context, [{ guests: await restrictedGuests(context), users: ids }]);
  await tx.queues.removeOfUsers(ids);
  await emitToPeers(context, ids, peersUnsubscribed);
  await tx.users.deactivate(ids);
  for (const account of accounts) await emitAccountUpdated(context, account, { is_active: false });
  await emitBotsUpdated(context, accounts, { is_active: false });
  await emitVisibility(context, before);
  await emitAccountMemberships(context, accounts, groupMembersRemoved);
  await emitShownPermissions(context, ids);
}

/**
 * Keeps the role, subscriptions, password and API key. Does not reactivate the bots of the account. A bot without an
 * active owner gets the caller as its owner.
 */
export async function reactivate(context: AccountContext, user: User): Promise<void> {
  if (user.is_active) throw new BadRequest('This account is already active.');
  if (isErased(user)) throw new BadRequest('This account was erased. Create a new account instead.');
  checkUnlocked(context, 'is_active', [user]);
  await checkConfirmed(context, user.role);
  if (isBot(user)) await checkBotNameIsFree(context, user.full_name, user.id);
  const before = await visibilityBefore(context, [{ guests: await restrictedGuests(context), users: [user.id] }]);
  // Ends what was valid before: also tokens, cookies and invitations of before a deactivation by an older process.
  await context.tx.users.update(user.id, { is_active: true, login_generation: user.login_generation + 1 });
  await context.tx.invitations.revokeOf(user.id, context.now);
  await context.tx.passwordResets.endChanges(user.id);
  await emitVisibility(context, before);
  await emitAccountUpdated(context, user, { is_active: true });
  await emitToPeers(context, [user.id], peersSubscribed);
  await emitBotsUpdated(context, [user], { is_active: true });
  if (isBot(user)) await adoptBot(context, user);
  await emitAccountMemberships(context, [user], groupMembersAdded);
  await emitShownPermissions(context, [user.id]);
}

async function adoptBot(context: AccountContext, bot: User): Promise<void> {
  const { tx, actor } = context;
  const owner = bot.bot_owner_id === null ? undefined : await tx.users.byId(bot.bot_owner_id);
  // Host programs have no account, and a bot cannot own a bot.
  if (!owner?.is_active && !isSystem(actor) && !isBot(actor)) await giveBot(context, bot, actor.id);
}

/** Subscriber lists contain active accounts only. Adds accounts to the lists of their channels, or removes them. */
async function emitToPeers(
  context: WriteContext,
  userIds: readonly number[],
  event: typeof peersSubscribed | typeof peersUnsubscribed,
): Promise<void> {
  const { tx } = context;
  const theirs = await tx.subscriptions.byChannel(userIds);
  if (theirs.size === 0) return;
  const channels = await tx.channels.byIds([...theirs.keys()]);
  const audiences = await peerAudiences(context, channels);
  for (const is_archived of [false, true]) {
    const changes = channels
      .filter((channel) => channel.is_archived === is_archived)
      .map((channel) => {
        const ids = theirs.get(channel.id) ?? [];
        return { channel, ids, peers: { ...audiences.get(channel.id), except: ids } };
      });
    emitPeers(context, changes, event, onlyIfShown({ is_archived }));
  }
}

/** One user may be in the permissions of 10,000 channels. */
const CHANNELS_PER_TRANSACTION = 250;

/** Permission values show active accounts only. So a value that contains one of these accounts has changed. */
async function emitShownPermissions(context: WriteContext, userIds: readonly number[]): Promise<void> {
  const { tx, organization, emit, enqueue } = context;
  const inactive = await inactiveUserIds(context);
  const isNaming = naming(userIds);
  for (const key of ORGANIZATION_PERMISSION_NAMES) {
    const value = organizationPermission(organization, key);
    if (!isNaming(value)) continue;
    const data = { [key]: groupSettingView(value, inactive) };
    emit({ scope: 'everyone' }, organizationUpdatedDict({ property: 'default', data }));
  }
  await emitShownGroupPermissions(context, isNaming, inactive, userIds);
  const [first = [], ...later] = chunked(await tx.channels.naming(userIds), CHANNELS_PER_TRANSACTION);
  await emitOfChannels(context, first, userIds);
  for (const channels of later) {
    enqueue(tellShownPermissions({ user_ids: [...userIds], channel_ids: channels.map(({ id }) => id) }));
  }
}

/** Sends the remaining channel events after the transaction of the change, with current values. */
export const tellShownPermissions = defineOutboxKind<{ user_ids: number[]; channel_ids: number[] }>(
  'shown-permissions',
  {
    concurrency: 1,
    async perform(services, { user_ids, channel_ids }) {
      await services.asSystem('mark', async (context) => {
        await emitOfChannels(context, await context.tx.channels.byIds(channel_ids), user_ids);
      });
    },
  },
);

async function emitOfChannels(context: WriteContext, channels: readonly ChannelRules[], userIds: readonly number[]) {
  if (channels.length === 0) return;
  const inactive = await inactiveUserIds(context);
  const audiences = await channelAudiences(context, channels);
  const isNaming = naming(userIds);
  for (const channel of channels) {
    const audience = audiences.get(channel.id) ?? {};
    for (const property of CHANNEL_PERMISSION_NAMES) {
      const stored = channelPermission(channel, property);
      if (!isNaming(stored)) continue;
      const value = groupSettingView(stored, inactive);
      const event = channelUpdated({ stream_id: channel.id, name: channel.name, property, value });
      context.emit(audience, event, onlyIfShown(channel));
    }
  }
}

const naming = (userIds: readonly number[]) => (value: GroupSettingValue) =>
  typeof value === 'object' && userIds.some((id) => value.direct_members.includes(id));

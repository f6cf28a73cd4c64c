import { groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import type { Channel } from '../../../model/channels.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { hasSharedHistory } from '../../../rules/channels.ts';
import {
  NOTIFICATION_DEFAULTS,
  type NotificationReason,
  reasonsToNotify,
  type WaySettings,
  wantedReasons,
} from '../../../rules/notifications.ts';
import type { Conversation } from '../../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { StandingNotice } from '../../../storage/interface/notifications.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import type { ReadContext, Services } from '../../../viewer/context.ts';
import { viewerOf } from '../../../viewer/viewer.ts';
import { UNKNOWN_NAME } from '../../../views/user-view.ts';

/** The messages of a period, as the outbox keeps them. */
export interface CollectedMessages {
  user_id: number;
  /** Ascending. */
  message_ids: number[];
  /** By message, the group whose mention is the only mention of the user. */
  groups: number[][];
  /** Further messages of the period. */
  uncounted: number;
  /** One e-mail has the messages of all conversations. */
  of_several?: true;
}

export interface ShownMessage {
  message: PlacedMessage;
  sender: string;
}

/** What a notification tells: unread messages of one conversation. */
export interface MissedMessages {
  organization: Organization;
  user: User;
  conversation: Conversation;
  /** Absent in direct conversations. */
  channel: Channel | undefined;
  /** Names of the other participants, sorted. Empty in channels. */
  others: readonly string[];
  /** Why, the most important reason first. */
  reasons: readonly [NotificationReason, ...NotificationReason[]];
  /** Name of the mentioned group, if that is the reason. */
  group: string | undefined;
  messages: readonly ShownMessage[];
  /** Messages before the first one, which it may refer to. */
  context: readonly ShownMessage[];
  /** Number of further messages. */
  more: number;
}

const MAX_MESSAGES = 20;
const MAX_CONTEXT = 3;
const IMPORTANCE: readonly NotificationReason[] = [
  'direct message',
  'mention',
  'mention of all',
  'followed topic',
  'channel',
];

type Wanted = StandingNotice & { reasons: NotificationReason[] };

/** What a user has missed, by conversation. */
export interface MissedConversations {
  user: User;
  /** The most important ones, and those with most messages, first. */
  conversations: readonly MissedMessages[];
  /** Number of further conversations. */
  more: number;
  /** Number of all messages. */
  messages: number;
  /** Whether there are messages whose conversations are not known. */
  isCut: boolean;
}

const MAX_CONVERSATIONS = 20;

/**
 * By conversation. Empty if the user has read all messages, or no longer wants or may get them.
 * @param way the settings that count
 */
export async function missedMessages(
  services: Services,
  tx: Transaction,
  collected: CollectedMessages,
  way: WaySettings,
): Promise<MissedMessages[]> {
  const found = await stillMissed(services, tx, collected, way);
  if (!found) return [];
  const { context, user, places } = found;
  return Promise.all(
    places.map((notices, at) => inConversation(context, user, notices, collected, at === 0 ? collected.uncounted : 0)),
  );
}

/**
 * For an e-mail about several conversations. undefined if there are none.
 * @param way absent: no setting counts
 */
export async function missedConversations(
  services: Services,
  tx: Transaction,
  collected: CollectedMessages,
  way?: WaySettings,
): Promise<MissedConversations | undefined> {
  const found = await stillMissed(services, tx, collected, way);
  if (!found || found.places.length === 0) return undefined;
  const { context, user } = found;
  const importance = (notices: readonly ReadableNotice[]) => IMPORTANCE.indexOf(mainReasons(notices)[0]);
  const places = found.places.sort((a, b) => importance(a) - importance(b) || b.length - a.length);
  const shown = places.slice(0, MAX_CONVERSATIONS);
  return {
    user,
    conversations: await Promise.all(shown.map((notices) => inConversation(context, user, notices, collected, 0))),
    more: places.length - shown.length,
    messages: places.flat().length + collected.uncounted,
    isCut: collected.uncounted > 0,
  };
}

/** The notices that still hold, by conversation. */
async function stillMissed(services: Services, tx: Transaction, collected: CollectedMessages, way?: WaySettings) {
  const organization = await tx.organization.get();
  const user = await tx.users.byId(collected.user_id);
  if (!organization || !user?.is_active) return undefined;
  const context = { tx, organization, now: services.clock.now(), services };
  const standing = await tx.emailNotices.standing(user.id, collected.message_ids);
  const wanted = standing.flatMap((notice): Wanted[] => {
    const reasons = reasonsNow(notice, user, way);
    return reasons.length > 0 ? [{ ...notice, reasons }] : [];
  });
  const readable = await viewerOf(context, user).readableMessages(
    wanted.map(({ message_id: id, ...notice }) => ({ id, ...notice })),
  );
  return { context, user, places: [...groupBy(readable, ({ conversation_id }) => conversation_id).values()] };
}

/** Whether the user is away does not count again: reading is what ends a notification. */
function reasonsNow(notice: StandingNotice, user: User, way: WaySettings | undefined): NotificationReason[] {
  const recipient = {
    ...notice,
    is_direct: notice.channel_id === null,
    settings: { ...NOTIFICATION_DEFAULTS, ...user.settings },
    is_away: true,
    is_bot: user.bot_type !== null,
    // The query excludes these cases.
    is_sender: false,
    has_muted_sender: false,
  };
  const reasons = reasonsToNotify(recipient);
  return way ? wantedReasons(recipient, reasons, way) : reasons;
}

type ReadableNotice = Omit<Wanted, 'message_id'> & { id: number };

function mainReasons(notices: readonly ReadableNotice[]): [NotificationReason] {
  const all = notices.flatMap(({ reasons }) => reasons);
  return IMPORTANCE.filter((reason) => all.includes(reason)) as [NotificationReason];
}

async function inConversation(
  context: ReadContext,
  user: User,
  notices: readonly ReadableNotice[],
  { groups }: CollectedMessages,
  uncounted: number,
): Promise<MissedMessages> {
  const { tx, organization } = context;
  const first = present(notices[0]);
  const reasons = mainReasons(notices);
  const main = present(notices.find((notice) => notice.reasons.includes(reasons[0])));
  const conversation = present((await tx.conversations.byIds([first.conversation_id]))[0]);
  const channel = first.channel_id === null ? undefined : await tx.channels.byId(first.channel_id);
  const groupId = groups.find(([id]) => id === main.id)?.[1];
  const messages = await tx.messages.byIds(notices.slice(0, MAX_MESSAGES).map(({ id }) => id));
  const before = channel && first.reasons[0] === 'mention' ? await messagesBefore(context, user, first, channel) : [];
  const senders = [...before, ...messages].map(({ sender_id }) => sender_id);
  const others = conversation.participants.filter((id) => id !== user.id);
  const people = new Map((await tx.users.byIds([...new Set([...senders, ...others])])).map((one) => [one.id, one]));
  const visible = channel ? await viewerOf(context, user).visibleUserIds() : undefined;
  const nameOf = (id: number) => {
    const one = people.get(id);
    return one && (!visible || visible.has(id) || one.bot_type !== null) ? one.full_name : UNKNOWN_NAME;
  };
  const shown = (message: PlacedMessage): ShownMessage => ({ message, sender: nameOf(message.sender_id) });
  return {
    organization,
    user,
    conversation,
    channel,
    others: others.map(nameOf).sort(),
    reasons,
    group: groupId === undefined ? undefined : (await tx.groups.heads([groupId]))[0]?.name,
    messages: messages.map(shown),
    context: before.map(shown),
    more: notices.length - messages.length + uncounted,
  };
}

/** The newest messages before this one that the user can read, without those of muted users. */
async function messagesBefore(
  context: ReadContext,
  user: User,
  { id, conversation_id }: ReadableNotice,
  channel: Channel,
): Promise<PlacedMessage[]> {
  const { tx } = context;
  const query = {
    viewer: user.id,
    conversations: [conversation_id],
    ...(hasSharedHistory(channel) ? {} : { receivedOnlyIn: [channel.id] }),
  };
  const ids = await tx.messages.fetchIds(query, id, 'before', MAX_CONTEXT);
  const muted = new Set((await tx.mutedUsers.of(user.id)).map(({ id }) => id));
  const messages = await tx.messages.byIds(ids);
  return messages.filter(({ sender_id }) => !muted.has(sender_id));
}

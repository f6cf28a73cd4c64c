import type { User } from '../../../model/users.ts';
import { defineOutboxKind, type OutboxAttempt } from '../../../operation/feature.ts';
import {
  BY_EMAIL,
  BY_PUSH,
  NOTIFICATION_DEFAULTS,
  type NotificationReason,
  type NotificationRecipient,
  reasonsToNotify,
  wantedReasons,
} from '../../../rules/notifications.ts';
import { isOffline } from '../../../rules/presence.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { NotificationCandidate } from '../../../storage/interface/notifications.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { groupMembers } from '../../../viewer/audiences.ts';
import type { ReadContext, Services, TransactionContext } from '../../../viewer/context.ts';
import { KEEP_NOTICES_MS, type NotificationWay, type Notified } from '../../../viewer/notification-ways.ts';
import { browsers } from '../../push/browsers/browsers.ts';
import { phones } from '../../push/notifications/phones.ts';
import { RETRY_FOR_MS } from '../../push/notifications/send-batch.ts';
import { emails } from '../email/emails.ts';
import { program } from '../program/program.ts';

const WAYS: readonly NotificationWay[] = [phones, browsers, emails, program];

export interface AnnouncedMessage {
  message_id: number;
  /** Users mentioned by name. Set only with `named_groups`: for these users, no group is the reason. */
  named_users?: number[];
  named_groups?: number[];
  /** The message was edited: skips users who were mentioned before. */
  only_mentions?: boolean;
  /** Users up to this ID have been processed; null: all. */
  after?: number | null;
}

const USERS_PER_TRANSACTION = 500;
/** Further mentioned groups are ignored as the reason of a notification. */
const MAX_GROUPS = 10;

/**
 * Decides who is notified of a message, and why, and passes it to the ways. Each transaction records in the item which
 * users it has processed. So each user is processed once, even if a process is killed. The kind has the name of earlier
 * versions, whose items may still wait.
 */
export const decide = defineOutboxKind<AnnouncedMessage>('push-message', {
  concurrency: 2,
  retryForMs: RETRY_FOR_MS,
  async perform(services, announced, item) {
    const ways = WAYS.filter((way) => way.isOn(services));
    if (ways.length === 0) return;
    for (let after = announced.after ?? (announced.after === null ? null : 0); after !== null; ) {
      const from: AnnouncedMessage = { ...announced, after };
      const page: Page | undefined = await services.storage.read((tx) => decidePage(services, tx, from, ways));
      if (page?.decided.some(({ notified }) => notified.length > 0)) {
        if (!(await passOn(services, page, announced, item))) return;
      }
      after = page?.next ?? null;
    }
  },
});

interface Page {
  message: PlacedMessage;
  decided: { way: NotificationWay; notified: Notified[] }[];
  /** The `after` of the next page. */
  next: number | null;
}

/** False if another process has claimed the item since, and processes it. */
function passOn(
  services: Services,
  { message, decided, next }: Page,
  announced: AnnouncedMessage,
  item: OutboxAttempt,
) {
  return services.asSystem('append', async (context) => {
    if (!(await context.tx.outbox.advance(item, { ...announced, after: next }))) return false;
    const fresh = await recordForDevices(context, message, decided);
    for (const { way, notified } of decided) {
      const present = way.onDevices ? notified.filter(({ user }) => fresh.has(user.id)) : notified;
      if (present.length > 0) await way.notify(context, message, present);
    }
    return true;
  });
}

/** Records who is notified on devices. Returns the users who were not notified of the message before. */
async function recordForDevices(
  { tx, now }: TransactionContext<'anyone'>,
  message: PlacedMessage,
  decided: Page['decided'],
): Promise<Set<number>> {
  const onDevices = decided.flatMap(({ way, notified }) => (way.onDevices ? notified : []));
  const ids = [...new Set(onDevices.map(({ user }) => user.id))];
  return new Set(await tx.pushNotices.add(message.id, ids, now + KEEP_NOTICES_MS));
}

async function decidePage(
  services: Services,
  tx: Transaction,
  { message_id, named_users = [], named_groups = [], only_mentions = false, after }: AnnouncedMessage,
  ways: readonly NotificationWay[],
): Promise<Page | undefined> {
  const message = await tx.messages.byId(message_id);
  const concerned = message ? await concernedBy(tx, message, after ?? 0, ways) : [];
  const onlyDevices = ways.every((way) => way.onDevices);
  const candidates = await tx.emailNotices.candidates(message_id, concerned, { onlyDevices });
  const organization = concerned.length > 0 ? await tx.organization.get() : undefined;
  if (!message || !organization) return undefined;
  const now = services.clock.now();
  const users = await tx.users.byIds(candidates.map(({ user_id }) => user_id));
  const decided = decisionsFor(services, message, { candidates, users, ways, only_mentions, now });
  const isByGroup = ({ user, reason }: Notified) => reason === 'mention' && !named_users.includes(user.id);
  const mentioned = decided.flatMap(({ notified }) => notified.filter(isByGroup));
  const groupOf =
    mentioned.length > 0 ? await smallestGroups({ tx, organization, now, services }, named_groups) : undefined;
  for (const one of mentioned) one.group_id = groupOf?.get(one.user.id);
  return {
    message,
    decided,
    next: concerned.length < USERS_PER_TRANSACTION ? null : (concerned.at(-1) ?? null),
  };
}

interface Candidates {
  candidates: readonly NotificationCandidate[];
  /** The accounts of the candidates. */
  users: readonly User[];
  ways: readonly NotificationWay[];
  /** Only users with a new mention. */
  only_mentions: boolean;
  now: number;
}

/** For each way, the users to notify, and why. */
function decisionsFor(
  services: Services,
  message: PlacedMessage,
  { candidates, users, ways, only_mentions, now }: Candidates,
): Page['decided'] {
  const byId = new Map(users.map((user) => [user.id, user]));
  const decided: Page['decided'] = ways.map((way) => ({ way, notified: [] }));
  for (const candidate of candidates) {
    const user = byId.get(candidate.user_id);
    if (!user || (only_mentions && candidate.was_mentioned)) continue;
    const recipient = recipientOf(candidate, user, message, now);
    const reasons = reasonsToNotify(recipient);
    for (const { way, notified } of decided) {
      const [reason] = way.reaches(user, candidate, services) ? wantedReasons(recipient, reasons, way.settings) : [];
      if (reason && (!only_mentions || MENTIONS.includes(reason))) notified.push({ user, reason });
    }
  }
  return decided;
}

const MENTIONS: readonly NotificationReason[] = ['mention', 'mention of all'];

function concernedBy(tx: Transaction, message: PlacedMessage, after: number, ways: readonly NotificationWay[]) {
  return tx.emailNotices.concerned(message, after, USERS_PER_TRANSACTION, {
    email: ways.some(({ settings }) => settings === BY_EMAIL),
    push: ways.some(({ settings }) => settings === BY_PUSH),
  });
}

function recipientOf(
  { connected_ms, was_mentioned: _, ...facts }: NotificationCandidate,
  user: User,
  message: PlacedMessage,
  now: number,
): NotificationRecipient {
  return {
    ...facts,
    is_direct: message.channel_id === null,
    settings: { ...NOTIFICATION_DEFAULTS, ...user.settings },
    is_away: connected_ms === null || isOffline({ connected_ms }, now),
    // The query for candidates excludes these cases.
    is_bot: user.bot_type !== null,
    is_sender: false,
    has_muted_sender: false,
  };
}

/** For each member of the groups, the smallest group that contains them. */
async function smallestGroups(context: ReadContext, groupIds: readonly number[]): Promise<Map<number, number>> {
  const groups: { id: number; members: number[] }[] = [];
  for (const id of groupIds.slice(0, MAX_GROUPS)) groups.push({ id, members: await groupMembers(context, [id]) });
  const found = new Map<number, number>();
  // Later, smaller groups replace larger groups.
  for (const { id, members } of groups.sort((a, b) => b.members.length - a.members.length)) {
    for (const member of members) found.set(member, id);
  }
  return found;
}

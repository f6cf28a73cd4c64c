import { chunked } from '../../../base/lists.ts';
import type { User } from '../../../model/users.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import { isOffline } from '../../../rules/presence.ts';
import { NOTIFICATION_DEFAULTS, type PushTrigger, pushTrigger } from '../../../rules/push-notifications.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { PushCandidate } from '../../../storage/interface/push.ts';
import type { Transaction } from '../../../storage/interface/storage.ts';
import { groupMembers } from '../../../viewer/audiences.ts';
import type { ReadContext, Services } from '../../../viewer/context.ts';
import { RETRY_FOR_MS, type Recipient, sendBatch } from './send-batch.ts';

export interface AnnouncedMessage {
  message_id: number;
  /** Users mentioned by name. Set only with `named_groups`: for these users, no group is the reason. */
  named_users?: number[];
  named_groups?: number[];
  /** The message was edited. All other reasons were processed when it was sent. */
  only_mentions?: boolean;
}

const MENTIONED: Partial<Record<PushTrigger, 'own' | 'all'>> = { mention: 'own', 'mention of all': 'all' };
const USERS_PER_TRANSACTION = 500;
const USERS_PER_ITEM = 100;
/** Further mentioned groups are ignored as the reason of a notification. */
const MAX_GROUPS = 10;
/** After this, a read message is no longer removed from phones. */
const KEEP_MS = 30 * 24 * 3_600_000;

/** Records each selected user, so that a retry after a crash does not notify them twice. */
export const fanOut = defineOutboxKind<AnnouncedMessage>('push-message', {
  concurrency: 2,
  retryForMs: RETRY_FOR_MS,
  async perform(services, announced) {
    const { message_id } = announced;
    // The relay has been removed from the configuration.
    if (!services.options.pushRelay) return;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      const page = await services.storage.read((tx) => recipients(services, tx, announced, from));
      if (page.recipients.length > 0) await enqueueBatches(services, message_id, page.recipients);
      after = page.next;
    }
  },
});

function enqueueBatches(services: Services, message_id: number, recipients: readonly Recipient[]): Promise<void> {
  return services.asSystem('append', async ({ tx, now, enqueue }) => {
    const ids = recipients.map(({ user_id }) => user_id);
    const added = new Set(await tx.pushNotices.add(message_id, ids, now + KEEP_MS));
    const fresh = recipients.filter(({ user_id }) => added.has(user_id));
    for (const recipients of chunked(fresh, USERS_PER_ITEM)) enqueue(sendBatch({ message_id, recipients }));
    const withTokens = new Set((await tx.pushTokens.ofAll([...added])).map(({ user_id }) => user_id));
    for (const recipient of fresh) {
      if (withTokens.has(recipient.user_id)) enqueue(sendBatch({ message_id, recipients: [recipient], isPlain: true }));
    }
  });
}

/** The recipients with IDs above `after`. `next` is the `after` of the next page. */
async function recipients(
  services: Services,
  tx: Transaction,
  { message_id, named_users = [], named_groups = [], only_mentions = false }: AnnouncedMessage,
  after: number,
): Promise<{ recipients: Recipient[]; next: number | undefined }> {
  const message = await tx.messages.byId(message_id);
  const candidates = message ? await tx.pushNotices.candidates(message_id, after, USERS_PER_TRANSACTION) : [];
  const organization = candidates.length > 0 ? await tx.organization.get() : undefined;
  if (!message || !organization) return { recipients: [], next: undefined };
  const now = services.clock.now();
  const users = new Map(
    (await tx.users.byIds(candidates.map(({ user_id }) => user_id))).map((user) => [user.id, user]),
  );
  const chosen: { user_id: number; trigger: PushTrigger }[] = [];
  for (const candidate of candidates) {
    const user = users.get(candidate.user_id);
    const trigger = user && triggerFor(candidate, user, message, now);
    if (trigger && (!only_mentions || MENTIONED[trigger])) chosen.push({ user_id: candidate.user_id, trigger });
  }
  const isByGroup = ({ user_id, trigger }: (typeof chosen)[number]) =>
    trigger === 'mention' && !named_users.includes(user_id);
  const groupOf = chosen.some(isByGroup)
    ? await smallestGroups({ tx, organization, now, services }, named_groups)
    : new Map<number, number>();
  return {
    recipients: chosen.map((recipient) => {
      const group_id = isByGroup(recipient) ? groupOf.get(recipient.user_id) : undefined;
      const mention = MENTIONED[recipient.trigger];
      return {
        user_id: recipient.user_id,
        ...(mention ? { mention } : {}),
        ...(group_id === undefined ? {} : { group_id }),
      };
    }),
    next: candidates.length < USERS_PER_TRANSACTION ? undefined : candidates.at(-1)?.user_id,
  };
}

function triggerFor(
  candidate: PushCandidate,
  user: User,
  message: PlacedMessage,
  now: number,
): PushTrigger | undefined {
  const { connected_ms, ...known } = candidate;
  return pushTrigger({
    ...known,
    is_direct: message.channel_id === null,
    settings: { ...NOTIFICATION_DEFAULTS, ...user.settings },
    is_away: connected_ms === null || isOffline({ connected_ms }, now),
    // The query for candidates excludes these cases.
    is_bot: user.bot_type !== null,
    is_sender: false,
    has_muted_sender: false,
  });
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

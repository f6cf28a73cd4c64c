import { chunked, groupBy } from '../../../base/lists.ts';
import { type DueWork, defineFeature } from '../../../operation/feature.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { ExpiredMessage } from '../../../storage/interface/messages.ts';
import { channelOf } from '../../../viewer/audiences.ts';
import type { Services, WriteContext } from '../../../viewer/context.ts';
import { lastRemovable } from '../channel-activity.ts';
import { deleteMessages } from '../deletion.ts';

/** Interval between checks. Messages are deleted at most this long after they expire. */
const INTERVAL_MS = 3_600_000;
/** If a process dies, another process continues after this time. Renewed with every batch. */
const LEASE_MS = 60_000;
const MESSAGES_PER_LOOKUP = 1_000;
/**
 * Messages deleted per transaction. Deleting messages blocks all other writers, so the transaction is short, and other
 * writers get their turn before the next batch.
 */
const MESSAGES_PER_TRANSACTION = 200;
const DAY_SECONDS = 86_400;

/** Deletes messages that are older than the retention period of the channel or organization, even if starred. */
export const expiredMessages: DueWork = {
  name: 'expired messages',
  nextDue: (tx) => tx.retention.due(),
  async run(services, isStopping) {
    const { storage, clock } = services;
    const now = clock.now();
    let lease = now + LEASE_MS;
    const isMine = await storage.write(async (tx) => {
      const due = await tx.retention.due();
      return due !== undefined && due <= now && (await tx.retention.moveDue(due, lease));
    }, 'silent');
    if (!isMine) return 0;
    let deleted = 0;
    const policies = await policiesAt(services, now);
    for (const policy of policies) {
      for await (const batch of batchesOf(services, policy)) {
        // If the clock was set back, these messages are not expired anymore and would be found again forever.
        const wasSetBack = clock.now() < now;
        if (isStopping() || wasSetBack) {
          await moveDue(services, lease, Math.min(now, clock.now()));
          return deleted;
        }
        let left: readonly ExpiredMessage[] = batch;
        while (left.length > 0) {
          const [those, next] = [left, clock.now() + LEASE_MS];
          const done = await services.asSystem('write', async (context) => {
            // Another process took over, or the retention period changed. Then the work is due again.
            if (!(await context.tx.retention.moveDue(lease, next))) return undefined;
            return deleteExpired(context, those);
          });
          if (done === undefined) return deleted;
          lease = next;
          deleted += done.deleted;
          left = done.left;
        }
      }
    }
    await moveDue(services, lease, policies.length > 0 ? clock.now() + INTERVAL_MS : undefined);
    return deleted;
  },
};

function moveDue({ storage }: Services, from: number, to: number | undefined): Promise<boolean> {
  return storage.write((tx) => tx.retention.moveDue(from, to), 'silent');
}

type Policy = Awaited<ReturnType<typeof policiesAt>>[number];

/**
 * A policy for each retention period in use. Messages below the ID and before the time in `before` have expired where
 * this period applies.
 */
function policiesAt({ storage }: Services, now: number) {
  return storage.read(async (tx) => {
    const organization = await tx.organization.get();
    if (!organization) return [];
    const organizationDays = organizationSetting(organization, 'message_retention_days');
    const all = new Set([...(organizationDays > 0 ? [organizationDays] : []), ...(await tx.retention.channelDays())]);
    return Promise.all(
      [...all].map(async (days) => {
        const timestamp = Math.max(0, Math.floor(now / 1000) - days * DAY_SECONDS);
        return { days, organizationDays, before: { id: await tx.retention.firstSince(timestamp), timestamp } };
      }),
    );
  });
}

async function* batchesOf({ storage }: Services, policy: Policy): AsyncGenerator<ExpiredMessage[]> {
  let from = 0;
  for (;;) {
    const page = { fromConversation: from, limit: MESSAGES_PER_LOOKUP };
    const found = await storage.read((tx) => tx.retention.expired(policy, policy.before, page));
    const byChannel = groupBy(found, ({ channel_id }) => channel_id);
    for (const messages of byChannel.values()) yield* chunked(messages, MESSAGES_PER_TRANSACTION);
    const last = found.at(-1);
    if (found.length < MESSAGES_PER_LOOKUP || !last) return;
    from = last.conversation_id;
  }
}

/** If too many rows depend on the messages, deletes only the last ones and returns the others in `left`. */
async function deleteExpired(context: WriteContext, batch: readonly ExpiredMessage[]) {
  const { tx, organization, now } = context;
  const all = batch.map(({ id }) => id);
  const some = await lastRemovable(tx, all);
  const left = batch.slice(0, -some.length);
  const channelId = batch[0]?.channel_id ?? null;
  const channel = channelId === null ? undefined : await channelOf(context, channelId);
  const days = channel?.message_retention_days ?? organizationSetting(organization, 'message_retention_days');
  if (days < 1) return { deleted: 0, left };
  const oldest = Math.floor(now / 1000) - days * DAY_SECONDS;
  const messages = (await tx.messages.byIds(some)).filter(
    ({ channel_id, timestamp }) => channel_id === channelId && timestamp < oldest,
  );
  await deleteMessages(context, messages);
  return { deleted: messages.length, left };
}

/** Deletes old messages. The retention period of a channel overrides the period of the organization. */
export const retention = defineFeature({ operations: [], dueWork: [expiredMessages] });

import { chunked, groupBy } from '../../../base/lists.ts';
import { type DueWork, defineOutboxKind, inBatches } from '../../../operation/feature.ts';
import type { AccountContext, Services } from '../../../viewer/context.ts';
import { removeFromBrowser } from '../browsers/send.ts';
import { notifyDevices, notifyTokens } from '../notify.ts';
import { about, plainRemoval } from '../relay.ts';
import { RETRY_FOR_MS } from './send-batch.ts';

/** Messages read within this time are removed from phones together. */
const COLLECT_MS = 2_000;
const ROWS_PER_TRANSACTION = 1_000;
const USERS_PER_ITEM = 20;
/** Messages per notification. Notifications of older messages have most likely been dismissed. */
const MAX_MESSAGES = 200;

type Context = Pick<AccountContext, 'tx' | 'now' | 'services' | 'pushVersion' | 'channelsVersion' | 'afterCommit'>;

/** Schedules the removal of read messages from the user's phones, if the user was notified of them. */
export async function withdrawRead(context: Context, userId: number, messageIds: readonly number[]): Promise<void> {
  const { tx, now, services, afterCommit } = context;
  if (messageIds.length === 0 || !(await services.pushOwners.isAny(context, { users: [userId] }))) return;
  const isAny = await tx.pushNotices.withdraw(userId, messageIds, now + COLLECT_MS);
  if (isAny) afterCommit(() => services.rearm());
}

/** Schedules the removal of deleted messages from the phones of all users. */
export async function withdrawDeleted(context: Context, messageIds: readonly number[]): Promise<void> {
  const { tx, now, services, pushVersion, afterCommit } = context;
  if (pushVersion === 0) return;
  const isAny = await tx.pushNotices.withdrawMessages(messageIds, now + COLLECT_MS);
  if (isAny) afterCommit(() => services.rearm());
}

/** The messages to remove from phones, by user. */
export const removeFromPhones = defineOutboxKind<{ removals: [user_id: number, message_ids: number[]][] }>(
  'push-removal',
  {
    concurrency: 2,
    retryForMs: RETRY_FOR_MS,
    async perform(services, { removals }) {
      const users = removals.map(([user]) => user);
      const { devices, tokens, organization } = await services.storage.read(async (tx) => ({
        devices: await tx.pushDevices.active(users),
        tokens: groupBy(await tx.pushTokens.ofAll(users), ({ user_id }) => user_id),
        organization: await tx.organization.get(),
      }));
      if (!organization) return;
      const byUser = new Map(removals);
      await notifyDevices(
        services,
        organization,
        devices.map((device) => ({
          device,
          payload: {
            type: 'remove',
            ...about(services, organization, { id: device.user_id }),
            message_ids: byUser.get(device.user_id) ?? [],
          },
        })),
      );
      // If one fails, all are retried: removing a notification twice is harmless.
      await Promise.all(
        [...tokens].map(([user_id, own]) => {
          const removal = plainRemoval(services, organization, user_id, byUser.get(user_id) ?? []);
          return notifyTokens(services, organization, { user_id, tokens: own, ...removal });
        }),
      );
    },
  },
);

/** Due notices: sends removals for withdrawn notices, and deletes notices that are too old. */
export const dueNotices: DueWork = {
  name: 'push notices',
  nextDue: (tx) => tx.pushNotices.nextDue(),
  run: (services, isStopping) => inBatches(ROWS_PER_TRANSACTION, isStopping, () => takeOut(services)),
};

async function takeOut(services: Services): Promise<number> {
  let taken = 0;
  await services.asSystem('append', async ({ tx, now, enqueue }) => {
    const notices = await tx.pushNotices.takeDue(now, ROWS_PER_TRANSACTION);
    taken = notices.length;
    const withdrawn = notices.filter(({ is_withdrawn }) => is_withdrawn);
    const removals = [...groupBy(withdrawn, ({ user_id }) => user_id)].map(([user, own]): [number, number[]] => {
      const messages = own.map(({ message_id }) => message_id).sort((a, b) => a - b);
      return [user, messages.slice(-MAX_MESSAGES)];
    });
    for (const some of chunked(removals, USERS_PER_ITEM)) enqueue(removeFromPhones({ removals: some }));
    const byUser = new Map(removals);
    for (const { id, user_id } of await tx.pushBrowsers.ofAll([...byUser.keys()])) {
      enqueue(removeFromBrowser({ browser_id: id, user_id, message_ids: byUser.get(user_id) ?? [] }));
    }
  });
  return taken;
}

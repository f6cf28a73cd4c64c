import type { AccountContext, Services } from '../../../kernel/context.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import type { PushNotice } from '../../../storage/interface/push-notices.ts';
import { notifyDevices } from '../notify-devices.ts';
import { notifyTokens, tokensByUser } from '../notify-tokens.ts';
import { removalPayload } from '../payloads.ts';
import { plainRemoval } from '../plain-payloads.ts';
import { RETRY_FOR_MS } from './send-batch.ts';

/** What is read within this time is taken from phones together. */
const COLLECT_MS = 2_000;
/** Rows that one transaction takes out. */
const PAGE = 1_000;
/** People of one item. */
const BATCH = 50;
/** Messages of one notification; older ones have long been swiped away. */
const MAX_MESSAGES = 200;

type Context = Pick<AccountContext, 'tx' | 'now' | 'services' | 'pushVersion' | 'channelsVersion' | 'afterCommit'>;

/** What somebody has read goes from their phones in a moment, if they have been notified of it. */
export async function withdrawRead(context: Context, userId: number, messageIds: readonly number[]): Promise<void> {
  const { tx, now, services, afterCommit } = context;
  if (messageIds.length === 0 || !(await services.pushOwners.isOne(context, userId))) return;
  const isAny = await tx.pushNotices.withdraw(userId, messageIds, now + COLLECT_MS);
  if (isAny) afterCommit(() => services.rearm());
}

/** Likewise what is not there any more, from everybody's. */
export async function withdrawDeleted(context: Context, messageIds: readonly number[]): Promise<void> {
  const { tx, now, services, pushVersion, afterCommit } = context;
  if (pushVersion === 0) return;
  const isAny = await tx.pushNotices.withdrawMessages(messageIds, now + COLLECT_MS);
  if (isAny) afterCommit(() => services.rearm());
}

/** By user, the messages to take from their phones. */
export interface Removals {
  removals: [user_id: number, message_ids: number[]][];
}

/** Takes messages from phones: those that are read, and nothing else is said of them. */
export const removeFromPhones = defineOutboxKind<Removals>('push-removal', {
  concurrency: 2,
  retryForMs: RETRY_FOR_MS,
  async perform(services, { removals }) {
    const users = removals.map(([user]) => user);
    const { devices, tokens, organization } = await services.storage.read(async (tx) => ({
      devices: await tx.pushDevices.active(users),
      tokens: await tokensByUser(tx, users),
      organization: await tx.organization.get(),
    }));
    if (!organization) return;
    const byUser = new Map(removals);
    await notifyDevices(
      services,
      organization,
      devices.map((device) => ({
        device,
        payload: removalPayload(services, organization, device.user_id, byUser.get(device.user_id) ?? []),
      })),
    );
    const unsent = await notifyTokens(
      services,
      organization,
      [...tokens].map(([user_id, own]) => ({
        user_id,
        tokens: own,
        ...plainRemoval(services, organization, user_id, byUser.get(user_id) ?? []),
      })),
    );
    // What has gone from a phone may be told to go once more.
    if (unsent) throw unsent.error;
  },
});

/** Notices that fall due: those that are withdrawn are sent, the others have become too old. */
export const dueNotices: DueWork = {
  name: 'push notices',
  nextDue: (tx) => tx.pushNotices.nextDue(),
  async run(services, isStopping) {
    let done = 0;
    for (let taken = PAGE; taken === PAGE && !isStopping(); done += taken) taken = await takeOut(services);
    return done;
  },
};

async function takeOut(services: Services): Promise<number> {
  let taken = 0;
  await services.append(async ({ tx, now, enqueue }) => {
    const notices = await tx.pushNotices.takeDue(now, PAGE);
    taken = notices.length;
    const removals = [...byUser(notices.filter(({ is_withdrawn }) => is_withdrawn))];
    for (let at = 0; at < removals.length; at += BATCH) {
      enqueue(removeFromPhones({ removals: removals.slice(at, at + BATCH) }));
    }
  });
  return taken;
}

function byUser(notices: readonly PushNotice[]): Map<number, number[]> {
  const users = new Map<number, number[]>();
  for (const { user_id, message_id } of notices) users.set(user_id, [...(users.get(user_id) ?? []), message_id]);
  for (const [user, messages] of users) {
    users.set(user, messages.sort((one, other) => one - other).slice(-MAX_MESSAGES));
  }
  return users;
}

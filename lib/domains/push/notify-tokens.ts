import type { Services } from '../../access/context.ts';
import { PushRelayError } from '../../adapters/push-relay.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Organization } from '../../model/organization.ts';
import type { PushTokenRecord } from '../../storage/interface/push.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import type { PlainPayloads } from './payloads.ts';
import { accountUuid, handOver } from './relay.ts';

/** Concurrent requests. The relay accepts one account per request. */
const AT_ONCE = 4;

/** A notification for the devices without encryption of one user. */
export interface PlainNotice extends PlainPayloads {
  user_id: number;
  tokens: readonly PushTokenRecord[];
}

/** The notifications that the relay did not accept. All others were sent. */
export interface Unsent {
  notices: PlainNotice[];
  error: PushRelayError;
}

/** The tokens by user, without users who have none. */
export async function tokensByUser(tx: Transaction, userIds: readonly number[]) {
  return groupBy(await tx.pushTokens.ofAll(userIds), ({ user_id }) => user_id);
}

/**
 * Sends each notification to the relay. Deletes tokens that no longer work. A refusal for one account does not stop the
 * others; an unreachable or failing relay does. Do not call it in a transaction.
 * @returns the notifications to retry; undefined if there are none
 */
export async function notifyTokens(
  services: Services,
  organization: Organization,
  notices: readonly PlainNotice[],
): Promise<Unsent | undefined> {
  const waiting = [...notices];
  const unsent: PlainNotice[] = [];
  let problem: PushRelayError | undefined;
  const work = async () => {
    while (!problem) {
      const notice = waiting.shift();
      if (!notice) return;
      try {
        await notify(services, organization, notice);
      } catch (error) {
        if (!(error instanceof PushRelayError)) throw error;
        if (error.problem === 'refused') {
          services.logger.warn({ error, user: notice.user_id }, 'the push relay refused a notification');
        } else {
          problem ??= error;
          unsent.push(notice);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return problem && { notices: [...unsent, ...waiting], error: problem };
}

async function notify(services: Services, organization: Organization, { user_id, tokens, ...payloads }: PlainNotice) {
  const namesOf = (kind: PushTokenRecord['kind']) =>
    tokens.filter((token) => token.kind === kind).map(({ token }) => token);
  const [android_devices, apple_devices] = [namesOf('fcm'), namesOf('apns')];
  const { deleted } = await handOver(services, organization, (relay) =>
    relay.notifyTokens({
      realm_uuid: organization.uuid,
      user_uuid: accountUuid({ id: user_id }, organization),
      user_id,
      ...payloads,
      android_devices,
      apple_devices,
    }),
  );
  const lost = {
    fcm: deleted.android_devices.filter((token) => android_devices.includes(token)),
    apns: deleted.apple_devices.filter((token) => apple_devices.includes(token)),
  };
  if (lost.fcm.length + lost.apns.length === 0) return;
  await services.storage.write(
    async (tx) => {
      await tx.pushTokens.remove(user_id, 'fcm', lost.fcm);
      await tx.pushTokens.remove(user_id, 'apns', lost.apns);
    },
    { shared: true },
  );
}

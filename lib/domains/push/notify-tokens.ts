import type { Services } from '../../access/context.ts';
import { PushRelayError } from '../../adapters/push-relay.ts';
import type { Organization } from '../../model/organization.ts';
import type { PushTokenKind, PushTokenRecord } from '../../storage/interface/push.ts';
import type { PlainPayloads } from './payloads.ts';
import { accountUuid, callRelay } from './relay.ts';

/** A notification for the devices without encryption of one user. */
interface PlainNotice extends PlainPayloads {
  user_id: number;
  tokens: readonly PushTokenRecord[];
}

/**
 * Sends a notification to the relay, which accepts one account per request. Deletes tokens that no longer work. Logs a
 * refusal. Do not call it in a transaction.
 * @throws PushRelayError if the notification is to be retried
 */
export async function notifyTokens(
  services: Services,
  organization: Organization,
  { user_id, tokens, ...payloads }: PlainNotice,
): Promise<void> {
  const tokensOf = (kind: PushTokenKind) => tokens.filter((token) => token.kind === kind).map(({ token }) => token);
  const [android_devices, apple_devices] = [tokensOf('fcm'), tokensOf('apns')];
  try {
    const { deleted } = await callRelay(services, organization, (relay) =>
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
  } catch (error) {
    if (!(error instanceof PushRelayError) || error.problem !== 'refused') throw error;
    services.logger.warn({ error, user: user_id }, 'the push relay refused a notification');
  }
}

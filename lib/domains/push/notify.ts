import { PushRelayError, type PushRequest } from '../../adapters/push-relay.ts';
import { chunked } from '../../base/lists.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { Organization } from '../../model/organization.ts';
import type { ActivePushDevice, PushTokenKind, PushTokenRecord } from '../../storage/interface/push.ts';
import type { Services } from '../../viewer/context.ts';
import { loadEncryption } from './devices/device.ts';
import { accountUuid, callRelay, type PlainPayloads, type PushPayload } from './relay.ts';

const NOTIFICATIONS_PER_REQUEST = 200;

interface Notification {
  device: ActivePushDevice;
  payload: PushPayload;
}

/**
 * Encrypts each notification and sends all to the relay, in batches. Deletes devices that the relay no longer knows. Do
 * not call it in a transaction.
 * @returns how many notifications the relay accepted
 * @throws PushRelayError for a batch that the relay does not accept; earlier batches were sent
 */
export async function notifyDevices(
  services: Services,
  organization: Organization,
  notifications: readonly Notification[],
): Promise<number> {
  let sent = 0;
  for (const some of chunked(notifications, NOTIFICATIONS_PER_REQUEST)) {
    const requests = await requestsFor(some);
    const { delete_device_ids } = await callRelay(services, organization, (relay) =>
      relay.notify(organization.uuid, requests),
    );
    const lost = requests.map(({ device_id }) => device_id).filter((id) => delete_device_ids.includes(id));
    if (lost.length > 0) await services.storage.write((tx) => tx.pushDevices.removeRelayed(lost), 'mark');
    sent += requests.length;
  }
  return sent;
}

async function requestsFor(notifications: readonly Notification[]): Promise<PushRequest[]> {
  const seal = await loadEncryption();
  const requests: PushRequest[] = [];
  const slice = new TimeSlice();
  for (const { device, payload } of notifications) {
    if (slice.isOver()) await slice.next();
    const encrypted_data = seal(JSON.stringify(payload), device.push_public_key);
    requests.push(requestFor(device, encrypted_data, { isRemoval: payload.type === 'remove' }));
  }
  return requests;
}

function requestFor(
  { relay_device_id: device_id, token_kind, push_account_id }: ActivePushDevice,
  encrypted_data: string,
  { isRemoval }: { isRemoval: boolean },
): PushRequest {
  const payload = { push_account_id, encrypted_data };
  if (token_kind === 'fcm') return { device_id, fcm_priority: isRemoval ? 'normal' : 'high', payload };
  if (isRemoval) return { device_id, http_headers: { apns_priority: 5, apns_push_type: 'background' }, payload };
  return {
    device_id,
    http_headers: { apns_priority: 10, apns_push_type: 'alert' },
    // Shown if the client cannot decrypt the notification.
    payload: { ...payload, aps: { 'mutable-content': 1, alert: { title: 'New notification' } } },
  };
}

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
    await services.storage.write(async (tx) => {
      await tx.pushTokens.remove(user_id, 'fcm', lost.fcm);
      await tx.pushTokens.remove(user_id, 'apns', lost.apns);
    }, 'mark');
  } catch (error) {
    if (!(error instanceof PushRelayError) || error.problem !== 'refused') throw error;
    services.logger.warn({ error, user: user_id }, 'the push relay refused a notification');
  }
}

import * as v from 'valibot';
import { PushRelayError } from '../../../adapters/push-relay.ts';
import { describe, optional } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import type { ActivePushDevice, PushDevice, PushRegistrationRef } from '../../../storage/interface/push.ts';
import type { Services, Snapshot, TransactionContext } from '../../../viewer/context.ts';

type Status = 'pending' | 'active' | 'failed';

export function isActive(device: PushDevice): device is ActivePushDevice {
  return device.error_code === null && device.relay_device_id !== null;
}

function statusOf(device: PushDevice): Status {
  if (device.error_code !== null) return 'failed';
  return isActive(device) ? 'active' : 'pending';
}

/** Also sent if push notifications are not configured any more, because clients would drop their registration. */
export async function pushDeviceState({ context: { tx, actor } }: Snapshot) {
  const push_devices: Record<string, { status: Status; error_code: string | null }> = {};
  for (const device of await tx.pushDevices.of(actor.id)) {
    push_devices[device.push_account_id] = { status: statusOf(device), error_code: device.error_code };
  }
  return { push_devices };
}

const pushDeviceStatus = v.picklist(['pending', 'active', 'failed']);

export const pushDeviceChanged = defineEvent('push_device', {
  summary: "The status of one of the reader's device registrations changed.",
  fields: {
    push_account_id: describe(v.string(), 'The `push_account_id` of the registration, as a string.'),
    status: pushDeviceStatus,
    error_code: optional(v.string(), 'Why it failed. Only if `status` is failed.'),
  },
});

export function emitDevice(
  { emit }: Pick<TransactionContext, 'emit'>,
  { user_id, push_account_id }: Pick<PushDevice, 'user_id' | 'push_account_id'>,
  outcome: { status: Status; error_code?: string },
): void {
  emit({ users: [user_id] }, pushDeviceChanged({ push_account_id: String(push_account_id), ...outcome }));
}

/** A pending registration, with the data that only the relay can read. */
export interface WaitingRegistration extends PushRegistrationRef {
  encrypted_push_registration: string;
  bouncer_public_key: string;
}

/** The relay does not accept older registrations either. */
const RETRY_FOR_MS = 24 * 3_600_000;

type Outcome = { relay_device_id: number } | { error_code: string };

/** After a crash the item runs again, and the relay returns the existing device. */
export const pushRegistration = defineOutboxKind<WaitingRegistration>('push-registration', {
  isPredictable: true,
  retryForMs: RETRY_FOR_MS,
  async perform(services, waiting, { created_ms }) {
    const found = await services.storage.read(async (tx) => ({
      device: await tx.pushDevices.byId(waiting.id),
      organization: await tx.organization.get(),
    }));
    const { device, organization } = found;
    if (!device || !organization) return;
    if (device.registration !== waiting.registration || statusOf(device) !== 'pending') return;
    const isLast = services.clock.now() - created_ms >= RETRY_FOR_MS;
    const request = { ...waiting, realm_uuid: organization.uuid, isLast };
    await settle(services, device, await register(services, device, request));
  },
});

interface RegistrationAttempt extends WaitingRegistration {
  realm_uuid: string;
  isLast: boolean;
}

/** @throws PushRelayError if the item is to be retried */
async function register(
  { options: { pushRelay }, logger }: Services,
  { id, user_id, push_account_id, push_public_key }: PushDevice,
  { realm_uuid, encrypted_push_registration, bouncer_public_key, isLast }: RegistrationAttempt,
): Promise<Outcome> {
  if (!(await isUsableKey(push_public_key))) return { error_code: 'INVALID_PUSH_KEY' };
  try {
    if (!pushRelay) throw new PushRelayError('No push relay is configured.', 'misconfigured');
    const registration = { realm_uuid, push_account_id, encrypted_push_registration, bouncer_public_key };
    const { device_id } = await pushRelay.register(registration);
    return { relay_device_id: device_id };
  } catch (error) {
    if (!(error instanceof PushRelayError)) throw error;
    if (error.problem === 'refused') return { error_code: error.code ?? 'BAD_REQUEST' };
    const about = { error, device: id, user: user_id };
    if (isLast) {
      logger.error(about, 'a push device could not be registered within a day');
      return { error_code: 'REQUEST_EXPIRED' };
    }
    if (error.problem === 'misconfigured') logger.error(about, 'the push relay does not accept registrations');
    throw error;
  }
}

function settle(services: Services, device: PushDevice, outcome: Outcome): Promise<void> {
  return services.asSystem('append', async (context) => {
    const { pushDevices } = context.tx;
    if ('error_code' in outcome) {
      const isNews = await pushDevices.fail(device, outcome.error_code);
      if (isNews) emitDevice(context, device, { status: 'failed', ...outcome });
    } else if (await pushDevices.activate(device, outcome.relay_device_id)) {
      emitDevice(context, device, { status: 'active' });
    }
  });
}

/** 32 bytes in standard base64. Buffer would ignore invalid characters. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Encrypts a text, in base64, for the holder of the private key. The public key must be usable, as that of an active
 * device is. Uses libsodium's sealed boxes, the format of existing clients. Loads the library on first use.
 */
export async function loadEncryption() {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return (text: string, publicKey: string): string =>
    Buffer.from(sodium.crypto_box_seal(text, Buffer.from(publicKey, 'base64'))).toString('base64');
}

async function isUsableKey(publicKey: string): Promise<boolean> {
  const seal = await loadEncryption();
  try {
    return KEY.test(publicKey) && seal('', publicKey) !== '';
  } catch {
    // The key is not a usable point of the curve.
    return false;
  }
}

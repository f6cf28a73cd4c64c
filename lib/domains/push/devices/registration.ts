import type { Services } from '../../../kernel/context.ts';
import { defineOutboxKind } from '../../../kernel/outbox.ts';
import { PushRelayError } from '../../../ports/push-relay.ts';
import type { PushDevice, PushRegistrationRef } from '../../../storage/interface/push-devices.ts';
import { isUsableKey } from '../sealing.ts';
import { statusOf } from './device-state.ts';
import { pushDeviceChanged } from './events.ts';

/** Which registration, and what of it is for the relay alone. */
export interface WaitingRegistration extends PushRegistrationRef {
  encrypted_push_registration: string;
  bouncer_public_key: string;
}

/** After this the relay would not take it either. */
const RETRY_FOR_MS = 24 * 3_600_000;

/** The key that the device gave cannot be used. */
export const INVALID_PUSH_KEY = 'INVALID_PUSH_KEY';

type Outcome = { relay_device_id: number } | { error_code: string };

/**
 * Makes a device known to the relay. Where an answer was lost or the process died, it is asked for again, and the
 * relay answers with the device that it has.
 */
export const pushRegistration = defineOutboxKind<WaitingRegistration>('push-registration', {
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
    await settle(services, device, await register(services, organization.uuid, device, waiting, isLast));
  },
});

/** @throws PushRelayError where it is to be tried again */
async function register(
  { options: { pushRelay }, logger }: Services,
  realm_uuid: string,
  { id, user_id, push_account_id, push_public_key }: PushDevice,
  { encrypted_push_registration, bouncer_public_key }: WaitingRegistration,
  isLast: boolean,
): Promise<Outcome> {
  if (!(await isUsableKey(push_public_key))) return { error_code: INVALID_PUSH_KEY };
  try {
    if (!pushRelay) throw new PushRelayError('No push relay is configured any more.', 'misconfigured');
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
    if (error.problem === 'misconfigured') logger.error(about, 'the push relay does not take registrations');
    throw error;
  }
}

/** Keeps what came of it, and tells the owner's clients. */
export function settle(services: Services, device: PushDevice, outcome: Outcome): Promise<void> {
  return services.append(async ({ tx, emit }) => {
    const isFailure = 'error_code' in outcome;
    const isNews = isFailure
      ? await tx.pushDevices.fail(device, outcome.error_code)
      : await tx.pushDevices.activate(device, outcome.relay_device_id);
    if (!isNews) return;
    const push_account_id = String(device.push_account_id);
    const status = isFailure ? ({ status: 'failed', ...outcome } as const) : ({ status: 'active' } as const);
    emit({ users: [device.user_id] }, pushDeviceChanged({ push_account_id, ...status }));
  });
}

import type { Services } from '../../../access/context.ts';
import { PushRelayError } from '../../../adapters/push-relay.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import type { PushDevice, PushRegistrationRef } from '../../../storage/interface/push.ts';
import { isUsableKey } from '../encryption.ts';
import { emitDevice, statusOf } from './device.ts';

/** A pending registration, with the data that only the relay can read. */
export interface WaitingRegistration extends PushRegistrationRef {
  encrypted_push_registration: string;
  bouncer_public_key: string;
}

/** The relay does not accept older registrations either. */
const RETRY_FOR_MS = 24 * 3_600_000;

export const INVALID_PUSH_KEY = 'INVALID_PUSH_KEY';

type Outcome = { relay_device_id: number } | { error_code: string };

/** After a crash the item runs again, and the relay returns the existing device. */
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
    await settle(services, device, await register(services, organization.uuid, device, waiting, { isLast }));
  },
});

/** @throws PushRelayError if the item is to be retried */
async function register(
  { options: { pushRelay }, logger }: Services,
  realm_uuid: string,
  { id, user_id, push_account_id, push_public_key }: PushDevice,
  { encrypted_push_registration, bouncer_public_key }: WaitingRegistration,
  { isLast }: { isLast: boolean },
): Promise<Outcome> {
  if (!(await isUsableKey(push_public_key))) return { error_code: INVALID_PUSH_KEY };
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

export function settle(services: Services, device: PushDevice, outcome: Outcome): Promise<void> {
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

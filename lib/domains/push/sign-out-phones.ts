import type { WriteContext } from '../../viewer/context.ts';
import { emitDevice } from './devices/device.ts';
import { changedTokens } from './legacy-tokens/tokens.ts';

const API_KEY_REPLACED = 'API_KEY_REPLACED';

/** Replacing the API key signs out all devices. A client registers its device again when it signs in. */
export async function signOutPhones(context: Pick<WriteContext, 'tx' | 'emit' | 'enqueue'>, userId: number) {
  const { tx, enqueue } = context;
  const tokens = await tx.pushTokens.removeOf(userId);
  if (tokens.length > 0) enqueue(changedTokens({ user_id: userId, tokens }));
  for (const device of await tx.pushDevices.failAll(userId, API_KEY_REPLACED)) {
    emitDevice(context, device, { status: 'failed', error_code: API_KEY_REPLACED });
  }
}

import type { WriteContext } from '../../access/context.ts';
import { pushDeviceChanged } from './devices/device.ts';
import { forgottenTokens } from './legacy-tokens/tokens.ts';

const API_KEY_REPLACED = 'API_KEY_REPLACED';

/** Replacing the API key signs out all devices. A client registers its device again when it signs in. */
export async function signOutPhones(
  { tx, emit, enqueue }: Pick<WriteContext, 'tx' | 'emit' | 'enqueue'>,
  userId: number,
): Promise<void> {
  const tokens = await tx.pushTokens.removeOf(userId);
  if (tokens.length > 0) {
    enqueue(forgottenTokens({ user_id: userId, tokens: tokens.map(({ user_id: _, ...token }) => token) }));
  }
  for (const { push_account_id } of await tx.pushDevices.failAll(userId, API_KEY_REPLACED)) {
    emit(
      { users: [userId] },
      pushDeviceChanged({
        push_account_id: String(push_account_id),
        status: 'failed',
        error_code: API_KEY_REPLACED,
      }),
    );
  }
}

import type { WriteContext } from '../../kernel/context.ts';
import { pushDeviceChanged } from './devices/events.ts';
import { forgottenTokens } from './legacy-tokens/forgotten-tokens.ts';

/** Why a device of somebody whose API key was replaced is not notified any more. */
const API_KEY_REPLACED = 'API_KEY_REPLACED';

/**
 * Whoever holds a phone with an API key that is replaced is signed out, and is told no more of what is said. A client
 * that signs in anew registers its device anew.
 */
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

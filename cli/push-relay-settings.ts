import { findSetting, findVariable } from './environment.ts';
import { UsageError } from './failure.ts';

/**
 * The address from the option or the environment. The ID and the key only from the environment, so that other users
 * cannot see them.
 */
export function pushRelaySettings(
  typed: { pushRelay?: string } = {},
): { url: string; id: string; key: string } | undefined {
  const url = findSetting('--push-relay', typed.pushRelay);
  const id = findVariable('PARLANCE_PUSH_RELAY_ID')?.value;
  const key = findVariable('PARLANCE_PUSH_RELAY_KEY')?.value;
  if (url === undefined) return undefined;
  if (!id || !key) {
    throw new UsageError(
      'Set PARLANCE_PUSH_RELAY_ID and PARLANCE_PUSH_RELAY_KEY to the ID and key from your push relay.',
    );
  }
  if (!isAddress(url.value)) throw new UsageError(`${url.source} must be an address like https://push.example.com.`);
  return { url: url.value, id, key };
}

/** An address that `pushRelay` accepts. */
function isAddress(url: string): boolean {
  try {
    const { protocol, username, search } = new URL(url);
    return /^https?:$/.test(protocol) && username === '' && search === '';
  } catch {
    return false;
  }
}

import { findSetting, findVariable } from './environment.ts';
import { UsageError } from './failure.ts';

/** The address from the command line or the environment; who the server is there, from the environment alone. */
export function pushRelaySettings(
  typed: { pushRelay?: string } = {},
): { url: string; id: string; key: string } | undefined {
  const url = findSetting('--push-relay', typed.pushRelay);
  const id = findVariable('PARLANCE_PUSH_RELAY_ID')?.value;
  const key = findVariable('PARLANCE_PUSH_RELAY_KEY')?.value;
  if (url === undefined) return undefined;
  if (!id || !key) {
    throw new UsageError('A push relay needs PARLANCE_PUSH_RELAY_ID and PARLANCE_PUSH_RELAY_KEY, which it gave you.');
  }
  if (!isAddress(url.value)) throw new UsageError(`${url.source} must be an address like https://push.example.com.`);
  return { url: url.value, id, key };
}

/** As `pushRelay` takes it. */
function isAddress(url: string): boolean {
  try {
    const { protocol, username, search } = new URL(url);
    return /^https?:$/.test(protocol) && username === '' && search === '';
  } catch {
    return false;
  }
}

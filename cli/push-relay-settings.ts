import { fromEnvironment } from './environment.ts';
import { UsageError } from './failure.ts';

/** The address from the command line or the environment; who the server is there, from the environment alone. */
export function pushRelaySettings(
  flags: { pushRelay?: string } = {},
): { url: string; id: string; key: string } | undefined {
  const url = flags.pushRelay ?? fromEnvironment('PUSH_RELAY');
  const id = fromEnvironment('PUSH_RELAY_ID');
  const key = fromEnvironment('PUSH_RELAY_KEY');
  if (url === undefined) return undefined;
  if (!id || !key) {
    throw new UsageError('A push relay needs PARLANCE_PUSH_RELAY_ID and PARLANCE_PUSH_RELAY_KEY, which it gave you.');
  }
  if (!isAddress(url)) throw new UsageError('--push-relay must be an address like https://push.example.com.');
  return { url, id, key };
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

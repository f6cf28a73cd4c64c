import type { ReadContext } from '../kernel/context.ts';
import type { User } from '../storage/storage.ts';
import { placeholderEmail, roleSeesEmail } from './user-view.ts';

/**
 * Accounts by address, in two statements: by the real one where the viewer may see it, or by the
 * placeholder. Keyed by the address as given; what leads to nobody is left out.
 */
export async function usersByAddress(
  { tx, organization }: ReadContext,
  viewer: User,
  addresses: readonly string[],
): Promise<Map<string, User>> {
  const keys = new Map(addresses.map((address) => [address, address.trim().toLowerCase()]));
  const found = new Map<string, User>();
  for (const user of await tx.users.byEmails([...new Set(keys.values())])) {
    const isVisible =
      user.id === viewer.id || user.bot_type !== null || roleSeesEmail(user.email_visibility, viewer.role);
    if (isVisible) found.set(user.delivery_email.toLowerCase(), user);
  }
  const ids = [...keys.values()].map((key) => /^user(\d{1,15})@/.exec(key)?.[1]).filter((id) => id !== undefined);
  for (const user of ids.length > 0 ? await tx.users.byIds(ids.map(Number)) : []) {
    found.set(placeholderEmail(user.id, organization).toLowerCase(), user);
  }
  const answer = new Map<string, User>();
  for (const [address, key] of keys) {
    const user = found.get(key);
    if (user) answer.set(address, user);
  }
  return answer;
}

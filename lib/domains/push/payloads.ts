import type { Services } from '../../kernel/context.ts';
import type { Organization } from '../../storage/interface/organization.ts';
import type { User } from '../../storage/interface/users.ts';

/** The decrypted content of a notification. */
export type PushPayload = { type: 'message' | 'remove' | 'test' } & Record<string, unknown>;

/** Identifies the organization and the account. */
export function about({ options }: Pick<Services, 'options'>, { name }: Organization, { id }: Pick<User, 'id'>) {
  return { realm_url: options.baseUrl, realm_name: name, user_id: id };
}

export function testPayload(services: Services, organization: Organization, user: User, now: number): PushPayload {
  return { type: 'test', ...about(services, organization, user), time: Math.floor(now / 1000) };
}

/** Removes the notifications of these messages. */
export function removalPayload(
  services: Services,
  organization: Organization,
  userId: number,
  message_ids: readonly number[],
): PushPayload {
  return { type: 'remove', ...about(services, organization, { id: userId }), message_ids };
}

import type { Services } from '../../access/context.ts';
import type { PlainNotification } from '../../adapters/push-relay.ts';
import type { Organization } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';

/** The decrypted content of a notification. */
export type PushPayload = { type: 'message' | 'remove' | 'test' } & Record<string, unknown>;

/** Identifies the organization and the account. */
export function about({ options }: Pick<Services, 'options'>, { name }: Organization, { id }: Pick<User, 'id'>) {
  return { realm_url: options.baseUrl, realm_name: name, user_id: id };
}

/** The payloads for Google's and Apple's services. */
export type PlainPayloads = Pick<PlainNotification, 'gcm_payload' | 'gcm_options' | 'apns_payload'>;

/** Clients identify the organization by this ID. A server has only one. */
const REALM_ID = 1;

/** Identifies the organization and the account, with the older field names too. */
export function aboutPlainly(services: Services, organization: Organization, userId: number) {
  const known = about(services, organization, { id: userId });
  return { server: new URL(known.realm_url).host, realm_id: REALM_ID, realm_uri: known.realm_url, ...known };
}

/** Removes the notifications of these messages. @param messageIds at least one */
export function plainRemoval(
  services: Services,
  organization: Organization,
  userId: number,
  messageIds: readonly number[],
): PlainPayloads {
  const removal = {
    ...aboutPlainly(services, organization, userId),
    event: 'remove',
    zulip_message_ids: messageIds.join(','),
  };
  return {
    // The oldest clients read only one message ID.
    gcm_payload: { ...removal, zulip_message_id: messageIds[0] },
    gcm_options: { priority: 'normal' },
    apns_payload: { badge: 0, custom: { zulip: removal } },
  };
}

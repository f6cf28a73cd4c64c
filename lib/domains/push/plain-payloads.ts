import type { Services } from '../../kernel/context.ts';
import type { PlainNotification } from '../../ports/push-relay.ts';
import type { Organization } from '../../storage/interface/organization.ts';
import { about } from './payloads.ts';

/** What is handed to Google's service, and what to Apple's. */
export type PlainPayloads = Pick<PlainNotification, 'gcm_payload' | 'gcm_options' | 'apns_payload'>;

/** Clients tell by it whose notification it is; a server has one organization. */
const REALM_ID = 1;

/** Which account of which organization it is about, with the older names too. */
export function aboutPlainly(services: Services, organization: Organization, userId: number) {
  const known = about(services, organization, { id: userId });
  return { server: new URL(known.realm_url).host, realm_id: REALM_ID, realm_uri: known.realm_url, ...known };
}

/** Notifications of these messages, of which there is one at least, are to go. */
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
    // The oldest clients know one alone.
    gcm_payload: { ...removal, zulip_message_id: messageIds[0] },
    gcm_options: { priority: 'normal' },
    apns_payload: { badge: 0, custom: { zulip: removal } },
  };
}

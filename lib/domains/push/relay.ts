import { hash } from 'node:crypto';
import { type PlainNotification, type PushRelay, PushRelayError, type PushStatus } from '../../adapters/push-relay.ts';
import {
  AdminActionRequired,
  type ChatError,
  FailedToConnectBouncer,
  InternalServerErrorOnBouncer,
} from '../../base/errors.ts';
import { keysOf } from '../../base/keys.ts';
import type { Organization } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import type { Services } from '../../viewer/context.ts';
import { organizationUpdated } from '../organization/settings/organization-change.ts';

/** Error codes that mean that the relay accepts no notifications of the organization. */
const OF_THE_ORGANIZATION = ['MISSING_REMOTE_REALM', 'PUSH_NOTIFICATIONS_DISALLOWED'];

/** Stores the status of the organization from the response. Do not call it in a transaction. */
export async function callRelay<R extends { status?: PushStatus }>(
  services: Services,
  organization: Organization,
  call: (relay: PushRelay) => Promise<R>,
): Promise<R> {
  const { pushRelay } = services.options;
  if (!pushRelay) throw new PushRelayError('No push relay is configured.', 'misconfigured');
  try {
    const response = await call(pushRelay);
    if (response.status) await noteRelayStatus(services, organization, response.status);
    return response;
  } catch (error) {
    if (error instanceof PushRelayError && OF_THE_ORGANIZATION.includes(error.code ?? '')) {
      await noteRelayStatus(services, organization, { can_push: false, expected_end_timestamp: null });
    }
    throw error;
  }
}

/** Stores the status and sends events if it has changed. */
async function noteRelayStatus(
  services: Services,
  known: Organization,
  { can_push, expected_end_timestamp }: PushStatus,
): Promise<void> {
  const news = {
    push_notifications_enabled: can_push,
    push_notifications_enabled_end_timestamp: expected_end_timestamp,
  };
  const differing = (organization: Organization) =>
    keysOf(news).filter((key) => organizationSetting(organization, key) !== news[key]);
  if (differing(known).length === 0) return;
  await services.asSystem('write', async ({ tx, organization, emit }) => {
    const changed = differing(organization);
    if (changed.length === 0) return;
    await tx.organization.update({ settings: { ...organization.settings, ...news } });
    for (const property of changed)
      emit({ scope: 'everyone' }, organizationUpdated({ property, value: news[property] }));
  });
}

function refusalFor({ problem }: PushRelayError): ChatError {
  if (problem === 'unreachable') return new FailedToConnectBouncer();
  if (problem === 'failing') return new InternalServerErrorOnBouncer();
  return new AdminActionRequired();
}

/** The errors of `orRefusal`. */
export const RELAY_REFUSALS = [AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer] as const;

/** A test notification, with an error that the user understands. */
export async function orRefusal<R>(
  { logger, options }: Services,
  user: Pick<User, 'id'>,
  send: () => Promise<R>,
): Promise<R> {
  if (!options.pushRelay)
    throw new AdminActionRequired(
      'This server has no push relay. Its administrator must set one: `chatctl serve --push-relay`, or the option `pushRelay`.',
    );
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof PushRelayError)) throw error;
    logger.warn({ reason: error.message, user: user.id }, 'a test notification was not sent');
    throw refusalFor(error);
  }
}

/** The ID of an account at relays: stable and unique. */
export function accountUuid({ id }: Pick<User, 'id'>, { uuid }: Pick<Organization, 'uuid'>): string {
  const digits = hash('sha256', `${uuid}:${id}`);
  // Version 8: custom format.
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

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

import type { Services } from '../../access/context.ts';
import { type PushRelay, PushRelayError, type PushStatus } from '../../adapters/push-relay.ts';
import {
  AdminActionRequired,
  type ChatError,
  FailedToConnectBouncer,
  InternalServerErrorOnBouncer,
} from '../../base/errors.ts';
import type { Organization } from '../../model/organization.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { organizationUpdated } from '../organization/settings/organization-change.ts';

/** Error codes that mean that the relay accepts no notifications of the organization. */
const OF_THE_ORGANIZATION = ['MISSING_REMOTE_REALM', 'PUSH_NOTIFICATIONS_DISALLOWED'];

/**
 * Calls the relay and stores the status of the organization from its response. Do not call it in a transaction.
 * @throws PushRelayError
 */
export async function handOver<A extends { status?: PushStatus }>(
  services: Services,
  organization: Organization,
  ask: (relay: PushRelay) => Promise<A>,
): Promise<A> {
  const { pushRelay } = services.options;
  if (!pushRelay) throw new PushRelayError('No push relay is configured.', 'misconfigured');
  try {
    const answer = await ask(pushRelay);
    if (answer.status) await noteRelayStatus(services, organization, answer.status);
    return answer;
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
    (Object.keys(news) as (keyof typeof news)[]).filter((key) => organizationSetting(organization, key) !== news[key]);
  if (differing(known).length === 0) return;
  await services.maintain(async ({ tx, organization, emit }) => {
    const changed = differing(organization);
    if (changed.length === 0) return;
    await tx.organization.update({ settings: { ...organization.settings, ...news } });
    for (const property of changed)
      emit({ scope: 'everyone' }, organizationUpdated({ property, value: news[property] }));
  });
}

/** The error for the caller if the relay fails. The log contains the details. */
export function refusalFor({ problem }: PushRelayError): ChatError {
  if (problem === 'unreachable') return new FailedToConnectBouncer();
  if (problem === 'failing') return new InternalServerErrorOnBouncer();
  return new AdminActionRequired();
}

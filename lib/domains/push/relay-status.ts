import type { Services } from '../../kernel/context.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import type { Organization } from '../../storage/interface/organization.ts';
import { organizationUpdated } from '../organization/settings/events.ts';

export interface RelayStatus {
  can_push: boolean;
  expected_end_timestamp: number | null;
}

/** Refusals that say that the relay takes no notifications of the organization. */
const OF_THE_ORGANIZATION = ['MISSING_REMOTE_REALM', 'PUSH_NOTIFICATIONS_DISALLOWED'];

/** What a refusal says of the organization; undefined where it says nothing of it. */
export function statusRefusedWith(code: string | undefined): RelayStatus | undefined {
  return OF_THE_ORGANIZATION.includes(code ?? '') ? { can_push: false, expected_end_timestamp: null } : undefined;
}

/** Keeps what the relay says of the organization, and tells everybody where it is something else than before. */
export async function noteRelayStatus(
  services: Services,
  known: Organization,
  { can_push, expected_end_timestamp }: RelayStatus,
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

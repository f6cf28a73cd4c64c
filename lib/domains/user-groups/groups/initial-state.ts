import type { Snapshot } from '../../../kernel/context.ts';
import { groupView } from '../group-view.ts';

/** Deactivated groups are shown only to clients that understand them. */
export async function groupsState({ context, options }: Snapshot) {
  const { tx, organization, services, now } = context;
  await services.directory.refresh(tx, organization);
  const inactive = new Set(await tx.users.inactiveIds());
  const groups = await tx.groups.all();
  const shown = groups.filter((group) => !group.deactivated || options.client_capabilities.include_deactivated_groups);
  const users = [...services.directory.all()];
  return { realm_user_groups: shown.map((group) => groupView(group, users, organization, inactive, now)) };
}

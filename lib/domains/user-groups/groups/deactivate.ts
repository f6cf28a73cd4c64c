import { BadRequest, CannotDeactivateGroupInUse, FieldLocked, type GroupObjection } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import type { GroupHead, GroupSettingValue } from '../../../model/groups.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationPermission } from '../../../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSION_NAMES } from '../../../rules/permission-settings.ts';
import { groupsIn } from '../../../rules/permissions.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { checkUnlocked } from '../../../views/external-ids.ts';
import { accessChangeableGroup, checkGroupPermission, groupRemoved, groupUpdated } from '../group.ts';

export const deactivateUserGroup = defineOperation({
  name: 'userGroups.deactivate',
  http: ['POST /user_groups/{user_group_id}/deactivate', 'DELETE /user_groups/{user_group_id}'],
  summary: 'Deactivate a user group',
  description: 'Fails with a list of uses if an active group or permission contains it. Its members are kept.',
  example: { user_group_id: 9 },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: { user_group_id: id },
  errors: [CannotDeactivateGroupInUse, FieldLocked],
  async run(context, { user_group_id }) {
    const { tx, emit } = context;
    const group = await accessChangeableGroup(context, user_group_id);
    if (group.deactivated) throw new BadRequest(`The user group "${group.name}" is already deactivated.`);
    await checkGroupPermission(context, group);
    checkUnlocked(context, 'is_active', [group]);
    const objections = await objectionsTo(context, group);
    const [first, ...others] = objections;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    if (first) throw new CannotDeactivateGroupInUse(`${placeOf(first)}${more}`, objections);
    await tx.groups.update(group.id, { deactivated: true });
    emit({ scope: 'everyone' }, groupUpdated({ group_id: group.id, data: { deactivated: true }, ofDeactivated: true }));
    emit({ scope: 'everyone' }, groupRemoved({ group_id: group.id }));
  },
});

/** All active uses of the group: in groups and in permissions of channels, groups and the organization. */
async function objectionsTo(context: AccountContext, { id }: GroupHead): Promise<GroupObjection[]> {
  const { tx, organization } = context;
  const outer = (await tx.groups.nestings()).filter((pair) => pair.subgroup_id === id).map((pair) => pair.group_id);
  const active = (await tx.groups.heads(outer)).filter((group) => !group.deactivated);
  const objections: GroupObjection[] = [];
  if (active.length > 0) objections.push({ type: 'subgroup', supergroup_ids: active.map((group) => group.id) });
  objections.push(...(await channelsNaming(context, id)));
  for (const group of await tx.groups.headsWithSettings()) {
    const settings = group.deactivated ? [] : settingsNaming(id, group.settings);
    if (settings.length > 0) objections.push({ type: 'user_group', group_id: group.id, settings });
  }
  const permissions = ORGANIZATION_PERMISSION_NAMES.map((key) => [key, organizationPermission(organization, key)]);
  const settings = settingsNaming(id, Object.fromEntries(permissions));
  if (settings.length > 0) objections.push({ type: 'realm', settings });
  return objections;
}

/** Channels that the caller may not see are combined into one entry without an ID. */
async function channelsNaming(context: AccountContext, id: number): Promise<GroupObjection[]> {
  const { tx } = context;
  const naming = new Map<number, string[]>();
  for (const channel of await tx.channels.withSettings()) {
    const settings = channel.is_archived ? [] : settingsNaming(id, channel.settings);
    if (settings.length > 0) naming.set(channel.id, settings);
  }
  if (naming.size === 0) return [];
  const { known } = await context.viewer.knownChannels(await tx.channels.byIds([...naming.keys()]));
  const objections: GroupObjection[] = [];
  for (const { channel } of known) {
    objections.push({ type: 'channel', channel_id: channel.id, settings: naming.get(channel.id) ?? [] });
    naming.delete(channel.id);
  }
  const hidden = [...new Set([...naming.values()].flat())].sort();
  if (hidden.length > 0) objections.push({ type: 'channel', channel_id: null, settings: hidden });
  return objections;
}

function placeOf(objection: GroupObjection): string {
  if (objection.type === 'subgroup') return `contained in group ${objection.supergroup_ids[0]}`;
  const settings = objection.settings.join(', ');
  if (objection.type === 'realm') return `in ${settings} of the organization`;
  if (objection.type === 'user_group') return `in ${settings} of group ${objection.group_id}`;
  return `in ${settings} of ${objection.channel_id === null ? 'hidden channels' : `channel ${objection.channel_id}`}`;
}

function settingsNaming(id: number, settings: Readonly<Record<string, GroupSettingValue>>): string[] {
  return Object.entries(settings)
    .filter(([, value]) => groupsIn(value).includes(id))
    .map(([key]) => key)
    .sort();
}

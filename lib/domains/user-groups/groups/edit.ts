import { BadRequest, ExpectationMismatch, FieldLocked } from '../../../base/errors.ts';
import { flag, groupSettingUpdate, id, nonEmptyText, optional, text, type ValuesOf } from '../../../base/schemas.ts';
import type { GroupHead } from '../../../model/groups.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_GROUP_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { GROUP_PERMISSION_NAMES, GROUP_PERMISSIONS, permissionParams } from '../../../rules/permission-settings.ts';
import { groupPermission } from '../../../rules/permissions.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { checkUnlocked } from '../../../views/external-ids.ts';
import { updatedGroupSetting } from '../../organization/group-setting-value.ts';
import {
  about,
  accessChangeableGroup,
  checkGroupNameIsFree,
  checkGroupPermission,
  groupCreated,
  groupName,
  groupUpdated,
  namedGroupView,
} from '../group.ts';

const changes = {
  name: optional(nonEmptyText(), 'At most 100 characters.'),
  description: optional(text(MAX_GROUP_DESCRIPTION_LENGTH), 'At most 1024 characters.'),
  deactivated: optional(flag, 'false reactivates a deactivated group. true has no effect.'),
  ...permissionParams(GROUP_PERMISSIONS, groupSettingUpdate),
};

type UserGroupChanges = ValuesOf<typeof changes>;

export const editUserGroup = defineOperation({
  name: 'userGroups.edit',
  http: 'PATCH /user_groups/{user_group_id}',
  summary: 'Change or reactivate a user group',
  description: 'Requires the permission to manage the group. All given changes are applied, or none.',
  example: { user_group_id: 9, description: 'Support team on weekdays' },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: { user_group_id: id, ...changes },
  errors: [ExpectationMismatch, FieldLocked],
  async run(context, { user_group_id, ...given }) {
    if (Object.values(given).every((value) => value === undefined)) {
      throw new BadRequest('Nothing to change. Give at least one parameter.');
    }
    const group = await accessChangeableGroup(context, user_group_id);
    await checkGroupPermission(context, group);
    await editTexts(context, group, given);
    // Reactivate first, because a permission of the group can contain the group itself.
    const active = given.deactivated === false && group.deactivated ? await reactivate(context, group) : group;
    await editPermissions(context, active, given);
  },
});

async function editTexts(context: AccountContext, group: GroupHead, given: UserGroupChanges): Promise<void> {
  if (given.name !== undefined) {
    const name = groupName(given.name);
    await checkGroupNameIsFree(context, name, group.id);
    if (name !== group.name) checkUnlocked(context, 'name', [group]);
    if (name !== group.name) await applyChange(context, group, { name });
  }
  const { description } = given;
  if (description !== undefined && description !== group.description)
    await applyChange(context, group, { description });
}

async function applyChange(
  { tx, emit }: AccountContext,
  group: GroupHead,
  data: Partial<Pick<GroupHead, 'name' | 'description' | 'deactivated'>>,
): Promise<void> {
  await tx.groups.update(group.id, data);
  emit({ scope: 'everyone' }, groupUpdated({ ...about(group), data }));
}

async function reactivate(context: AccountContext, group: GroupHead): Promise<GroupHead> {
  checkUnlocked(context, 'is_active', [group]);
  await applyChange(context, group, { deactivated: false });
  const view = await namedGroupView(context, group.id);
  context.emit({ scope: 'everyone' }, groupCreated({ group: view, isReactivated: true }));
  return { ...group, deactivated: false };
}

async function editPermissions(context: AccountContext, group: GroupHead, given: UserGroupChanges): Promise<void> {
  let settings = group.settings;
  for (const key of GROUP_PERMISSION_NAMES) {
    const update = given[key];
    if (!update) continue;
    const current = groupPermission(group, key);
    const value = await updatedGroupSetting(context, key, update, { current, setting: GROUP_PERMISSIONS[key] });
    if (value === undefined) continue;
    settings = { ...settings, [key]: value };
    context.emit({ scope: 'everyone' }, groupUpdated({ ...about(group), data: { [key]: value } }));
  }
  if (settings !== group.settings) await context.tx.groups.update(group.id, { settings });
}

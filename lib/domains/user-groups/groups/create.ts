import * as v from 'valibot';
import { describe, groupSetting, ids, nonEmptyText, optional, repeatable, text } from '../../../base/schemas.ts';
import type { GroupSettingValue } from '../../../model/groups.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_GROUP_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { GROUP_PERMISSION_NAMES, GROUP_PERMISSIONS, permissionParams } from '../../../rules/permission-settings.ts';
import { creatorId } from '../../../rules/roles.ts';
import { silentMention } from '../../messages/notification-bot.ts';
import { checkedGroupSetting } from '../../organization/group-setting-value.ts';
import { checkGroupLimits, checkGroupNameIsFree, groupCreated, groupName, namedGroupView } from '../group.ts';
import { accessSubgroups, notifyMembers } from '../memberships.ts';

export const createUserGroup = defineOperation({
  name: 'userGroups.create',
  http: 'POST /user_groups/create',
  summary: 'Create a user group',
  description:
    'Requires can_create_groups. The notification bot messages the added users. By default, the creator manages the group and its members, no user can join, and everyone can leave and mention it.',
  example: { name: 'support', description: 'Support team', members: [9, 10] },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: {
    name: describe(
      nonEmptyText(),
      'Unique, ignoring case. At most 100 characters, without prefixes such as @ or role:.',
    ),
    description: describe(text(MAX_GROUP_DESCRIPTION_LENGTH), 'At most 1024 characters.'),
    members: describe(ids, 'Members of the group. Can be empty.'),
    subgroups: optional(ids, 'Groups whose members also belong to this group.', []),
    ...permissionParams(GROUP_PERMISSIONS, groupSetting),
    ...repeatable,
  },
  result: v.object({ group_id: describe(v.number(), 'ID of the new group.') }),
  async run(context, { members, subgroups, description, ...given }) {
    const { tx, actor, now, emit } = context;
    await context.viewer.check('can_create_groups', 'create user groups');
    const name = groupName(given.name);
    await checkGroupNameIsFree(context, name);
    const users = await context.viewer.activeAccounts(members);
    const contained = await accessSubgroups(context, subgroups);
    const settings: Record<string, GroupSettingValue> = {};
    for (const key of GROUP_PERMISSION_NAMES) {
      const value = given[key];
      if (value !== undefined) settings[key] = await checkedGroupSetting(context, key, value, GROUP_PERMISSIONS[key]);
    }
    const group_id = await tx.groups.create({
      external_id: null,
      name,
      description,
      is_system_group: false,
      creator_id: creatorId(actor),
      created_ms: now,
      deactivated: false,
      settings,
      members: users.map((user) => user.id),
      direct_subgroup_ids: contained.map((group) => group.id),
    });
    await checkGroupLimits(context);
    emit({ scope: 'everyone' }, groupCreated({ group: await namedGroupView(context, group_id) }));
    await notifyMembers(context, users, `${silentMention(actor)} added you to the group @_*${name}*.`);
    return { group_id };
  },
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsAfterAdoption } from '../../lib/rules/adoption.ts';
import { CHANNEL_PERMISSIONS } from '../../lib/rules/permission-settings.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';

test('an adopted channel keeps who may post if the setting names roles, and no setting that names a user', () => {
  const after = (can_send_message_group: Parameters<typeof settingsAfterAdoption>[1][string]) =>
    settingsAfterAdoption(CHANNEL_PERMISSIONS, { can_send_message_group }).can_send_message_group;
  const [nobody, members] = [systemGroupId('role:nobody'), systemGroupId('role:members')];
  const roles = { direct_members: [], direct_subgroups: [members] };
  assert.equal(after(nobody), nobody);
  assert.equal(after(members), members);
  assert.deepEqual(after(roles), roles);
  assert.equal(after({ direct_members: [7], direct_subgroups: [members] }), undefined);
});

import { FieldLocked } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { changeProfileData, profileDataParam } from '../profile-data.ts';

export const setProfileData = defineOperation({
  name: 'profileFields.set',
  http: 'PATCH /users/me/profile_data',
  summary: 'Set custom fields of your own profile',
  description: 'All given values are applied, or none. Some fields can only be edited by administrators.',
  example: { data: [{ id: 4, value: 'Soup' }] },
  access: 'human',
  ownAccount: true,
  effect: 'write',
  params: { data: profileDataParam },
  errors: [FieldLocked],
  async run(context, { data }) {
    await changeProfileData(context, context.actor, data);
  },
});

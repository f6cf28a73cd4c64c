import { FieldLocked } from '../../../base/errors.ts';
import { describe, ids } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { changeProfileData } from '../profile-data.ts';

export const unsetProfileData = defineOperation({
  name: 'profileFields.unset',
  http: 'DELETE /users/me/profile_data',
  summary: 'Clear custom fields of your own profile',
  example: { data: [4] },
  access: 'human',
  ownAccount: true,
  effect: 'write',
  params: { data: describe(ids, 'IDs of the fields.') },
  errors: [FieldLocked],
  async run(context, { data }) {
    const emptied = data.map((id) => ({ id, value: null }));
    await changeProfileData(context, context.actor, emptied);
  },
});

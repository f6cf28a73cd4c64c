import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessProfileField, emitProfileFields } from './field.ts';

export const removeProfileField = defineOperation({
  name: 'profileFields.remove',
  http: 'DELETE /realm/profile_fields/{field_id}',
  summary: 'Remove a custom profile field and its values in all profiles',
  description: 'Administrators only. This cannot be undone.',
  example: { field_id: 4 },
  access: 'administrator',
  effect: 'write',
  params: { field_id: id },
  async run(context, { field_id }) {
    const { tx, organization } = context;
    accessProfileField(organization, field_id);
    await tx.users.dropProfileValues(field_id);
    await tx.profileFields.remove(field_id);
    await emitProfileFields(context);
  },
});

import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, repeatable } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import {
  checkedProfileField,
  emitProfileFields,
  fieldData,
  fieldType,
  profileFieldParams,
  storedFieldData,
} from './field.ts';

/** Every client loads all fields, and every account can have a value in each. */
const MAX_FIELDS = 100;

export const createProfileField = defineOperation({
  name: 'profileFields.create',
  http: 'POST /realm/profile_fields',
  summary: 'Create a custom profile field',
  description: 'Administrators only. The new field is the last in profiles.',
  example: { name: 'Favourite food', hint: 'Or drink', field_type: 1 },
  access: 'administrator',
  effect: 'write',
  params: { field_type: fieldType, ...profileFieldParams, field_data: v.optional(fieldData), ...repeatable },
  result: v.object({ id: describe(v.number(), 'ID of the field.') }),
  async run(context, given) {
    const { tx, organization } = context;
    const field = checkedProfileField(
      {
        type: given.field_type,
        name: given.name ?? '',
        hint: given.hint ?? '',
        field_data: storedFieldData(given.field_type, given.field_data ?? {}),
        display_in_profile_summary: given.display_in_profile_summary ?? false,
        required: given.required ?? false,
        editable_by_user: given.editable_by_user ?? true,
      },
      organization.profile_fields,
    );
    if (organization.profile_fields.length >= MAX_FIELDS) {
      throw new BadRequest(`An organization can have at most ${MAX_FIELDS} profile fields.`);
    }
    const id = await tx.profileFields.create(field);
    await emitProfileFields(context);
    return { id };
  },
});

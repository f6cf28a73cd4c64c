import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import {
  accessProfileField,
  checkedProfileField,
  emitProfileFields,
  externalAccountOf,
  fieldData,
  optionsOf,
  profileFieldParams,
  storedFieldData,
} from './field.ts';

/** Of an external account on a known site. */
const FIXED = ['name', 'hint', 'field_data'] as const;

export const editProfileField = defineOperation({
  name: 'profileFields.edit',
  http: 'PATCH /realm/profile_fields/{field_id}',
  summary: 'Change a custom profile field',
  description:
    'Administrators only. The type cannot change. Removing an option of a list also removes it from all profiles. For external accounts on a known site, name, hint and data cannot change either.',
  example: { field_id: 4, hint: 'Or drink' },
  access: 'administrator',
  effect: 'write',
  params: { field_id: id, ...profileFieldParams, field_data: v.optional(fieldData) },
  async run(context, { field_id, field_data, ...given }) {
    const { tx, organization } = context;
    const present = accessProfileField(organization, field_id);
    const { type } = present;
    const wanted = {
      ...present,
      ...given,
      ...(field_data === undefined ? {} : { field_data: storedFieldData(type, field_data) }),
    };
    if (externalAccountOf(present) && FIXED.some((key) => wanted[key] !== present[key])) {
      throw new BadRequest(
        'The name, hint and data of this external account cannot be changed. Create a custom external account instead.',
      );
    }
    const others = organization.profile_fields.filter((field) => field !== present);
    const field = checkedProfileField(wanted, others);
    await tx.profileFields.update(field);
    const left = optionsOf(field);
    const dropped = Object.keys(optionsOf(present)).filter((key) => !Object.hasOwn(left, key));
    if (dropped.length > 0) await tx.users.dropProfileValues(field_id, dropped);
    // Sent even if nothing changed.
    await emitProfileFields(context);
  },
});

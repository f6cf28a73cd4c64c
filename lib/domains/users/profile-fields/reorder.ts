import { describe, ids } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkCompleteOrder } from '../../../rules/reordering.ts';
import { emitProfileFields } from './field.ts';

export const reorderProfileFields = defineOperation({
  name: 'profileFields.reorder',
  http: 'PATCH /realm/profile_fields',
  summary: 'Change the order of custom profile fields',
  description: 'Administrators only.',
  example: { order: [2, 1] },
  access: 'administrator',
  effect: 'write',
  params: { order: describe(ids, 'The IDs of all fields, each once.') },
  async run(context, { order }) {
    const { tx, organization } = context;
    const present = organization.profile_fields.map((field) => field.id);
    checkCompleteOrder(order, present);
    if (order.length === 0) return;
    await tx.profileFields.reorder(order);
    await emitProfileFields(context);
  },
});

import { describe, ids } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkCompleteOrder } from '../../../rules/reordering.ts';
import { emitLinkifiers } from './linkifier.ts';

export const reorderLinkifiers = defineOperation({
  name: 'linkifiers.reorder',
  http: 'PATCH /realm/linkifiers',
  summary: 'Change the order in which linkifiers are applied',
  example: { ordered_linkifier_ids: [2, 1] },
  access: 'administrator',
  effect: 'write',
  params: { ordered_linkifier_ids: describe(ids, 'The IDs of all linkifiers, each once.') },
  async run(context, { ordered_linkifier_ids: given }) {
    const { tx, organization } = context;
    const present = organization.linkifiers.map((linkifier) => linkifier.id);
    checkCompleteOrder(given, present);
    if (given.length === 0) return;
    await tx.linkifiers.reorder(given);
    await emitLinkifiers(context);
  },
});

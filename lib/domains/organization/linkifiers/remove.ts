import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessLinkifier, emitLinkifiers } from './linkifier.ts';

export const removeLinkifier = defineOperation({
  name: 'linkifiers.remove',
  http: 'DELETE /realm/filters/{filter_id}',
  summary: 'Remove a linkifier',
  description: 'Existing messages keep their links.',
  example: { filter_id: 1 },
  access: 'administrator',
  effect: 'write',
  params: { filter_id: id },
  async run(context, { filter_id }) {
    accessLinkifier(context.organization, filter_id);
    await context.tx.linkifiers.remove(filter_id);
    await emitLinkifiers(context);
  },
});

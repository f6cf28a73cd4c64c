import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { knownLinkifier, linkifiersEvent } from './events.ts';

export const removeLinkifier = defineOperation({
  name: 'linkifiers.remove',
  http: 'DELETE /realm/filters/{filter_id}',
  summary: 'Remove a linkifier',
  description: 'Links in messages that were sent before stay.',
  source: 'reference 7.10',
  access: 'administrator',
  effect: 'write',
  params: v.object({ filter_id: id }),
  result: empty,
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { filter_id }) {
    knownLinkifier(context, filter_id);
    await context.tx.linkifiers.remove(filter_id);
    context.emit(await linkifiersEvent(context));
    return {};
  },
});

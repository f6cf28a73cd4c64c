import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { linkifierParams } from './create.ts';
import { emitLinkifiers } from './events.ts';
import { checkedLinkifier, linkifierOf } from './rules.ts';

export const editLinkifier = defineOperation({
  name: 'linkifiers.edit',
  http: 'PATCH /realm/filters/{filter_id}',
  summary: 'Change a linkifier',
  description: 'It keeps its place. Messages that were sent before stay as they are.',
  source: 'spec, update a linkifier; reference 6.22',
  access: 'administrator',
  effect: 'write',
  params: v.object({ filter_id: id, ...linkifierParams }),
  result: empty,
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { filter_id, ...given }) {
    const { tx, organization } = context;
    const present = linkifierOf(context.organization, filter_id);
    const others = organization.linkifiers.filter((one) => one !== present);
    await tx.linkifiers.update({ id: filter_id, ...checkedLinkifier(given, others) });
    // Unchanged values are told of too.
    await emitLinkifiers(context);
    return {};
  },
});

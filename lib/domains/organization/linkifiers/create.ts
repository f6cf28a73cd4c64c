import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, repeatable } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkedLinkifier, emitLinkifiers, linkifierParams } from './linkifier.ts';

/** Every message is matched against each of them. */
const MAX_LINKIFIERS = 100;

export const createLinkifier = defineOperation({
  name: 'linkifiers.create',
  http: 'POST /realm/filters',
  summary: 'Create a linkifier, which turns text that matches a pattern into links',
  description: 'Applies to new messages and topics, after all other linkifiers. Existing messages do not change.',
  example: { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' },
  access: 'administrator',
  effect: 'write',
  params: { ...linkifierParams, ...repeatable },
  result: v.object({ id: describe(v.number(), 'ID of the linkifier.') }),
  async run(context, given) {
    const { tx, organization } = context;
    const linkifier = checkedLinkifier(given, organization.linkifiers);
    if (organization.linkifiers.length >= MAX_LINKIFIERS) {
      throw new BadRequest(`An organization can have at most ${MAX_LINKIFIERS} linkifiers.`);
    }
    const id = await tx.linkifiers.create(linkifier);
    await emitLinkifiers(context);
    return { id };
  },
});

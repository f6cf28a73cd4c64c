import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { emitLinkifiers } from './events.ts';
import { checkedLinkifier, linkifierParams } from './linkifier.ts';

/** Each of them is tried on every message. */
const MAX_LINKIFIERS = 100;

export const createLinkifier = defineOperation({
  name: 'linkifiers.create',
  http: 'POST /realm/filters',
  summary: 'Make text of a pattern a link, in messages and topics',
  description: 'Tried after all others. Messages that were sent before stay as they are.',
  example: { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' },
  access: 'administrator',
  effect: 'write',
  params: v.object(linkifierParams),
  result: v.object({ id: v.number() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, given) {
    const { tx, organization } = context;
    const linkifier = checkedLinkifier(given, organization.linkifiers);
    if (organization.linkifiers.length >= MAX_LINKIFIERS) {
      throw new BadRequest(`An organization has at most ${MAX_LINKIFIERS} linkifiers.`);
    }
    const id = await tx.linkifiers.create(linkifier);
    await emitLinkifiers(context);
    return { id };
  },
});

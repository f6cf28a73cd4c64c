import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { MAX_URL_TEMPLATE_LENGTH } from '../url-templates.ts';
import { emitLinkifiers } from './events.ts';
import { checkedLinkifier, MAX_PATTERN_LENGTH } from './linkifier.ts';

/** Each of them is tried on every message. */
const MAX_LINKIFIERS = 100;

export const linkifierParams = {
  pattern: describe(
    text(MAX_PATTERN_LENGTH),
    'Regular expression of RE2, `#(?P<id>[0-9]+)`; unique. It matches at the start of a word, up to its end.',
  ),
  url_template: describe(
    text(MAX_URL_TEMPLATE_LENGTH),
    "URL template of RFC 6570 with the pattern's groups, `https://issues.example.com/{id}`.",
  ),
};

export const createLinkifier = defineOperation({
  name: 'linkifiers.create',
  http: 'POST /realm/filters',
  summary: 'Make text of a pattern a link, in messages and topics',
  description: 'Tried after all others. Messages that were sent before stay as they are.',
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

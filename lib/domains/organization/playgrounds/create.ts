import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { MAX_URL_TEMPLATE_LENGTH } from '../url-templates.ts';
import { emitPlaygrounds } from './events.ts';
import {
  checkedPlayground,
  LEXER_NAME,
  MAX_LEXER_NAME_LENGTH,
  MAX_PLAYGROUND_NAME_LENGTH,
  MAX_PLAYGROUNDS,
} from './rules.ts';

export const createPlayground = defineOperation({
  name: 'playgrounds.create',
  http: 'POST /realm/playgrounds',
  summary: 'Offer a site where code of a language can be tried out',
  description: 'Clients show it beside code blocks of the language. A language may have several.',
  source: 'spec, add a code playground; reference 6.21',
  access: 'administrator',
  effect: 'write',
  params: v.object({
    name: describe(text(MAX_PLAYGROUND_NAME_LENGTH), 'As people see it; unique among those of the language.'),
    url_template: describe(
      text(MAX_URL_TEMPLATE_LENGTH),
      'URL template of RFC 6570 with the variable `code`, `https://play.example.com/?code={code}`.',
    ),
    pygments_language: describe(
      v.pipe(
        text(MAX_LEXER_NAME_LENGTH),
        v.regex(LEXER_NAME, 'has characters that the name of a language cannot have'),
      ),
      'Name of the lexer that colours the language, `Python`.',
    ),
  }),
  result: v.object({ id: v.number() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, given) {
    const { tx } = context;
    const present = await tx.playgrounds.all();
    const playground = checkedPlayground(given, present);
    if (present.length >= MAX_PLAYGROUNDS) {
      throw new BadRequest(`An organization has at most ${MAX_PLAYGROUNDS} playgrounds.`);
    }
    const id = await tx.playgrounds.create(playground);
    await emitPlaygrounds(context);
    return { id };
  },
});

import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe } from '../../../kernel/schemas.ts';
import { checkSynchronizesDrafts, draftObject } from './draft.ts';

export const listDrafts = defineOperation({
  name: 'drafts.list',
  http: 'GET /drafts',
  summary: 'List your drafts',
  access: 'user',
  effect: 'read',
  params: v.object({}),
  result: v.object({
    count: v.number(),
    drafts: describe(v.array(draftObject), 'Most recently edited first.'),
  }),
  errors: [BadRequest],
  async run({ tx, actor }) {
    checkSynchronizesDrafts(actor);
    const drafts = await tx.drafts.of(actor.id);
    return { count: drafts.length, drafts };
  },
});

import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkSynchronizesDrafts, draftObject } from './draft.ts';

export const listDrafts = defineOperation({
  name: 'drafts.list',
  http: 'GET /drafts',
  summary: 'List your drafts',
  access: 'user',
  params: {},
  result: v.object({
    count: v.number(),
    drafts: describe(v.array(draftObject), 'Most recently edited first.'),
  }),
  async run({ tx, actor }) {
    checkSynchronizesDrafts(actor);
    const drafts = await tx.drafts.of(actor.id);
    return { count: drafts.length, drafts };
  },
});

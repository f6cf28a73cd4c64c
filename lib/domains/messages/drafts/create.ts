import * as v from 'valibot';
import { present } from '../../../base/present.ts';
import { describe, list, repeatable } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { truncatable } from '../message-content.ts';
import { checkDraftLimit, checkedDrafts, checkSynchronizesDrafts, draftParam, draftsAdded } from './draft.ts';

/** Drafts per request, because they share one event. */
const MAX_AT_ONCE = 100;

export const createDrafts = defineOperation({
  name: 'drafts.create',
  http: 'POST /drafts',
  summary: 'Save drafts of messages',
  description: 'Your other clients get an event. Other users cannot see your drafts.',
  example: { drafts: [{ type: 'stream', to: [3], topic: 'lunch', content: 'Soup or' }] },
  access: 'user',
  effect: 'mark',
  params: { drafts: describe(list(draftParam, MAX_AT_ONCE), 'At most 100 drafts.'), ...truncatable, ...repeatable },
  result: v.object({ ids: describe(v.array(v.number()), 'Draft IDs in the order of the request.') }),
  idempotency: { ignored: ['truncate'] },
  async run(context, given) {
    const { tx, actor, emit } = context;
    checkSynchronizesDrafts(actor);
    const drafts = await checkedDrafts(context, given.drafts, given);
    if (drafts.length === 0) return { ids: [] };
    await checkDraftLimit(context, drafts);
    const ids = await tx.drafts.add(actor.id, drafts);
    const added = drafts.map((draft, at) => ({ id: present(ids[at]), ...draft }));
    emit({ users: [actor.id] }, draftsAdded({ drafts: added }));
    return { ids };
  },
});

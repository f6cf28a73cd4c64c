import { DoesNotExist } from '../../../base/errors.ts';
import { describe, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { truncatable } from '../message-content.ts';
import { checkDraftLimit, checkedDrafts, checkSynchronizesDrafts, draftParam, draftUpdated, noDraft } from './draft.ts';

export const editDraft = defineOperation({
  name: 'drafts.edit',
  http: 'PATCH /drafts/{draft_id}',
  summary: 'Replace a draft',
  description: 'Your other clients get an event.',
  example: { draft_id: 4, draft: { type: 'stream', to: [3], topic: 'lunch', content: 'Soup or salad?' } },
  access: 'user',
  effect: 'mark',
  params: { draft_id: id, draft: describe(draftParam, 'The complete new draft.'), ...truncatable },
  errors: [DoesNotExist],
  async run(context, { draft_id, draft: given, truncate }) {
    const { tx, actor, emit } = context;
    checkSynchronizesDrafts(actor);
    const present = await tx.drafts.get(actor.id, draft_id);
    if (!present) throw noDraft(draft_id);
    const checked = await checkedDrafts(context, [given], { truncate });
    await checkDraftLimit(context, checked, [present]);
    for (const fields of checked) {
      const draft = { id: draft_id, ...fields };
      // Another client may have deleted the draft since it was read.
      if (!(await tx.drafts.update(actor.id, draft))) throw noDraft(draft_id);
      emit({ users: [actor.id] }, draftUpdated({ draft }));
    }
  },
});

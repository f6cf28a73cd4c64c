import { DoesNotExist } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { checkSynchronizesDrafts, draftRemoved, noDraft } from './draft.ts';

export const removeDraft = defineOperation({
  name: 'drafts.remove',
  http: 'DELETE /drafts/{draft_id}',
  summary: 'Delete a draft',
  description: 'Sending a message does not delete its draft: delete it yourself. Your other clients get an event.',
  example: { draft_id: 4 },
  access: 'user',
  effect: 'mark',
  params: { draft_id: id },
  errors: [DoesNotExist],
  async run({ tx, actor, emit }, { draft_id }) {
    checkSynchronizesDrafts(actor);
    if (!(await tx.drafts.remove(actor.id, draft_id))) throw noDraft(draft_id);
    emit({ users: [actor.id] }, draftRemoved({ draft_id }));
  },
});

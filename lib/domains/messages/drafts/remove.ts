import * as v from 'valibot';
import { BadRequest, DoesNotExist } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, id } from '../../../kernel/schemas.ts';
import { checkSynchronizesDrafts, noDraft } from './checked-drafts.ts';
import { draftRemoved } from './events.ts';

export const removeDraft = defineOperation({
  name: 'drafts.remove',
  http: 'DELETE /drafts/{draft_id}',
  summary: 'Discard a draft',
  description: 'Also for one that has been sent: sending leaves it as it is. Your other clients are told.',
  example: { draft_id: 4 },
  access: 'user',
  effect: 'mark',
  params: v.object({ draft_id: id }),
  result: empty,
  errors: [BadRequest, DoesNotExist],
  async run({ tx, actor, emit }, { draft_id }) {
    checkSynchronizesDrafts(actor);
    if (!(await tx.drafts.remove(actor.id, draft_id))) throw noDraft(draft_id);
    emit({ users: [actor.id] }, draftRemoved({ draft_id }));
    return {};
  },
});

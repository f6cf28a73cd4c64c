import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { draftObject } from './draft-object.ts';

export const draftsAdded = defineEvent('drafts/add', {
  summary: 'You saved drafts in another client.',
  fields: { drafts: v.array(draftObject) },
});

export const draftUpdated = defineEvent('drafts/update', {
  summary: 'You changed a draft in another client. Contains the complete draft.',
  fields: { draft: draftObject },
});

export const draftRemoved = defineEvent('drafts/remove', {
  summary: 'You deleted a draft in another client.',
  fields: { draft_id: v.number() },
});

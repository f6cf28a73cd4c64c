import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { draftObject } from './draft-object.ts';

export const draftsAdded = defineEvent('drafts/add', {
  summary: 'The reader began messages elsewhere.',
  fields: { drafts: v.array(draftObject) },
});

export const draftUpdated = defineEvent('drafts/update', {
  summary: 'The reader went on with a draft elsewhere: all of it.',
  fields: { draft: draftObject },
});

export const draftRemoved = defineEvent('drafts/remove', {
  summary: 'The reader sent or discarded a draft elsewhere.',
  fields: { draft_id: v.number() },
});

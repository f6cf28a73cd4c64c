import { defineFeature } from '../../../operation/feature.ts';
import { createDrafts } from './create.ts';
import { draftRemoved, draftsAdded, draftUpdated } from './draft.ts';
import { editDraft } from './edit.ts';
import { listDrafts } from './list.ts';
import { removeDraft } from './remove.ts';

/**
 * Drafts of unsent messages, stored so that all clients of a user have them. Users turn this off with the setting
 * `enable_drafts_synchronization` (`settings.edit`), which deletes their stored drafts.
 */
export const drafts = defineFeature({
  operations: [listDrafts, createDrafts, editDraft, removeDraft],
  events: [draftsAdded, draftUpdated, draftRemoved],
  initialState: { drafts: async ({ context: { tx, actor } }) => ({ drafts: await tx.drafts.of(actor.id) }) },
});

import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { createDrafts } from './create.ts';
import { editDraft } from './edit.ts';
import { draftRemoved, draftsAdded, draftUpdated } from './events.ts';
import { listDrafts } from './list.ts';
import { removeDraft } from './remove.ts';

/**
 * Messages that people have begun to write, kept for their other clients. Whoever does not want that switches
 * `enable_drafts_synchronization` off (`settings.edit`), which removes what was kept.
 */
export const drafts = defineFeature({
  operations: [listDrafts, createDrafts, editDraft, removeDraft],
  events: [draftsAdded, draftUpdated, draftRemoved],
  initialState: {
    drafts: async ({ context: { tx, actor } }: Snapshot) => ({ drafts: await tx.drafts.of(actor.id) }),
  },
});

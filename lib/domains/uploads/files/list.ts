import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, id } from '../../../kernel/schemas.ts';
import { attachmentObject, attachmentViews } from '../attachment-view.ts';

/** With the messages of each, an answer of some megabytes at most. */
const MAX_LISTED = 1_000;

export const listUploads = defineOperation({
  name: 'uploads.list',
  http: 'GET /attachments',
  summary: 'List the files you uploaded',
  description: `Newest first, ${MAX_LISTED} at most: for older ones ask for those before the last of them.`,
  access: 'user',
  effect: 'read',
  params: v.object({ before_id: v.optional(describe(id, 'Only files with lower IDs.')) }),
  result: v.object({
    attachments: v.array(attachmentObject),
    upload_space_used: describe(v.number(), 'Bytes of all files of the organization.'),
    found_oldest: describe(v.boolean(), 'Whether there are no older ones.'),
  }),
  errors: [],
  async run(context, { before_id = Number.MAX_SAFE_INTEGER }) {
    const { tx, actor } = context;
    const found = await tx.uploads.ofOwner(actor.id, before_id, MAX_LISTED + 1);
    return {
      attachments: await attachmentViews(context, found.slice(0, MAX_LISTED)),
      upload_space_used: await tx.uploads.spaceUsed(),
      found_oldest: found.length <= MAX_LISTED,
    };
  },
});

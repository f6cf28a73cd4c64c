import * as v from 'valibot';
import { describe, id, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { attachmentObject, attachmentViews } from '../attachments.ts';

/** With the messages of each file, the response has a few megabytes. */
const MAX_LISTED = 1_000;

export const listUploads = defineOperation({
  name: 'uploads.list',
  http: 'GET /attachments',
  summary: 'List your uploaded files',
  description: `Newest first, at most ${MAX_LISTED} files. For older files, pass the last ID as \`before_id\`.`,
  access: 'user',
  params: { before_id: optional(id, 'Only files with lower IDs.') },
  result: v.object({
    attachments: v.array(attachmentObject),
    upload_space_used: describe(v.number(), 'Size of all files of the organization in bytes.'),
    found_oldest: describe(v.boolean(), 'Whether the list contains your oldest file.'),
  }),
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

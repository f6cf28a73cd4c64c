import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isSystem } from '../../../rules/roles.ts';
import { removeUploads } from '../stored-file.ts';

export const removeUpload = defineOperation({
  name: 'uploads.remove',
  http: 'DELETE /attachments/{attachment_id}',
  summary: 'Permanently delete an uploaded file',
  description: 'Links in messages stay but no longer work.',
  example: { attachment_id: 4 },
  access: 'user',
  effect: 'write',
  params: { attachment_id: id },
  async run(context, { attachment_id }) {
    const { tx, actor } = context;
    const upload = await tx.uploads.byId(attachment_id);
    if (!upload?.is_complete || (upload.owner_id !== actor.id && !isSystem(actor))) {
      throw new BadRequest(`You have uploaded no file with ID ${attachment_id}.`);
    }
    await removeUploads(context, [upload]);
  },
});

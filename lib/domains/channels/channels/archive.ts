import { BadRequest, FieldLocked } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { mayAdministerChannel } from '../../../rules/channels.ts';
import { checkUnlocked } from '../../../views/external-ids.ts';
import { archive } from '../archiving.ts';

export const archiveChannel = defineOperation({
  name: 'channels.archive',
  http: 'DELETE /streams/{stream_id}',
  summary: 'Archive a channel',
  description: 'Messages stay readable. The name stays reserved. To unarchive, use PATCH with is_archived=false.',
  example: { stream_id: 3 },
  access: 'member',
  effect: 'write',
  audited: true,
  params: { stream_id: id },
  errors: [FieldLocked],
  async run(context, { stream_id }) {
    const { channel, membership } = await context.viewer.channel(stream_id);
    if (!mayAdministerChannel(channel, membership))
      throw new BadRequest('You are not allowed to archive this channel.');
    checkUnlocked(context, 'is_active', [channel]);
    await archive(context, channel);
  },
});

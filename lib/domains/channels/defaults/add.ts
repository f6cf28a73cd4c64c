import { BadRequest } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emitDefaultChannels } from '../default-channels.ts';

export const addDefaultChannel = defineOperation({
  name: 'defaultChannels.add',
  http: 'POST /default_streams',
  summary: 'Add a default channel for new users',
  example: { stream_id: 3 },
  access: 'administrator',
  effect: 'write',
  params: { stream_id: id },
  async run(context, { stream_id }) {
    const { channel } = await context.viewer.channel(stream_id);
    if (channel.invite_only) throw new BadRequest('A default channel cannot be private.');
    if (channel.is_default) return;
    await context.tx.channels.update(stream_id, { is_default: true });
    await emitDefaultChannels(context);
  },
});

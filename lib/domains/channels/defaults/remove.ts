import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emitDefaultChannels } from '../default-channels.ts';

export const removeDefaultChannel = defineOperation({
  name: 'defaultChannels.remove',
  http: 'DELETE /default_streams',
  summary: 'Remove a default channel for new users',
  example: { stream_id: 3 },
  access: 'administrator',
  effect: 'write',
  params: { stream_id: id },
  async run(context, { stream_id }) {
    const { channel } = await context.viewer.channel(stream_id, { archived: true });
    if (!channel.is_default) return;
    await context.tx.channels.update(stream_id, { is_default: false });
    await emitDefaultChannels(context);
  },
});

import * as v from 'valibot';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { externalIdIn } from '../../../viewer/viewer.ts';

export const getChannelId = defineOperation({
  name: 'channels.getId',
  http: 'GET /get_stream_id',
  summary: 'Get the ID of a channel by its name',
  example: { stream: 'general' },
  access: 'user',
  forRooms: true,
  params: {
    stream: describe(
      nonEmptyText(),
      'Channel name, ignoring case. Or `external:` with its external ID, such as `external:order-17`.',
    ),
  },
  result: v.object({ stream_id: v.number() }),
  async run(context, { stream }) {
    // A name passes to another channel when a channel is archived. An external ID stays.
    const archived = externalIdIn(stream) !== undefined;
    const { channel } = await context.viewer.channel(stream, { archived });
    return { stream_id: channel.id };
  },
});

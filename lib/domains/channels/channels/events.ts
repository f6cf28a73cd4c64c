import * as v from 'valibot';
import type { Delivery, WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import { channelObject } from '../channel-view.ts';

export const channelCreated = defineEvent('stream/create', {
  summary: 'Channels were created, or became visible to you.',
  fields: { streams: v.array(channelObject) },
});

export const channelDeleted = defineEvent('stream/delete', {
  summary: 'Channels were archived (older clients only), or are no longer visible to you.',
  fields: {
    streams: v.array(v.object({ stream_id: v.number() })),
    stream_ids: describe(v.array(v.number()), 'The same channels.'),
  },
});

/** Sends `stream/delete` to the audience. */
export function emitChannelsDeleted(
  { emit }: Pick<WriteContext, 'emit'>,
  audience: Audience,
  channels: readonly Pick<Channel, 'id'>[],
  delivery: Delivery,
): void {
  const stream_ids = channels.map(({ id }) => id);
  emit(audience, channelDeleted({ streams: stream_ids.map((stream_id) => ({ stream_id })), stream_ids }), delivery);
}

import * as v from 'valibot';
import type { Delivery, WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import { channelObject } from '../channel-view.ts';

export const channelCreated = defineEvent('stream/create', {
  summary: 'Channels came into being, or the reader may know of them now.',
  fields: { streams: v.array(channelObject) },
});

export const channelDeleted = defineEvent('stream/delete', {
  summary: 'Channels are gone, or the reader may not know of them any more.',
  fields: {
    streams: v.array(v.object({ stream_id: v.number() })),
    stream_ids: describe(v.array(v.number()), 'The same channels.'),
  },
});

export const channelUpdated = defineEvent('stream/update', {
  summary: 'One property of a channel has a new value.',
  fields: {
    stream_id: v.number(),
    name: describe(v.string(), 'Name of the channel; the former one where it is the name that changed.'),
    property: describe(v.string(), 'The field of the channel that changed.'),
    value: v.unknown(),
    rendered_description: v.optional(describe(v.string(), 'With the property `description`.')),
    history_public_to_subscribers: v.optional(describe(v.boolean(), 'With the property `invite_only`.')),
    is_web_public: v.optional(describe(v.boolean(), 'With the property `invite_only`.')),
  },
});

/** Tells the audience that the channel is no longer there, for them. */
export function emitChannelDeleted(
  { emit }: Pick<WriteContext, 'emit'>,
  audience: Audience,
  { id }: Pick<Channel, 'id'>,
  delivery: Delivery,
): void {
  emit(audience, channelDeleted({ streams: [{ stream_id: id }], stream_ids: [id] }), delivery);
}

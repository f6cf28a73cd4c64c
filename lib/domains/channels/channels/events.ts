import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { channelObject } from '../channel-view.ts';

export const channelCreated = defineEvent('stream/create', {
  summary: 'Channels came into being, or into the sight of the reader.',
  fields: { streams: v.array(channelObject) },
});

export const channelDeleted = defineEvent('stream/delete', {
  summary: 'Channels are gone, or out of the sight of the reader.',
  fields: { streams: v.array(v.object({ stream_id: v.number() })), stream_ids: v.array(v.number()) },
});

export const channelUpdated = defineEvent('stream/update', {
  summary: 'One property of a channel has a new value.',
  fields: {
    stream_id: v.number(),
    name: v.string(),
    property: v.string(),
    value: v.unknown(),
    /** With `description`. */
    rendered_description: v.optional(v.string()),
    /** With `invite_only`. */
    history_public_to_subscribers: v.optional(v.boolean()),
    is_web_public: v.optional(v.boolean()),
  },
});

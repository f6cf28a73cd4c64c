import { channelUpdated } from '../../../access/events.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { channelsState } from '../initial-state.ts';
import { archiveChannel } from './archive.ts';
import { createChannelOperation } from './create.ts';
import { editChannel } from './edit.ts';
import { channelCreated, channelDeleted } from './events.ts';
import { getChannel } from './get.ts';
import { getChannelId } from './get-id.ts';
import { listChannels } from './list.ts';
import { listSubscribers } from './subscribers.ts';

/**
 * Channels: what they are called, who may know of them and what is allowed in them. Archiving is a change
 * like others; to older clients an archived channel is gone.
 */
export const channels = defineFeature({
  operations: [
    listChannels,
    getChannel,
    getChannelId,
    createChannelOperation,
    editChannel,
    archiveChannel,
    listSubscribers,
  ],
  events: [channelCreated, channelDeleted, channelUpdated],
  initialState: { stream: channelsState },
});

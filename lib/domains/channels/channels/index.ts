import { defineFeature } from '../../../operation/feature.ts';
import { channelUpdated } from '../../../views/shared-events.ts';
import { channelCreated, channelDeleted } from '../channel-view.ts';
import { channelsState } from '../initial-state.ts';
import { archiveChannel } from './archive.ts';
import { createChannel } from './create.ts';
import { editChannel } from './edit.ts';
import { getChannel } from './get.ts';
import { getChannelEmailAddress } from './get-email-address.ts';
import { getChannelId } from './get-id.ts';
import { listChannels } from './list.ts';
import { searchChannels } from './search.ts';
import { listSubscribers } from './subscribers.ts';

/** Channels: names, visibility and permissions. Older clients get a deletion if a channel is archived. */
export const channels = defineFeature({
  operations: [
    listChannels,
    searchChannels,
    getChannel,
    getChannelId,
    getChannelEmailAddress,
    createChannel,
    editChannel,
    archiveChannel,
    listSubscribers,
  ],
  events: [channelCreated, channelDeleted, channelUpdated],
  initialState: { stream: channelsState },
});

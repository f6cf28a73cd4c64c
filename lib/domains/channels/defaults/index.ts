import { defineFeature } from '../../../operation/feature.ts';
import { isGuest } from '../../../rules/roles.ts';
import { defaultChannelIds, defaultChannelsChanged } from '../default-channels.ts';
import { addDefaultChannel } from './add.ts';
import { removeDefaultChannel } from './remove.ts';

/** Channels that new users are subscribed to. Guests cannot see the list. */
export const defaultChannels = defineFeature({
  operations: [addDefaultChannel, removeDefaultChannel],
  events: [defaultChannelsChanged],
  initialState: {
    default_streams: async ({ context }) => ({
      realm_default_streams: isGuest(context.actor) ? [] : await defaultChannelIds(context),
    }),
  },
});

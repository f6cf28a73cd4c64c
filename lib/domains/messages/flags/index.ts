import { defineFeature } from '../../../kernel/feature.ts';
import { leftChannelsOutbox, mutedUserOutbox } from './deferred-read-events.ts';
import { flagsAdded, flagsRemoved } from './events.ts';
import { newestMessageState, recentDirectState, starredState, unreadState } from './initial-state.ts';
import { markAllRead } from './mark-all-read.ts';
import { markChannelRead } from './mark-channel-read.ts';
import { markTopicRead } from './mark-topic-read.ts';
import { listReadReceipts } from './read-receipts.ts';
import { updateMessageFlags } from './update-flags.ts';
import { updateMessageFlagsNarrow } from './update-flags-narrow.ts';

/** Read, starred and collapsed messages of each user. Sending a message stores no row per receiver. */
export const flags = defineFeature({
  operations: [
    updateMessageFlags,
    updateMessageFlagsNarrow,
    markAllRead,
    markChannelRead,
    markTopicRead,
    listReadReceipts,
  ],
  events: [flagsAdded, flagsRemoved],
  outbox: [leftChannelsOutbox, mutedUserOutbox],
  initialState: {
    message: newestMessageState,
    update_message_flags: unreadState,
    recent_private_conversations: recentDirectState,
    starred_messages: starredState,
  },
});

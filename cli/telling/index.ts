import { tellAllRead, tellChannelRead, tellFlags, tellFlagsOfNarrow } from '../commands/messages.ts';
import { plain } from '../output/sanitize.ts';
import { tellEdited } from './edited.ts';
import { tellHistory } from './history.ts';
import { tellReaction, tellReactionGone } from './reactions.ts';
import { tellReadReceipts } from './read-receipts.ts';
import { tellSent } from './sent.ts';
import type { Telling } from './telling.ts';

/** Answers that mean more to people when they are told in a sentence or a drawing; all others are shown by field. */
export const TELLINGS: Readonly<Record<string, Telling>> = {
  'messages.send': tellSent,
  'messages.edit': tellEdited,
  'messages.delete':
    ({ parameters }) =>
    () =>
      `Deleted message ${parameters.message_id}.`,
  'messages.history': tellHistory,
  'messages.updateFlags': tellFlags,
  'messages.updateFlagsNarrow': tellFlagsOfNarrow,
  'messages.markAllRead': tellAllRead,
  'messages.markChannelRead': tellChannelRead,
  'messages.markTopicRead': tellChannelRead,
  'messages.readReceipts': tellReadReceipts,
  'messages.addReaction': tellReaction,
  'messages.removeReaction': tellReactionGone,
  'messages.render':
    () =>
    ({ rendered }) =>
      plain(String(rendered)),
};

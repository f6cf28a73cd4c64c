import * as v from 'valibot';
import { choice, describe, either, id, integer, list, text } from '../../../kernel/schemas.ts';

/** Parameters that creating and editing share. */
export const messageParams = {
  type: describe(
    choice(['direct', 'channel', 'stream', 'private']),
    '`channel` (or `stream`), `direct` (or `private`).',
  ),
  to: describe(
    either([id, list(id, 1_000)], 'must be a channel ID, or a list of user IDs'),
    'For a channel: its ID. For a direct message: a list of user IDs.',
  ),
  topic: v.optional(describe(text(), 'Topic of a channel message. Truncated to 60 characters.')),
  content: describe(text(200_000), 'Message content in Markdown. Truncated to 10,000 characters.'),
  scheduled_delivery_timestamp: describe(integer, 'Time to send the message: UNIX time in seconds.'),
};

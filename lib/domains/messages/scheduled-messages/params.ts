import * as v from 'valibot';
import { choice, describe, either, id, integer, list, text } from '../../../kernel/schemas.ts';

/** What creating and editing take alike. */
export const messageParams = {
  type: describe(choice(['direct', 'channel', 'stream', 'private']), 'channel (or stream), direct (or private).'),
  to: describe(
    either([id, list(id, 1_000)], 'must be a channel ID, or a list of user IDs'),
    'Channel: its ID. Direct: list of user IDs.',
  ),
  topic: v.optional(describe(text(), 'Of a channel message; cut to 60 characters.')),
  content: describe(text(200_000), 'Markdown; cut to 10000 characters.'),
  scheduled_delivery_timestamp: describe(integer, 'When to send it: UNIX time, seconds.'),
};

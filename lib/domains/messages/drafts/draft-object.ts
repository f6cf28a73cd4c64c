import * as v from 'valibot';
import { choice, describe, id, list, text, timestamp } from '../../../kernel/schemas.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';

const MAX_RECIPIENTS = 1_000;
/** The end of the year 9999. */
const LAST_TIMESTAMP = 253_402_300_799;

export const draftObject = v.object({
  id: v.number(),
  type: describe(v.picklist(['', 'private', 'stream']), 'Empty if the draft has no recipient yet.'),
  to: describe(v.array(v.number()), 'Channel ID, or user IDs of the recipients.'),
  topic: v.string(),
  content: v.string(),
  timestamp: describe(v.number(), 'Time of the last edit: UNIX time in seconds.'),
});

/** A draft in a request. Unknown keys are an error, because they would be lost. */
export const draftParam = v.strictObject(
  {
    type: describe(
      choice(['', 'stream', 'channel', 'private', 'direct']),
      '`stream` (or `channel`), `private` (or `direct`), or empty if there is no recipient yet.',
    ),
    to: describe(list(id, MAX_RECIPIENTS), 'Channel ID, or user IDs of the recipients. Ignored if `type` is empty.'),
    topic: describe(text(), 'Topic of a channel message. Truncated to 60 characters. Ignored for direct messages.'),
    content: describe(text(), `Markdown. Truncated to ${MAX_MESSAGE_LENGTH} characters.`),
    timestamp: v.optional(
      v.nullable(
        describe(
          v.pipe(timestamp, v.maxValue(LAST_TIMESTAMP, 'is too far in the future')),
          'Time of the last edit: UNIX time in seconds. Default: now.',
        ),
      ),
    ),
  },
  'must be an object with type, to, topic, content and, optionally, timestamp',
);

export type GivenDraft = v.InferOutput<typeof draftParam>;

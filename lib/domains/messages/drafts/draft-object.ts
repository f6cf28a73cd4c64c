import * as v from 'valibot';
import { choice, describe, id, list, text, timestamp } from '../../../kernel/schemas.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';

/** Everybody in one direct conversation at most. */
const MAX_RECIPIENTS = 1_000;
/** The end of the year 9999. */
const LAST_TIMESTAMP = 253_402_300_799;

export const draftObject = v.object({
  id: v.number(),
  type: describe(v.picklist(['', 'private', 'stream']), 'Empty: not addressed yet.'),
  to: describe(v.array(v.number()), 'The ID of the channel, or those of the people.'),
  topic: v.string(),
  content: v.string(),
  timestamp: describe(v.number(), 'When it was last edited, UNIX time.'),
});

/** A draft as a client gives it; keys nobody knows are refused, since they would be lost. */
export const draftParam = v.strictObject(
  {
    type: describe(
      choice(['', 'stream', 'channel', 'private', 'direct']),
      'stream (or channel), private (or direct), or empty: not addressed yet.',
    ),
    to: describe(
      list(id, MAX_RECIPIENTS),
      'The ID of the channel, or those of the people; left alone where it is not addressed yet.',
    ),
    topic: describe(text(), 'Of a channel message, cut to 60 characters; else left alone.'),
    content: describe(text(), `Markdown; cut to ${MAX_MESSAGE_LENGTH} characters.`),
    timestamp: v.optional(
      v.nullable(
        describe(
          v.pipe(timestamp, v.maxValue(LAST_TIMESTAMP, 'is too far in the future')),
          'When it was last edited, UNIX time; now where it is left out.',
        ),
      ),
    ),
  },
  'must be an object with type, to, topic, content and, optionally, timestamp',
);

export type GivenDraft = v.InferOutput<typeof draftParam>;

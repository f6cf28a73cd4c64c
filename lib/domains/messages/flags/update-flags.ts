import * as v from 'valibot';
import { noSuchMessage, readableMessages } from '../../../access/messages.ts';
import { BadRequest } from '../../../base/errors.ts';
import { choice, describe, ids, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { type ChangeableFlag, changeableFlag, changeFlags } from './message-flags.ts';

const MAX_MESSAGES = 5_000;

export const updateMessageFlags = defineOperation({
  name: 'messages.updateFlags',
  http: 'POST /messages/flags',
  summary: 'Mark messages as read, unread, starred or collapsed',
  description:
    'Marking messages as unread, starred or collapsed fails if you cannot read one of them. Other changes skip messages you cannot read.',
  example: { messages: [7, 8], op: 'add', flag: 'starred' },
  access: 'user',
  effect: 'mark',
  params: v.object({
    messages: describe(ids, `Message IDs, at most ${MAX_MESSAGES}.`),
    op: choice(['add', 'remove']),
    flag: describe(text(60), '`read`, `starred` or `collapsed`.'),
  }),
  result: v.object({
    messages: describe(v.array(v.number()), 'The requested messages that you can read.'),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  async run(context, { messages: wanted, op, flag }) {
    if (wanted.length > MAX_MESSAGES)
      throw new BadRequest(`At most ${MAX_MESSAGES} messages can be changed in one request.`);
    const changeable = changeableFlag(flag);
    const readable = await readableMessages(context, context.actor, await context.tx.messages.byIds(wanted));
    const ids = readable.map((message) => message.id);
    if (setsAnew(op, changeable)) checkAll(wanted, ids);
    const chosen = { ids, messages: async () => readable };
    const { ignored_because_not_subscribed_channels } = await changeFlags(context, chosen, op, changeable);
    return { messages: ids, ignored_because_not_subscribed_channels };
  },
});

/** Whether the change affects messages without stored flags, which count as read and have no other flag. */
function setsAnew(op: 'add' | 'remove', flag: ChangeableFlag): boolean {
  return (flag === 'read') === (op === 'remove');
}

/** Throws for the first message that the caller cannot read. Missing and hidden messages give the same error. */
function checkAll(wanted: readonly number[], readable: readonly number[]): void {
  const known = new Set(readable);
  const missing = wanted.find((id) => !known.has(id));
  if (missing !== undefined) throw noSuchMessage(missing);
}

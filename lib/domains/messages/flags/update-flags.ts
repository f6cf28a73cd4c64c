import * as v from 'valibot';
import { readableMessages } from '../../../access/messages.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, ids, text } from '../../../kernel/schemas.ts';
import { changeableFlag, changeFlags } from './change-flags.ts';

const MAX_MESSAGES = 5_000;

export const updateMessageFlags = defineOperation({
  name: 'messages.updateFlags',
  http: 'POST /messages/flags',
  summary: 'Mark messages as read, unread, starred or collapsed',
  description: 'Messages you cannot read are left out.',
  example: { messages: [7, 8], op: 'add', flag: 'starred' },
  access: 'user',
  effect: 'mark',
  params: v.object({
    messages: describe(ids, `IDs of at most ${MAX_MESSAGES} messages.`),
    op: choice(['add', 'remove']),
    flag: describe(text(60), 'read, starred or collapsed.'),
  }),
  result: v.object({
    messages: describe(v.array(v.number()), 'The messages the request was about, as far as you can read them.'),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  errors: [BadRequest],
  async run(context, { messages: wanted, op, flag }) {
    if (wanted.length > MAX_MESSAGES) throw new BadRequest(`At most ${MAX_MESSAGES} messages can be changed at once.`);
    const changeable = changeableFlag(flag);
    const readable = await readableMessages(context, context.actor, await context.tx.messages.byIds(wanted));
    const ids = readable.map((message) => message.id);
    const chosen = { ids, messages: async () => readable };
    const { ignored_because_not_subscribed_channels } = await changeFlags(context, chosen, op, changeable);
    return { messages: ids, ignored_because_not_subscribed_channels };
  },
});

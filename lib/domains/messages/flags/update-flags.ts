import * as v from 'valibot';
import { describe, id, list } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { noSuchMessage } from '../../../viewer/viewer.ts';
import { changeFlags, flagChangeParams } from './message-flags.ts';

const MAX_MESSAGES = 5_000;

export const updateMessageFlags = defineOperation({
  name: 'messages.updateFlags',
  http: 'POST /messages/flags',
  summary: 'Mark messages as read, unread, starred or collapsed',
  description:
    'Marking messages as unread, starred or collapsed fails if you cannot read one of them. Other changes skip messages you cannot read.',
  example: { messages: [7, 8], op: 'add', flag: 'starred' },
  access: 'user',
  forRooms: true,
  effect: 'mark',
  params: {
    messages: describe(list(id, MAX_MESSAGES), `Message IDs, at most ${MAX_MESSAGES}.`),
    ...flagChangeParams,
  },
  result: v.object({
    messages: describe(v.array(v.number()), 'The requested messages that you can read.'),
    ignored_because_not_subscribed_channels: v.array(v.number()),
  }),
  async run(context, { messages: wanted, ...change }) {
    const readable = await context.viewer.readableMessages(await context.tx.messages.byIds(wanted));
    const ids = readable.map((message) => message.id);
    // Messages without stored flags count as read and have no other flag, so only these changes affect them.
    if ((change.flag === 'read') === (change.op === 'remove')) {
      const known = new Set(ids);
      const missing = wanted.find((id) => !known.has(id));
      if (missing !== undefined) throw noSuchMessage(missing);
    }
    const { ignored_because_not_subscribed_channels } = await changeFlags(context, { ids }, change);
    return { messages: ids, ignored_because_not_subscribed_channels };
  },
});

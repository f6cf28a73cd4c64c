import { cases } from '../../faces/case.ts';
import type { World } from '../../faces/world.ts';

const said = async (world: World) => {
  const to = world.channels.public;
  const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'acts', content: 'one' });
  world.kept.id = id;
};
const kept = ['messages.delete', ({ kept }: World) => ({ message_id: kept.id })] as const;

export const deleteMessageCases = cases('messages.delete', [
  {
    name: "deletes a message of one's own and tells everybody who had it",
    as: 'hamlet',
    given: said,
    call: kept,
    events: ({ kept, channels }) => {
      const event = {
        type: 'delete_message',
        message_id: kept.id,
        message_type: 'stream',
        stream_id: channels.public,
        topic: 'acts',
      };
      return { hamlet: [event], cordelia: [event], guest: [] };
    },
  },
  {
    name: "deletes another's message with the permission to",
    as: 'administrator',
    given: said,
    call: kept,
    events: ({ kept }) => ({ hamlet: [{ type: 'delete_message', message_id: kept.id }] }),
  },
  {
    name: "refuses another's message without it",
    as: 'cordelia',
    given: said,
    call: kept,
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'refuses what is out of sight',
    as: 'administrator',
    call: ['messages.delete', ({ messages }) => ({ message_id: messages.vaultAfter })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

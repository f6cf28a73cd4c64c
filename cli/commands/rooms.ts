import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/text.ts';

export const rooms = commands('rooms', 'Private conversations of customers with staff', {
  ensure: {
    args: ['external_id'],
    parsers: { members: 'users' },
    flags: { members: '--users <users>' },
    defaults: { members: [] },
    examples: ['rooms ensure order-17 --name "Order 17" --users external:u7 --staff support'],
    done: ({ parameters: { external_id, name }, answer: { stream_id, is_new } }) =>
      `${is_new ? 'Created the' : 'The'} room "${oneLine(name.trim())}" (${oneLine(external_id)}, channel ID ${stream_id})${is_new ? '.' : ' is up to date.'}`,
  },
  close: {
    args: ['external_id'],
    undo: 'rooms ensure',
    done: 'Closed the room "{external_id}".',
  },
});

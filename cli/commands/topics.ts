import { commands } from '../operations/metadata.ts';

export const topics = commands('topics', 'Topics of channels', {
  list: {
    args: ['stream_id'],
    columns: { topics: ['name', ['max_id', 'NEWEST']] },
    examples: ['topics list general'],
  },
});

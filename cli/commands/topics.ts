import { channelNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { channelPlace } from '../output/conversation.ts';

export const topics = commands('topics', 'Topics of channels', {
  list: {
    args: ['stream_id'],
    columns: { topics: ['name', ['max_id', 'NEWEST']] },
    async empty({ session, parameters: { stream_id } }) {
      return `There are no topics in "${(await channelNames(session, [stream_id]))(stream_id)}".`;
    },
    examples: ['topics list general'],
  },
  delete: {
    args: ['stream_id', { parameter: 'topic_name', label: 'TOPIC' }],
    confirm: 'Delete this topic and all its messages permanently?',
    async before({ session, parameters, terminal }) {
      const { stream_id, topic_name } = parameters;
      const channel = (await channelNames(session, [stream_id]))(stream_id);
      const place = channelPlace(channel, topic_name);
      const { topics: present } = await session.topics.list({ stream_id }).catch(() => ({ topics: undefined }));
      const isThere = present?.some(({ name }) => name.toLowerCase() === topic_name.trim().toLowerCase()) ?? true;
      return async ({ complete }) => {
        for (let isDone = complete; !isDone; ) {
          terminal.err(`Still deleting "${place}" ...`);
          isDone = (await session.topics.delete(parameters)).complete;
        }
        return isThere ? `Deleted the topic "${place}".` : `Nothing to delete: "${place}" has no messages.`;
      };
    },
    examples: ['topics delete general "old plans"', 'topics delete general "old plans" --yes'],
  },
});

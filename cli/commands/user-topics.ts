import type { Session } from '../../lib/index.ts';
import { channelNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { channelPlace } from '../output/conversation.ts';
import { sanitize } from '../output/sanitize.ts';
import { table } from '../output/table.ts';

const POLICIES = ['Reset the policy of', 'Muted', 'Unmuted', 'Followed'];
const NAMES = ['none', 'muted', 'unmuted', 'followed'];

interface Parameters {
  stream_id?: number | undefined;
  topic: string;
}

/** The text for a change. The response is empty. */
const changed = (policy: number) => async (call: { session: Session; parameters: Parameters }) => {
  const { session, parameters } = call;
  const id = Number(parameters.stream_id);
  const channel = (await channelNames(session, [id]))(id);
  return `${POLICIES[policy]} "${channelPlace(channel, parameters.topic)}".`;
};

const args = [{ parameter: 'stream_id', label: 'CHANNEL' }, 'topic'] as const;

export const userTopics = commands('userTopics', 'Muted, unmuted and followed topics', {
  set: {
    args,
    done: (call) => changed(call.parameters.visibility_policy)(call),
    examples: ['user-topics set general lunch --visibility-policy 3'],
    variants: {
      follow: {
        summary: 'Follow a topic',
        args,
        defaults: { visibility_policy: 3 },
        without: ['visibility_policy'],
        done: changed(3),
        examples: ['user-topics follow general lunch'],
      },
      unmute: {
        summary: 'Unmute a topic in a muted channel',
        args,
        defaults: { visibility_policy: 2 },
        without: ['visibility_policy'],
        done: changed(2),
        examples: ['user-topics unmute general lunch'],
      },
      reset: {
        summary: 'Remove your setting for a topic',
        args,
        defaults: { visibility_policy: 0 },
        without: ['visibility_policy'],
        done: changed(0),
        examples: ['user-topics reset general lunch'],
      },
    },
  },
  mute: {
    args,
    defaults: { op: 'add' },
    done: (call) =>
      call.parameters.stream_id === undefined ? '' : changed(call.parameters.op === 'add' ? 1 : 0)(call),
    examples: ['user-topics mute general "some topic"', 'user-topics mute general "some topic" --op remove'],
  },
  list: {
    async done({ session, answer: { user_topics }, terminal }) {
      if (user_topics.length === 0) return '';
      const name = await channelNames(
        session,
        user_topics.map((one) => one.stream_id),
      );
      return table(
        ['CHANNEL', 'TOPIC', 'POLICY'],
        user_topics.map((one) => [
          name(one.stream_id),
          sanitize(one.topic_name),
          NAMES[one.visibility_policy] ?? String(one.visibility_policy),
        ]),
        terminal,
      );
    },
    empty: 'You have no muted, unmuted or followed topics.',
    examples: ['user-topics list'],
  },
});

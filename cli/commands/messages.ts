import type { Session } from '../../lib/index.ts';
import { channelPlace } from '../output/conversation.ts';
import { channelsOf } from '../telling/reads.ts';
import type { Telling } from '../telling/telling.ts';

const DONE: Readonly<Record<string, (which: string) => string>> = {
  'add read': (which) => `Marked ${which} as read`,
  'remove read': (which) => `Marked ${which} as unread`,
  'add starred': (which) => `Starred ${which}`,
  'remove starred': (which) => `Took the star off ${which}`,
  'add collapsed': (which) => `Collapsed ${which}`,
  'remove collapsed': (which) => `Expanded ${which}`,
};

/** Messages asked for that are not there or not readable are left out of the answer, so the rest is told. */
export const tellFlags: Telling = ({ session, parameters }) => {
  return async ({ messages, ignored_because_not_subscribed_channels: ignored }) => {
    const done = doneTo(parameters, count((messages as number[]).length), await exception(session, ignored));
    const missing = new Set(parameters.messages as number[]).size - (messages as number[]).length;
    const left = missing <= 0 ? [] : [`Left out ${count(missing)} that you cannot read.`];
    return done && [done, ...left].join('\n');
  };
};

/** The same for a window of messages, of which some had the flag already. */
export const tellFlagsOfNarrow: Telling = ({ session, parameters }) => {
  return async (answer) => {
    const { updated_count, processed_count, last_processed_id, found_newest } = answer;
    const except = await exception(session, answer.ignored_because_not_subscribed_channels);
    const done = doneTo(parameters, `${updated_count} of ${count(processed_count as number)}`, except);
    const isMore = Number(parameters.num_after) > 0 && found_newest === false;
    const more = isMore ? [`There are later ones: go on with --anchor ${last_processed_id}.`] : [];
    return done && [done, ...more].join('\n');
  };
};

/** Other servers may stop after a while. */
export const tellAllRead: Telling = () => {
  return ({ complete }) =>
    complete === false ? 'Marked a part as read; run this again for the rest.' : 'Marked everything as read.';
};

export const tellChannelRead: Telling = async ({ session, parameters }) => {
  const id = Number(parameters.stream_id);
  const channel = (await channelsOf(session, [id]))(id);
  const { topic_name: topic } = parameters;
  return () =>
    `Marked everything in "${topic === undefined ? channel : channelPlace(channel, String(topic))}" as read.`;
};

const count = (messages: number) => `${messages} ${messages === 1 ? 'message' : 'messages'}`;

function doneTo({ op, flag }: Readonly<Record<string, unknown>>, which: string, exception: string): string | undefined {
  const done = DONE[`${op} ${flag}`]?.(which);
  return done && `${done}${exception}.`;
}

/** What one has read in channels one is not subscribed to stays read. */
async function exception(session: Session, ignored: unknown): Promise<string> {
  const ids = Array.isArray(ignored) ? (ignored as number[]) : [];
  if (ids.length === 0) return '';
  const name = await channelsOf(session, ids);
  return `, except in ${ids.map((id) => `"${name(id)}"`).join(', ')}, where you are not subscribed`;
}

import * as v from 'valibot';
import { describe, text } from '../../../base/schemas.ts';
import type { ChannelRules } from '../../../model/channels.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { firstInOrder, MAX_NAME_QUERY, NameQuery, type NameRank, searchedName } from '../../../rules/search-words.ts';
import type { KnownChannel } from '../../../viewer/viewer.ts';
import { channelObject, channelViews } from '../channel-view.ts';

export const searchChannels = defineOperation({
  name: 'channels.search',
  http: 'GET /streams/search',
  summary: 'Find up to 20 channels by name',
  description:
    'For suggestions while a user types. Finds channels that you can see, subscribed or not. Words of their names start with the words of the query, without regard to case and accents. An exact match comes first, then channels you are subscribed to, then names that start with the query. Leaves out archived channels. An empty query finds every channel.',
  example: { query: 'gen' },
  access: 'user',
  forRooms: true,
  params: { query: describe(text(MAX_NAME_QUERY), 'Start of a name, or of words of a name.') },
  result: v.object({ streams: v.array(channelObject) }),
  extent: () => 'large',
  async run(context, { query }) {
    const { tx } = context;
    const nameQuery = new NameQuery(searchedName(query));
    const [all, views] = await Promise.all([tx.channels.active(), channelViews(context)]);
    const matching = all.flatMap((channel) => {
      const searched = searchedName(channel.name);
      const rank = nameQuery.rank(searched);
      return rank === undefined ? [] : [{ ...channel, searched, rank }];
    });
    const { known } = await context.viewer.knownChannels(matching);
    const ids = firstInOrder(known, inOrder).map(({ channel }) => channel.id);
    const channels = new Map((await tx.channels.byIds(ids)).map((channel) => [channel.id, channel]));
    const found = ids.map((id) => channels.get(id)).filter((channel) => channel !== undefined);
    return { streams: found.map((channel) => views.of(channel)) };
  },
});

type Found = KnownChannel<ChannelRules & { searched: string; rank: NameRank }>;

/** Exact matches, then subscribed channels, then by rank and name. */
function inOrder({ channel: one, isSubscribed }: Found, { channel: other, isSubscribed: isOther }: Found): number {
  return (
    Number(other.rank === 0) - Number(one.rank === 0) ||
    Number(isOther) - Number(isSubscribed) ||
    one.rank - other.rank ||
    (one.searched === other.searched ? one.id - other.id : one.searched < other.searched ? -1 : 1)
  );
}

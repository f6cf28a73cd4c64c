import * as v from 'valibot';
import { describe, falseByDefault, id, optional, text, trueByDefault } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emailKey, fold } from '../../../rules/fold.ts';
import { isBot } from '../../../rules/roles.ts';
import { firstInOrder, MAX_NAME_QUERY, NameQuery, type NameRank, searchedName } from '../../../rules/search-words.ts';
import type { UserList } from '../../../views/user-list.ts';
import { seesEmail, userObject, userView, userViewParams, type Viewer } from '../../../views/user-view.ts';

export const searchUsers = defineOperation({
  name: 'users.search',
  http: 'GET /users/search',
  summary: 'Find up to 20 accounts by name or e-mail address',
  description:
    'For suggestions while a user types. Finds accounts whose name has words that start with the words of the query, without regard to case and accents. Then accounts whose e-mail address starts with the query, if you can see the address. An exact match comes first, then names that start with the query. An empty query finds every account.',
  example: { query: 'al' },
  access: 'user',
  forRooms: true,
  params: {
    query: describe(text(MAX_NAME_QUERY), 'Start of a name, of words of a name, or of an e-mail address.'),
    stream_id: optional(id, 'Put subscribers of this channel before others, for mentions.'),
    include_bots: trueByDefault('Include bots.'),
    include_deactivated: falseByDefault('Include deactivated accounts.'),
    client_gravatar: userViewParams.client_gravatar,
  },
  result: v.object({ members: v.array(userObject) }),
  extent: () => 'large',
  async run(context, { query, stream_id, include_bots, include_deactivated, client_gravatar }) {
    const { actor, tx } = context;
    const place = stream_id === undefined ? undefined : await context.viewer.channel(stream_id);
    const [accounts, visible, subscribers] = await Promise.all([
      context.accounts(),
      context.viewer.visibleUserIds(),
      place && tx.subscriptions.subscriberIds([place.channel.id]),
    ]);
    const inPlace = new Set(place && subscribers?.get(place.channel.id));
    const found = matchingUsers(accounts, query, actor).filter(
      ({ user }) =>
        !user.is_system_bot &&
        (include_bots || !isBot(user)) &&
        (include_deactivated || user.is_active) &&
        (!visible || visible.has(user.id)),
    );
    const first = firstInOrder(found, inOrderFor(inPlace));
    const options = { client_gravatar, include_custom_profile_fields: false };
    return { members: first.map(({ user }) => userView(context, user, options)) };
  },
});

/** Exact matches, then subscribers, then by rank and name. */
function inOrderFor(subscribers: ReadonlySet<number>) {
  return (one: FoundUser, other: FoundUser): number =>
    Number(other.rank === 0) - Number(one.rank === 0) ||
    Number(subscribers.has(other.user.id)) - Number(subscribers.has(one.user.id)) ||
    one.rank - other.rank ||
    (one.name === other.name ? one.user.id - other.user.id : one.name < other.name ? -1 : 1);
}

interface SearchedUser {
  user: User;
  name: string;
  email: string;
}

/** Texts of accounts in the form for searching. A changed account is a new record. */
const searched = new WeakMap<User, SearchedUser>();

function searchedUser(user: User): SearchedUser {
  const known = searched.get(user);
  if (known) return known;
  const made = { user, name: searchedName(user.full_name), email: emailKey(user.delivery_email) };
  searched.set(user, made);
  return made;
}

/** The same for the accounts of a list, in an array: faster to go through than looking up each. */
const searchedLists = new WeakMap<UserList, readonly SearchedUser[]>();

function searchedUsers(list: UserList): readonly SearchedUser[] {
  const known = searchedLists.get(list);
  if (known) return known;
  const made = list.all().map(searchedUser);
  searchedLists.set(list, made);
  return made;
}

interface FoundUser {
  user: User;
  /** `NameRank`, or 3: the e-mail address starts with the query. */
  rank: NameRank | 3;
  name: string;
}

/** The accounts whose name, or e-mail address as far as the viewer can see it, matches the query. */
function matchingUsers(list: UserList, text: string, viewer: Viewer): FoundUser[] {
  const names = new NameQuery(searchedName(text));
  const address = text.includes('@') ? emailKey(text) : fold(text);
  const found: FoundUser[] = [];
  for (const { user, name, email } of searchedUsers(list)) {
    const rank = names.rank(name);
    const isByAddress = rank !== 0 && address !== '' && email.startsWith(address) && seesEmail(user, viewer);
    if (isByAddress && email === address) found.push({ user, name, rank: 0 });
    else if (rank !== undefined) found.push({ user, name, rank });
    else if (isByAddress) found.push({ user, name, rank: 3 });
  }
  return found;
}

import type { User } from '../model/users.ts';
import { emailKey, fold } from '../rules/fold.ts';
import { NameQuery, type NameRank, searchedName } from '../rules/name-search.ts';
import type { UserList } from './user-list.ts';
import { seesEmail, type Viewer } from './user-view.ts';

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

export interface FoundUser {
  user: User;
  /** `NameRank`, or 3: the e-mail address starts with the query. */
  rank: NameRank | 3;
  name: string;
}

/** The accounts whose name, or e-mail address as far as the viewer can see it, matches the query. */
export function matchingUsers(list: UserList, text: string, viewer: Viewer): FoundUser[] {
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

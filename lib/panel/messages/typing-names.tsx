/** Who types in a place. */
import type { VNode } from 'preact';
import type { Place } from '../../client/store/types.ts';
import { useCellOf, usePeople } from '../context.ts';
import { useDeferred } from '../words/deferred-words.ts';
import { placesKey } from './places.ts';

/** More names are not listed. */
const MAX_TYPING = 3;

export function TypingNames({ place }: { place: Place }): VNode | null {
  const { store, words, formats } = useDeferred();
  const userIds = useCellOf(() => store.activity.typing(place), [store, placesKey(place)]);
  const people = usePeople(userIds.slice(0, MAX_TYPING));
  const names = people.map((person) => person?.full_name ?? words.unknownUser);
  if (userIds.length === 0) return null;
  if (userIds.length > MAX_TYPING) return <>{words.typingSeveral}</>;
  return <>{userIds.length === 1 ? words.typingOne(names[0] ?? '') : words.typingMany(formats.list(names))}</>;
}

import { useCell, usePanel } from '../context.ts';
import { usePeople } from '../messages/people.ts';
import type { SearchTerm } from './routes.ts';
import { queryOf } from './search-query.ts';

/** The query with the names of its users and channels. */
export function useSearchTitle(terms: readonly SearchTerm[]): string {
  const { store } = usePanel();
  const senders = terms.flatMap(([operator, id]) => (operator === 'sender' && typeof id === 'number' ? [id] : []));
  const people = usePeople(senders);
  const channels = useCell(store.channels);
  return queryOf(terms, {
    person: (id) => people[senders.indexOf(id)]?.full_name,
    channel: (id) => channels.get(id)?.name,
  });
}

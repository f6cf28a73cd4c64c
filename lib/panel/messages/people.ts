import { useEffect, useState } from 'preact/hooks';
import type { Person } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';

/** Users by ID, in the same order. Those that are not fetched yet are undefined. */
export function usePeople(ids: readonly number[]): readonly (Person | undefined)[] {
  const { store } = usePanel();
  const [, setVersion] = useState(0);
  const key = ids.join();
  useEffect(() => {
    const ends = ids.map((id) => store.people.user(id).listen(() => setVersion((version) => version + 1)));
    setVersion((version) => version + 1);
    return () => {
      for (const end of ends) end();
    };
  }, [store, key]);
  return ids.map((id) => store.people.user(id).get());
}

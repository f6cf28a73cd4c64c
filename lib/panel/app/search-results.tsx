/** Results of a search, each with the messages around it on demand. */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { MessageList } from '../../client/store/types.ts';
import { type Surroundings, SurroundingsContext } from '../messages/list-context.ts';
import { arranged } from '../messages/surroundings.ts';
import { reasonOf } from '../reasons.ts';
import { useSearchWords } from '../words/search-words.ts';

interface Opened {
  readonly list: MessageList;
  end(): void;
}

/** Give it a list of messages as its child. */
export function SearchResults({ children }: { children: ComponentChildren }): JSX.Element {
  const { store, words, announce } = useSearchWords();
  const opened = useRef(new Map<number, Opened>());
  const [version, render] = useReducer((count: number) => count + 1, 0);
  useEffect(
    () => () => {
      for (const { end } of opened.current.values()) end();
    },
    [],
  );
  const surroundings = useMemo<Surroundings>(
    () => ({
      arrange: (results) => arranged(results, (id) => opened.current.get(id)?.list.state.get().messages ?? []),
      isOpen: (id) => opened.current.has(id),
      labels: [words.showAround, words.hideAround],
      toggle: ({ id, place }) => {
        const close = () => {
          opened.current.get(id)?.end();
          opened.current.delete(id);
        };
        if (opened.current.has(id)) close();
        else {
          const list = store.messages.open(place, id);
          const endListening = list.state.listen(({ error, messages }) => {
            if (error && messages.length === 0) {
              close();
              announce(`${words.loadFailed} ${reasonOf(error, words)}`);
            }
            render(0);
          });
          opened.current.set(id, {
            list,
            end: () => {
              endListening();
              list.close();
            },
          });
        }
        render(0);
      },
    }),
    [store, words, version],
  );
  return <SurroundingsContext.Provider value={surroundings}>{children}</SurroundingsContext.Provider>;
}

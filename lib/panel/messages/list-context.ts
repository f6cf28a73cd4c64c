import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Message } from '../../client/store/types.ts';

/** Dialogs about a message. */
export type DialogName = 'delete' | 'move' | 'history' | 'readers' | 'link' | 'report' | 'remind';

/** What rows do to the list. The functions stay the same, so that rows need not be rendered again. */
export interface ListActions {
  /** Opens a text field in the place of the message; undefined closes it. */
  edit(id: number | undefined): void;
  /** The user marks messages as unread: those in sight are not marked as read again before the list is opened anew. */
  keepUnread(): void;
  openDialog(name: DialogName, message: Message): void;
  /** Opens the menu of a message beside an element. */
  openMenu(message: Message, beside: HTMLElement): void;
  openPicker(message: Message, beside: HTMLElement): void;
  /** Gives the focus to the composer for an answer to this message, which it opens if this list has another one. */
  compose(message: Pick<Message, 'id' | 'place'>): void;
}

export const ListContext = createContext<ListActions | undefined>(undefined);

export function useListActions(): ListActions {
  const actions = useContext(ListContext);
  if (!actions) throw new Error('This component is only for a list of messages.');
  return actions;
}

/** Shows an error of an action above the composer, and says it. */
export const FailureContext = createContext<(error: unknown) => void>(() => undefined);

export const useFailures = () => useContext(FailureContext);

/** The messages around the results of a search. */
export interface Surroundings {
  /** The results with the messages around those that are open: what `rowsOf` takes. */
  arrange(results: readonly Message[]): {
    readonly messages: readonly Message[];
    readonly heads: ReadonlyMap<number, number>;
    readonly around: ReadonlySet<number>;
  };
  isOpen(id: number): boolean;
  toggle(result: Pick<Message, 'id' | 'place'>): void;
  /** Of the button that shows them, and of the one that hides them. */
  readonly labels: readonly [show: string, hide: string];
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

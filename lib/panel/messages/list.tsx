/** The messages of a conversation or view. */
import { Component, Fragment, type RefObject, type VNode } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Message, MessageList, MessageListState, Narrow } from '../../client/store/types.ts';
import { OWN_LINKS, useCell, usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { Outline } from '../outline.tsx';
import { beginDeferred, ListKeys, MessageOverlay, NewMessages, OutgoingRow, PlaceLine } from '../parts.ts';
import { reasonOf } from '../reasons.ts';
import { composerOf, rowElement, rowOf } from './anchoring.ts';
import { type ListActions, ListContext, SurroundingsContext } from './list-context.ts';
import type { Opened } from './message-overlay.tsx';
import { isPlace, placesKey } from './places.ts';
import { MessageRow } from './row.tsx';
import { isSameRow, type Row, rowsOf, unreadLineOf } from './rows.ts';
import { useMarksRead, useScrolling } from './scrolling.ts';
import { unsavedEdits } from './unsaved-edits.ts';

interface ListProps {
  narrow: Narrow;
  at: 'first_unread' | 'newest' | number;
  /** Name of the conversation. */
  label: string;
  /** Opens the composer for an answer below a list of several conversations. */
  onAnswer?: ((message: Pick<Message, 'id' | 'place'>) => void) | undefined;
}

/** Give it `key` by `placesKey`: another list is another component. */
export function MessageListView({ narrow, at, label, onAnswer }: ListProps): VNode {
  const panel = usePanel();
  const { store, words } = panel;
  const list = useMemo(() => store.messages.open(narrow, at), [store]);
  useEffect(() => () => list.close(), [list]);
  const state = useCell(list.state);
  const { messages } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const { actions, editing, opened, close, keepsUnread } = useActions(scroller, messages, ({ id, place }) => {
    if (onAnswer) onAnswer({ id, place });
    else if (placesKey(place) !== placesKey(narrow)) return panel.navigate({ narrow: place, toWrite: true });
    composerOf(scroller.current)?.focus();
  });
  const marksRead = useMarksRead(narrow) && !keepsUnread;
  const { isReading, below, onScroll, toNewest } = useScrolling({ scroller, list, state, marksRead });
  const rows = useRows(narrow, state, isReading);
  const { hovered, focused, handlers } = useActiveRows();
  const [isMarked, setMarked] = useState(true);
  const isShown = state.generation > 0 || state.error !== undefined;
  // Messages that arrive before `NewMessages` has loaded are new too.
  const first = useRef<MessageListState>(undefined);
  if (state.generation > 0) first.current ??= state;
  useEffect(() => {
    // Lines of places come with the messages.
    if (isShown || !isPlace(narrow)) beginDeferred();
  }, [isShown]);
  const target = typeof at === 'number' && isMarked ? at : undefined;
  const special: Special = { active: hovered, focused, editing, opened: opened?.message.id, target };
  const isEmpty = messages.length === 0 && !(state.hasNewest && state.outgoing.length > 0);
  // A feed must have articles.
  const naming = { role: isEmpty ? 'group' : 'feed', 'aria-label': words.messagesIn(label) } as const;
  return (
    <ListContext.Provider value={actions}>
      <div class="list-frame">
        <div
          ref={scroller}
          class={isPlace(narrow) ? 'list of-place' : 'list'}
          part="list"
          aria-busy={state.loading !== 'none'}
          tabIndex={focused === undefined ? 0 : -1}
          onScroll={onScroll}
          {...naming}
          {...handlers}
        >
          <Messages {...{ narrow, list, state, rows, special, isEmpty }} />
        </div>
        {state.loading !== 'none' && <div class="progress" aria-hidden="true" />}
        {below !== undefined && !isEmpty && (
          <button type="button" class="button primary jump" part="jump" onClick={toNewest}>
            <Icon name="down" />
            {below > 0 ? words.jumpToNewestOf(below) : words.jumpToNewest}
          </button>
        )}
      </div>
      {!isEmpty && <ListKeys {...{ scroller, messages, toNewest, setMarked }} />}
      {first.current && <NewMessages {...{ scroller, state, first: first.current }} />}
      {opened && (
        <MessageOverlay key={`${opened.kind} ${opened.message.id}`} {...{ opened, messages }} onClose={close} />
      )}
    </ListContext.Provider>
  );
}

interface MessagesProps {
  narrow: Narrow;
  list: MessageList;
  state: MessageListState;
  rows: readonly Row[];
  special: Special;
  isEmpty: boolean;
}

/** The rows, with what is above the oldest message and below the newest one. */
function Messages({ narrow, list, state, rows, special, isEmpty }: MessagesProps): VNode {
  const isInChannel = 'channelId' in narrow;
  // They belong below the newest message, to which sending leads.
  const outgoing = state.hasNewest ? state.outgoing : [];
  return (
    <div class="message-rows">
      <Start {...{ state, isEmpty }} isPlace={isPlace(narrow)} retry={() => void list.older()} />
      {rows.map((row) => (
        <KeptRow key={row.key} {...{ row, isInChannel, special }} />
      ))}
      {outgoing.map((message, index) => (
        <Fragment key={message.localId}>
          {!isPlace(narrow) && (
            <PlaceLine
              place={message.place}
              before={(outgoing[index - 1] ?? state.messages.at(-1))?.place}
              isInChannel={isInChannel}
            />
          )}
          <OutgoingRow outgoing={message} />
        </Fragment>
      ))}
      {state.error && !state.hasNewest && !isEmpty && <Failed error={state.error} retry={() => void list.newer()} />}
    </div>
  );
}

function useRows(narrow: Narrow, state: MessageListState, isReading: boolean): readonly Row[] {
  const { store, formats } = usePanel();
  const { messages } = state;
  const muted = useCell(store.mutedUsers);
  const surroundings = useContext(SurroundingsContext);
  const hasMatches = 'search' in narrow;
  const line = useUnreadLine(state, isReading);
  // Results are not in the order of reading.
  const unreadLine = hasMatches ? undefined : line;
  return useMemo(() => {
    const shown = hasMatches
      ? messages.map((message) => ({ ...message, content: message.match_content ?? message.content }))
      : messages;
    const { messages: all = shown, ...arranged } = surroundings?.arrange(shown) ?? {};
    return rowsOf(all, { unreadLine, hasPlaces: !isPlace(narrow), muted, dayKey: formats.dayKey, ...arranged });
  }, [messages, surroundings, unreadLine, muted, formats]);
}

/** What the user does with messages: the one with a field in its place, and what is open above the list. */
function useActions(
  scroller: RefObject<HTMLDivElement | null>,
  messages: readonly Message[],
  compose: ListActions['compose'],
) {
  const panel = usePanel();
  const [keepsUnread, setKeepsUnread] = useState(false);
  const [{ chosen }, setEditing] = useState<{ chosen?: number | undefined }>({});
  const edits = unsavedEdits(panel.store);
  const editing = chosen ?? (edits.size > 0 ? messages.findLast(({ id }) => edits.has(id))?.id : undefined);
  const [opened, setOpened] = useState<Opened>();
  const edited = useRef<Edited>(undefined);
  const actions = useMemo<ListActions>(
    () => ({
      edit: (id) => {
        setEditing({ chosen: id });
        const before = edited.current;
        if (id === undefined) setTimeout(() => before && refocus(scroller, before));
        else edited.current = { id, isFromComposer: composerOf(scroller.current)?.matches(':focus') };
      },
      keepUnread: () => setKeepsUnread(true),
      openDialog: (kind, message) => setOpened({ kind, message }),
      openMenu: (message, beside) => setOpened({ kind: 'menu', message, beside }),
      openPicker: (message, beside) => setOpened({ kind: 'picker', message, beside }),
      compose,
    }),
    [panel],
  );
  const close = () => {
    // A menu hears late that it has closed, when another one can be open.
    setOpened((current) => (current === opened ? undefined : current));
    if (opened) setTimeout(() => refocus(scroller, opened.message));
  };
  return { actions, editing, opened, close, keepsUnread };
}

/** IDs of messages in a state of their own. */
interface Special {
  readonly active: number | undefined;
  readonly focused: number | undefined;
  readonly editing: number | undefined;
  readonly opened: number | undefined;
  readonly target: number | undefined;
}

interface RowViewProps {
  row: Row;
  special: Special;
  isInChannel: boolean;
}

/** Renders a row only if it shows something else: most of 400 stay the same after an event. */
class KeptRow extends Component<RowViewProps> {
  override shouldComponentUpdate(next: RowViewProps): boolean {
    return isSpecial(this.props) || isSpecial(next) || !isSameRow(this.props.row, next.row);
  }

  override render(props: RowViewProps): VNode {
    return <RowView {...props} />;
  }
}

const isSpecial = ({ row, special }: RowViewProps) =>
  row.kind === 'message' && Object.values(special).includes(row.message.id);

function RowView({ row, isInChannel, special }: RowViewProps): VNode {
  const { words } = usePanel();
  if (row.kind === 'day') return <DayLine at={row.at} />;
  if (row.kind === 'unread')
    return (
      <div class="unread-line" part="unread-line">
        <span>{words.newMessages}</span>
      </div>
    );
  if (row.kind === 'place') return <PlaceLine {...row} isInChannel={isInChannel} />;
  const { id } = row.message;
  const { active, focused, editing, opened, target } = special;
  return (
    <MessageRow
      message={row.message}
      hasSender={row.hasSender}
      isHidden={row.isHidden}
      isActive={id === active || id === focused || id === opened}
      isTabStop={id === focused}
      isEditing={id === editing}
      isTarget={id === target}
      isAround={row.isAround}
    />
  );
}

/** Milliseconds. A timer until midnight would stand still while the computer sleeps. */
const DAY_CHECK_MS = 60_000;

/** `Today` becomes `Yesterday` on a page that stays open. */
function DayLine({ at }: { at: number }): VNode {
  const { formats } = usePanel();
  const [, setToday] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setToday(formats.dayKey(Date.now())), DAY_CHECK_MS);
    return () => clearInterval(timer);
  }, [formats]);
  return (
    <div class="day-line" part="day">
      <span>{formats.day(at)}</span>
    </div>
  );
}

interface StartProps {
  state: MessageListState;
  isPlace: boolean;
  isEmpty: boolean;
  retry(): void;
}

/** What is above the oldest message. */
function Start({ state, isPlace: isConversation, isEmpty, retry }: StartProps): VNode | null {
  const { words } = usePanel();
  if (state.error) return <Failed error={state.error} retry={retry} />;
  if (state.loading === 'first' || state.generation === 0) return isEmpty ? <Outline of="messages" /> : null;
  if (state.isHistoryLimited) return <p class="start muted">{words.historyLimited}</p>;
  if (!state.hasOldest) return null;
  if (isEmpty)
    return (
      <div class="start muted">
        <slot name="empty">{isConversation ? words.empty : words.emptyView}</slot>
      </div>
    );
  return isConversation ? <p class="start muted">{words.beginning}</p> : null;
}

function Failed({ error, retry }: { error: Error; retry(): void }): VNode {
  const { words } = usePanel();
  return (
    <p class="start error-text">
      {words.loadFailed} {reasonOf(error, words)}{' '}
      <button type="button" class="link-button" onClick={retry}>
        {words.retry}
      </button>
    </p>
  );
}

function useUnreadLine(state: MessageListState, isReading: boolean): number | undefined {
  const { store } = usePanel();
  const kept = useRef<{ generation: number; line: number | undefined }>({ generation: -1, line: undefined });
  const me = useCell(store.me)?.user_id;
  const { messages, generation, loading } = state;
  // The flag `read` of own messages can come a moment later.
  const others = useMemo(() => messages.filter(({ sender_id }) => sender_id !== me), [messages, me]);
  const isNew = loading !== 'first' && generation !== kept.current.generation;
  kept.current = {
    generation: isNew ? generation : kept.current.generation,
    line: unreadLineOf(kept.current.line, others, { isReading, isNew }),
  };
  return kept.current.line;
}

const idOf = (target: EventTarget | null) => {
  const row = rowOf(target);
  return row ? Number(row.dataset.id) : undefined;
};

/** The rows under the pointer and with the focus: they show their actions. Keeps clicks, keys and touches until what listens to them has loaded. */
function useActiveRows() {
  const { early } = usePanel();
  const [hovered, setHovered] = useState<number>();
  const [focused, setFocused] = useState<number>();
  const hold = (event: Event) => early[event.type]?.push([event, event.target as Element]);
  const handlers = {
    onClick: (event: MouseEvent) => {
      // The browser would leave the page.
      if (hold(event) && (event.target as Element).closest(OWN_LINKS)) event.preventDefault();
    },
    onKeyDown: hold,
    onPointerDown: hold,
    onFocusIn: ({ target }: FocusEvent) => setFocused(idOf(target)),
    onFocusOut: ({ relatedTarget }: FocusEvent) => setFocused(idOf(relatedTarget)),
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') setHovered(idOf(target));
    },
    onPointerLeave: () => setHovered(undefined),
  };
  return { hovered, focused, handlers };
}

interface Edited {
  readonly id: number;
  /** The focus was there before, and returns there. */
  readonly isFromComposer?: boolean | undefined;
}

/** The row of the message, or the composer. Not if the focus has gone elsewhere. */
function refocus(scroller: RefObject<HTMLDivElement | null>, { id, isFromComposer }: Edited): void {
  const row = scroller.current && rowElement(scroller.current, id);
  if (!row) return;
  const { activeElement } = row.getRootNode() as ShadowRoot;
  if (activeElement && !row.contains(activeElement)) return;
  ((isFromComposer && composerOf(row)) || row).focus({ preventScroll: true });
}

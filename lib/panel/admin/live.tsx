/** Changes of others, as they happen. Administration has a queue of its own while it is open: other pages need none. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isChatError } from '../../base/errors.ts';
import type { ChatEvent, FetchType, InitialState, Session } from '../../chat/session.ts';
import { wait } from '../../client/answer.ts';
import { usePanel } from '../context.ts';
import { Outline } from '../outline.tsx';
import { useFetched } from '../refusal.ts';

const EVENT_TYPES = [
  ...(['realm', 'realm_user', 'realm_bot', 'realm_emoji', 'realm_linkifiers', 'realm_playgrounds'] as const),
  ...(['realm_domains', 'custom_profile_fields', 'stream', 'default_streams', 'channel_folder'] as const),
  ...(['subscription', 'user_group', 'realm_user_settings_defaults'] as const),
] as const;

type Event = Extract<ChatEvent, { type: (typeof EVENT_TYPES)[number] }>;

/** Called with each event, and with undefined after events may have been missed. */
type Listener = (event: Event | undefined) => void;

const ListenersContext = createContext<Set<Listener>>(new Set());

/** Milliseconds until another attempt after a failed one. */
const PAUSE_MS = 5_000;
/** Milliseconds until a list is fetched again: several events often come together. */
const REFRESH_DELAY_MS = 300;

/**
 * Shows its children once the queue is there, so that they miss no change. A hidden tab listens to nothing: a browser has
 * few connections to a server with HTTP/1.1.
 */
export function LiveEvents({ children }: { children: ComponentChildren }): JSX.Element {
  const { store } = usePanel();
  const listeners = useMemo(() => new Set<Listener>(), []);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let ending: AbortController | undefined;
    let hasListened = false;
    const tell: Listener = (event) => {
      for (const listener of listeners) listener(event);
    };
    const onQueue = () => {
      if (hasListened) tell(undefined);
      hasListened = true;
      setReady(true);
    };
    const follow = () => {
      if (document.hidden) return ending?.abort();
      if (ending && !ending.signal.aborted) return;
      ending = new AbortController();
      listen(store.session, { signal: ending.signal, onQueue, onFailure: () => setReady(true), tell });
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      ending?.abort();
    };
  }, [store]);
  if (!isReady) return <Outline of="people" />;
  return <ListenersContext.Provider value={listeners}>{children}</ListenersContext.Provider>;
}

interface Listening {
  signal: AbortSignal;
  onQueue(): void;
  onFailure(): void;
  tell: Listener;
}

/** Until the signal. A lost queue is replaced by another. */
async function listen(session: Session, { signal, onQueue, onFailure, tell }: Listening): Promise<void> {
  while (!signal.aborted) {
    let queueId: string | undefined;
    try {
      const events = session.listen({
        event_types: EVENT_TYPES,
        client_capabilities: { archived_channels: true, linkifier_url_template: true, user_list_incomplete: true },
        signal,
        onQueue: ({ queue_id }) => {
          queueId = queue_id;
          onQueue();
        },
        onState: ({ state }) => state === 'offline' && onFailure(),
      });
      for await (const event of events) tell(event);
    } catch (error) {
      onFailure();
      // Signed out: the panel starts again after the next login.
      if (isChatError(error) && error.status === 401) return;
    } finally {
      if (queueId !== undefined) session.events.delete({ queue_id: queueId }).catch(() => undefined);
    }
    await wait(PAUSE_MS, signal);
  }
}

export function useEvents(listener: Listener): void {
  const listeners = useContext(ListenersContext);
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    const call: Listener = (event) => current.current(event);
    listeners.add(call);
    return () => {
      listeners.delete(call);
    };
  }, [listeners]);
}

/** Milliseconds between fetches of what no event announces. */
const POLL_MS = 30_000;

/** A value of the server, fetched again after events of these types. Without types, every 30 seconds. */
export function useLive<T>(
  fetch: (signal: AbortSignal) => Promise<T>,
  types: readonly Event['type'][],
  keys: readonly unknown[] = [],
) {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = () => setVersion((before) => before + 1);
  useEvents((event) => {
    if (event && !types.includes(event.type)) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      refresh();
    }, REFRESH_DELAY_MS);
  });
  useEffect(() => {
    const polling = types.length > 0 ? undefined : setInterval(() => document.hidden || refresh(), POLL_MS);
    return () => {
      clearTimeout(timer.current);
      clearInterval(polling);
    };
  }, []);
  const found = useFetched(fetch, [version, ...keys]);
  return { ...found, refresh };
}

/** Parts of the state that no operation lists. The queue that comes with them is not needed. */
export async function stateOf<T extends FetchType>(session: Session, types: readonly T[]): Promise<InitialState<T>> {
  const { queue_id, ...state } = await session.register({
    event_types: [],
    fetch_event_types: types,
    slim_presence: true,
    presence_history_limit_days: 365,
  });
  session.events.delete({ queue_id }).catch(() => undefined);
  return state as unknown as InitialState<T>;
}

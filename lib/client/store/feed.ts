import { isChatError } from '../../base/errors.ts';
import type { InitialState, QueuedEvent, QueuePlace, Session } from '../../chat/session.ts';
import { wait } from '../answer.ts';
import { StreamPermit } from './stream-permit.ts';
import type { Me, Status } from './types.ts';

/** State that the store fetches. Users and channels without a subscription are fetched when they are needed. */
const STATE_TYPES = [
  'message',
  'subscription',
  'update_message_flags',
  'user_topic',
  'muted_users',
  'realm',
  'realm_emoji',
  'user_settings',
  'starred_messages',
  'drafts',
  'recent_private_conversations',
] as const;

const EVENT_TYPES = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'submessage',
  'update_message_flags',
  'subscription',
  'stream',
  'user_topic',
  'muted_users',
  'realm',
  'realm_user',
  'realm_emoji',
  'user_group',
  'user_settings',
  'drafts',
  'scheduled_messages',
  'reminders',
  'saved_snippets',
  'typing',
  'presence',
] as const;

const CAPABILITIES = {
  archived_channels: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
  notification_settings_null: true,
  time_format_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
  user_list_incomplete: true,
  user_settings_object: true,
};

/** Parameters of `register`. */
export const REGISTRATION = {
  event_types: EVENT_TYPES,
  fetch_event_types: STATE_TYPES,
  apply_markdown: true,
  client_gravatar: false,
  include_subscribers: false,
  include_never_subscribed: false,
  client_capabilities: CAPABILITIES,
} as const;

/** What `register` returns, as far as the store uses it. */
export type Initial = InitialState<(typeof STATE_TYPES)[number]> & QueuePlace;

/** Where the state and the events go. */
export interface FeedTarget {
  reset(initial: Initial, me: Me): void;
  /** The events of one response. */
  apply(events: readonly QueuedEvent[]): void;
  setStatus(status: Status): void;
}

/** Milliseconds between the polls of a hidden tab. The server keeps a queue for at least 10 minutes. */
const POLL_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Registers a queue and reads its events. States: `starting` -> `live` <-> `offline`, `behind`; `signed-out` <-> `live`,
 * because it tries again when the user comes to the page. With ACCOUNT_CHANGED, `signed-out` is the end.
 *
 * It streams events, or polls where a server or proxy has no streams. A hidden tab without a permit to stream asks every
 * 30 seconds. When the browser loses or regains the network, it connects again at once.
 */
export class Feed {
  readonly #ending = new AbortController();
  readonly #permit = new StreamPermit(() => this.#early.abort());
  #state: Status['state'] = 'starting';
  #hasBeenLive = false;
  #queue: QueuePlace | undefined;
  /** Ends a stream or a pause, so that the next attempt begins. */
  #early = new AbortController();
  /** Registrations in a row that ended at once. */
  #failures = 0;
  #registerNow: (() => void) | undefined;

  constructor(
    private readonly session: Session,
    private readonly target: FeedTarget,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.#ending;
    this.#permit.start(signal);
    const network = globalThis as unknown as Partial<EventTarget>;
    // An open stream does not notice a lost network. A new one fails at once, or fetches missed events.
    for (const type of ['online', 'offline']) network.addEventListener?.(type, () => this.#early.abort(), { signal });
    while (!this.#isOver) {
      try {
        await this.#follow();
        // Events end without an error when the session was closed.
        if (!this.#isOver) this.#set({ state: 'offline' });
        return;
      } catch (error) {
        if (this.#isOver) return;
        const isOfOther = isChatError(error, 'ACCOUNT_CHANGED');
        if (isOfOther || isSignedOut(error)) this.#set({ state: 'signed-out', error: error as Error });
        if (isOfOther) return;
        await this.#pause(error as Error);
      }
    }
  }

  /** Tries again at once if it waits for the next attempt. */
  retryNow(): void {
    this.#registerNow?.();
    this.#early.abort();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#early.abort();
    const queue_id = this.#queue?.queue_id;
    if (queue_id !== undefined) await this.session.events.delete({ queue_id }).catch(() => undefined);
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  get #isSignedOut(): boolean {
    return this.#state === 'signed-out';
  }

  /** Returns when the session was closed. */
  async #follow(): Promise<void> {
    this.#queue ??= await this.#register();
    const queue = this.#queue;
    try {
      while (!this.#isOver) {
        this.#early = new AbortController();
        const { signal } = this.#early;
        const isPolled = await this.#read(queue, signal);
        if (!isPolled && !signal.aborted) return;
        if (isPolled) await wait(POLL_MS, signal);
      }
    } catch (error) {
      // The queue expired, or an event of it failed: the next attempt registers a new one.
      this.#queue = undefined;
      throw error;
    }
  }

  /** Reads events until the signal. Without a permit to stream, only until it has all, and returns true. */
  async #read(queue: QueuePlace, signal: AbortSignal): Promise<boolean> {
    let hasAll = false;
    const onState = (connection: Connection) => {
      hasAll = connection.state === 'live';
      this.#report(connection);
    };
    for await (const events of this.session.listen({ queue, batches: true, signal, onState })) {
      this.target.apply(events);
      queue.last_event_id = events.at(-1)?.id ?? queue.last_event_id;
      this.#failures = 0;
      if (hasAll && !this.#permit.isGranted) return true;
    }
    return false;
  }

  async #register(): Promise<QueuePlace> {
    const { session, target } = this;
    const { signal } = this.#ending;
    const initial = await session.register(REGISTRATION, {
      signal,
      onState: (connection) => {
        this.#registerNow = connection.state === 'offline' ? connection.retryNow : undefined;
        if (connection.state === 'offline') this.#report(connection);
      },
    });
    const me = (await session.users.me({}, { signal })) as Me;
    if (!this.#isOver) {
      this.#permit.site = initial.realm_url;
      target.reset(initial, me);
      if (this.#isSignedOut) this.#set(this.#waiting);
    }
    return { queue_id: initial.queue_id, last_event_id: initial.last_event_id };
  }

  #report({ state, error, retryAt }: Connection): void {
    // Show nothing before the server accepts the login.
    if (this.#isSignedOut) return;
    if (state === 'live') {
      this.#hasBeenLive = true;
      this.#set({ state });
    } else if (state === 'offline' || (state === 'connecting' && this.#state === 'offline')) {
      // The next attempt is no connection yet.
      this.#set({ state: 'offline', ...(error && { error }), ...(retryAt !== undefined && { retryAt }) });
    } else if (this.#state !== 'live') {
      // A poll, or another stream, does not mean that something is missing.
      this.#set(this.#waiting);
    }
  }

  get #waiting(): Status {
    return { state: this.#hasBeenLive ? 'behind' : 'starting' };
  }

  #set(status: Status): void {
    this.#state = status.state;
    this.target.setStatus(status);
  }

  /** After a lost queue at once, after other failures later and later. Signed out, until the user comes to the page. */
  async #pause(error: Error): Promise<void> {
    const pause = this.#isSignedOut ? undefined : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    const isFirst = this.#failures++ === 0;
    if (isFirst && isChatError(error, 'BAD_EVENT_QUEUE_ID')) return this.#set({ state: 'behind' });
    this.#early = new AbortController();
    if (pause !== undefined) this.#set({ state: 'offline', error, retryAt: Date.now() + pause });
    await wait(pause, this.#early.signal);
  }
}

interface Connection {
  state: 'connecting' | 'catching-up' | 'live' | 'offline';
  error?: Error;
  retryAt?: number;
}

/** The login is refused, or the account is deactivated. */
const isSignedOut = (error: unknown) => isChatError(error) && error.status === 401;

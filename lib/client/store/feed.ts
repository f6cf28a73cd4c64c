import { isChatError } from '../../base/errors.ts';
import type { InitialState, QueuedEvent, QueuePlace, Session } from '../../chat/session.ts';
import type { Me, Status } from './types.ts';

/** State that the store fetches. Users and channels without a subscription are fetched when they are needed. */
const FETCHED = [
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

const EVENTS = [
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
  'typing',
  'presence',
] as const;

const CAPABILITIES = {
  archived_channels: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
  user_list_incomplete: true,
  user_settings_object: true,
};

/** Parameters of `register`. */
export const REGISTRATION = {
  event_types: EVENTS,
  fetch_event_types: FETCHED,
  apply_markdown: true,
  client_gravatar: false,
  include_subscribers: false,
  include_never_subscribed: false,
  client_capabilities: CAPABILITIES,
} as const;

/** What `register` returns, as far as the store uses it. */
export type Initial = InitialState<(typeof FETCHED)[number]> & QueuePlace;

/** Where the state and the events go. */
export interface FeedTarget {
  reset(initial: Initial, me: Me): void;
  /** The events of one response. */
  apply(events: readonly QueuedEvent[]): void;
  setStatus(status: Status): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Registers a queue and reads its events. States: `starting` -> `live` <-> `offline`, `behind`; at last `signed-out`. */
export class Feed {
  readonly #ending = new AbortController();
  #hasBeenLive = false;
  #isOffline = false;
  #queue: QueuePlace | undefined;
  /** Registrations in a row that ended at once. */
  #failures = 0;
  #retryNow: (() => void) | undefined;

  constructor(
    private readonly session: Session,
    private readonly target: FeedTarget,
  ) {}

  /** @param queue continues with this queue, whose state the target has */
  async run(queue?: QueuePlace): Promise<void> {
    this.#queue = queue && { ...queue };
    while (!this.#isOver) {
      try {
        await this.#follow();
        // Events end without an error when the session was closed.
        if (!this.#isOver) this.target.setStatus({ state: 'offline' });
        return;
      } catch (error) {
        if (this.#isOver) return;
        if (isSignedOut(error)) return this.target.setStatus({ state: 'signed-out', error: error as Error });
        await this.#pause(error as Error);
      }
    }
  }

  /** Tries again at once if it waits for the next attempt. */
  retryNow(): void {
    this.#retryNow?.();
  }

  /** @param keepsQueue others continue with it */
  async stop({ keepsQueue = false } = {}): Promise<void> {
    this.#ending.abort();
    const queue_id = this.#queue?.queue_id;
    if (queue_id === undefined || keepsQueue) return;
    await this.session.events.delete({ queue_id }).catch(() => undefined);
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  async #follow(): Promise<void> {
    const { session, target } = this;
    const { signal } = this.#ending;
    const onState = (connection: Connection) => {
      if (connection.state === 'live') this.#hasBeenLive = true;
      this.#retryNow = connection.retryNow;
      target.setStatus(this.#status(connection));
    };
    this.#queue ??= await this.#register(onState);
    if (this.#isOver) return;
    const queue = this.#queue;
    try {
      for await (const events of session.listen({ queue, batches: true, signal, onState })) {
        target.apply(events);
        queue.last_event_id = events.at(-1)?.id ?? queue.last_event_id;
        this.#failures = 0;
      }
    } catch (error) {
      // The queue expired, or an event of it failed: the next attempt registers a new one.
      this.#queue = undefined;
      throw error;
    }
  }

  async #register(onState: (connection: Connection) => void): Promise<QueuePlace> {
    const { session, target } = this;
    const { signal } = this.#ending;
    const initial = await session.register(REGISTRATION, {
      signal,
      onState: (state) => state.state === 'offline' && onState(state),
    });
    const me = (await session.users.me({}, { signal })) as Me;
    if (!this.#isOver) target.reset(initial, me);
    return { queue_id: initial.queue_id, last_event_id: initial.last_event_id };
  }

  #status({ state, error, retryAt }: Connection): Status {
    // The next attempt is no connection yet.
    if (state !== 'connecting') this.#isOffline = state === 'offline';
    if (state === 'live') return { state };
    if (this.#isOffline) {
      return { state: 'offline', ...(error && { error }), ...(retryAt !== undefined && { retryAt }) };
    }
    return { state: this.#hasBeenLive ? 'behind' : 'starting' };
  }

  /** After a lost queue at once, after other failures later and later. */
  async #pause(error: Error): Promise<void> {
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    const isFirst = this.#failures++ === 0;
    if (isFirst && isChatError(error, 'BAD_EVENT_QUEUE_ID')) return this.target.setStatus({ state: 'behind' });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.#retryNow = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#ending.signal.addEventListener('abort', this.#retryNow, { once: true });
      this.target.setStatus({ state: 'offline', error, retryAt: Date.now() + pause });
    });
  }
}

interface Connection {
  state: 'connecting' | 'catching-up' | 'live' | 'offline';
  error?: Error;
  retryAt?: number;
  retryNow?: () => void;
}

/** The login is refused, or the account is deactivated: a retry does not help. */
const isSignedOut = (error: unknown) => isChatError(error) && error.status === 401;

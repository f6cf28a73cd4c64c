import { isChatError } from '../../base/errors.ts';
import type { ChatEvent, Session } from '../../chat/session.ts';
import { type Batch, SourceCell } from './cell.ts';
import { ascending, directPlace, isTopicPlace, placeKey, stored } from './places.ts';
import type { Cell, Organization, Place, Presence, Activity as PublicActivity } from './types.ts';

/** Milliseconds, if the organization does not say otherwise. */
const TYPING_EXPIRES_MS = 15_000;
const TYPING_REPEATS_MS = 10_000;
const TYPING_STOPS_MS = 5_000;
const PRESENCE_REPORT_SECONDS = 60;
/** A user is offline when the last report is older. */
const OFFLINE_AFTER_SECONDS = 200;
/** Days without activity after which a user is offline without a time. */
const PRESENCE_HISTORY_DAYS = 1;

const NO_ONE: readonly number[] = [];

/** Who types where, and who is online. */
export class Activity implements PublicActivity {
  readonly #typing = new Map<string, SourceCell<readonly number[]>>();
  readonly #expiries = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #presence = new Map<number, SourceCell<Presence>>();
  readonly #seen = new Map<number, SlimPresence>();
  /** Up to which change of presences the last report has returned them. */
  #lastUpdateId = -1;
  /** Seconds that the clock of the server is ahead of the one here. */
  #clockAhead = 0;
  #own: { place: Place; sentAt: number; stop: ReturnType<typeof setTimeout> } | undefined;
  #report: ReturnType<typeof setInterval> | undefined;
  #isActive = false;

  constructor(
    private readonly session: Session,
    private readonly batch: Batch,
    private readonly me: () => number,
    private readonly organization: () => Organization | undefined,
  ) {}

  typing(place: Place): Cell<readonly number[]> {
    return this.#typingCell(placeKey(stored(place, this.me())));
  }

  presence(userId: number): Cell<Presence> {
    const cell = this.#presence.get(userId) ?? new SourceCell<Presence>(this.batch, this.#presenceOf(userId));
    this.#presence.set(userId, cell);
    return cell;
  }

  /**
   * A new queue: what was missed is fetched again.
   * @param serverTime seconds since the epoch
   */
  reset(serverTime: number): void {
    this.#clockAhead = serverTime - Date.now() / 1000;
    this.#forgetTyping();
  }

  /** Seconds since the epoch. */
  serverTime(): number {
    return Date.now() / 1000 + this.#clockAhead;
  }

  #forgetTyping(): void {
    for (const timer of this.#expiries.values()) clearTimeout(timer);
    this.#expiries.clear();
    for (const cell of this.#typing.values()) cell.set(NO_ONE);
  }

  stop(): void {
    this.#forgetTyping();
    clearInterval(this.#report);
    clearTimeout(this.#own?.stop);
    this.#own = undefined;
  }

  apply(event: ChatEvent): void {
    if (event.type === 'presence') {
      return this.#see(event.presences ?? {});
    }
    if (event.type === 'message') return this.#setTyping('stop', event.message.sender_id);
    if (event.type !== 'typing') return;
    const { sender, recipients, stream_id, topic } = event;
    const place =
      stream_id === undefined
        ? directPlace([...(recipients ?? []).map(({ user_id }) => user_id), sender.user_id], this.me())
        : { channelId: stream_id, topic: topic ?? '' };
    if (sender.user_id !== this.me()) this.#setTyping(event.op, sender.user_id, [placeKey(place)]);
  }

  notifyTyping(typedIn: Place): void {
    const place = stored(typedIn, this.me());
    const now = Date.now();
    const own = this.#own;
    if (own && placeKey(own.place) !== placeKey(place)) this.stopTyping(own.place);
    clearTimeout(this.#own?.stop);
    const isDue = !this.#own || now - this.#own.sentAt >= TYPING_REPEATS_MS;
    const stop = setTimeout(() => this.stopTyping(place), TYPING_STOPS_MS);
    this.#own = { place, sentAt: isDue ? now : (this.#own?.sentAt ?? now), stop };
    if (isDue) this.#sendTyping(place, 'start');
  }

  stopTyping(typedIn: Place): void {
    const place = stored(typedIn, this.me());
    if (!this.#own || placeKey(this.#own.place) !== placeKey(place)) return;
    clearTimeout(this.#own.stop);
    this.#own = undefined;
    this.#sendTyping(place, 'stop');
  }

  reportPresence(isActive: boolean): void {
    this.#isActive = isActive;
    clearInterval(this.#report);
    const seconds = this.organization()?.server_presence_ping_interval_seconds ?? PRESENCE_REPORT_SECONDS;
    this.#report = setInterval(() => void this.#sendPresence(), seconds * 1000);
    void this.#sendPresence();
  }

  /** The response has the presences that changed since the last report. */
  async #sendPresence(): Promise<void> {
    const status = this.#isActive ? 'active' : 'idle';
    const parameters = { status, slim_presence: true, last_update_id: this.#lastUpdateId } as const;
    try {
      const answer = await this.session.presence.report({ ...parameters, history_limit_days: PRESENCE_HISTORY_DAYS });
      this.#lastUpdateId = answer.presence_last_update_id ?? this.#lastUpdateId;
      this.batch.run(() => this.#see((answer.presences ?? {}) as SlimPresences));
    } catch (error) {
      // Tokens for rooms may not report. Without a connection, the next report has what this one would have had.
      if (isChatError(error) && error.status === 403) clearInterval(this.#report);
    }
  }

  /** A lost notification is harmless: it expires. */
  #sendTyping(place: Place, op: 'start' | 'stop'): void {
    if (isTopicPlace(place)) {
      const { channelId: stream_id, topic } = place;
      void this.session.typing.send({ type: 'channel', op, stream_id, topic }).catch(() => undefined);
    } else if (place.userIds.length > 0) {
      void this.session.typing.send({ type: 'direct', op, to: [...place.userIds] }).catch(() => undefined);
    }
  }

  #typingCell(key: string): SourceCell<readonly number[]> {
    const cell = this.#typing.get(key) ?? new SourceCell<readonly number[]>(this.batch, NO_ONE);
    this.#typing.set(key, cell);
    return cell;
  }

  /** @param keys places; all by default */
  #setTyping(op: 'start' | 'stop', userId: number, keys = [...this.#typing.keys()]): void {
    for (const key of keys) {
      const timer = `${userId} ${key}`;
      clearTimeout(this.#expiries.get(timer));
      this.#expiries.delete(timer);
      const cell = this.#typingCell(key);
      const others = cell.get().filter((id) => id !== userId);
      if (op === 'start') {
        cell.set(ascending([...others, userId]));
        this.#expiries.set(
          timer,
          setTimeout(() => this.#setTyping('stop', userId, [key]), TYPING_EXPIRES_MS),
        );
      } else if (others.length < cell.get().length) cell.set(others.length > 0 ? others : NO_ONE);
    }
  }

  #see(presences: SlimPresences): void {
    for (const [id, presence] of Object.entries(presences)) this.#seen.set(Number(id), presence);
    // Others become idle or offline by the time that passes.
    for (const [id, cell] of this.#presence) cell.set(this.#presenceOf(id));
  }

  #presenceOf(userId: number): Presence {
    const seen = this.#seen.get(userId);
    if (!seen && this.#lastUpdateId === -1) return 'unknown';
    const { active_timestamp = 0, idle_timestamp = 0 } = seen ?? {};
    const threshold = this.organization()?.server_presence_offline_threshold_seconds ?? OFFLINE_AFTER_SECONDS;
    const since = this.serverTime() - threshold;
    return active_timestamp >= since ? 'active' : idle_timestamp >= since ? 'idle' : 'offline';
  }
}

interface SlimPresence {
  active_timestamp?: number;
  idle_timestamp?: number;
}

type SlimPresences = Record<string, SlimPresence>;

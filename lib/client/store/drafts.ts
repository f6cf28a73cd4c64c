import type { ChatEvent, InitialState, Session } from '../../chat/session.ts';
import { type AccountStorage, parsed } from './account-storage.ts';
import { type Batch, SourceCell } from './cell.ts';
import { directPlace, isMove, isTopicPlace, moveOf, placeKey, stored } from './places.ts';
import type { ChatStore, Draft, Place } from './types.ts';

type PublicDrafts = ChatStore['drafts'];
type ServerDraft = InitialState<'drafts'>['drafts'][number];

/** The server gets a draft when it has not changed for this time, in milliseconds. */
const SEND_DELAY_MS = 2_000;

class DraftCell extends SourceCell<string> implements Draft {
  constructor(
    batch: Batch,
    private readonly onSet: () => void,
  ) {
    super(batch, '');
  }

  override set(text: string): void {
    if (text === this.get()) return;
    super.set(text);
    this.onSet();
  }

  /** Shows a text that is stored already. */
  show(text: string): void {
    super.set(text);
  }
}

interface Entry {
  /** Changes when its topic is moved. */
  place: Place;
  readonly cell: DraftCell;
  serverId?: number | undefined;
  /** When the text changed last, in milliseconds since the epoch, by the clock of the server. */
  changedAt: number;
  /** The server does not have this text. */
  isDirty: boolean;
  /** Not typed here: another tab, or a page before a reload, has left the text in the storage. */
  isLoaded: boolean;
  /** Texts of the server that this text continues: the last one shown, and those sent since. */
  known: readonly string[];
  /** What this entry has last written to the storage or read there. Tabs of a browser share the storage. */
  stored?: string | undefined;
  timer?: ReturnType<typeof setTimeout>;
  sending: Promise<void>;
}

interface Stored {
  text: string;
  changedAt: number;
  /** Not there in what older versions have stored. */
  known?: readonly string[];
}

/** A text is compared with this many texts of the server. */
const MAX_KNOWN_TEXTS = 2;

interface Dependencies {
  session: Session;
  batch: Batch;
  storage: AccountStorage;
  me(): number;
  isSynchronized(): boolean;
  /** Characters of a message. */
  maxLength(): number;
  /** Seconds since the epoch, by the clock of the server. */
  serverTime(): number;
}

/** One draft for each place: in the storage of the browser at once, and on the server for other clients. */
export class Drafts implements PublicDrafts {
  readonly #entries = new Map<string, Entry>();
  /** Drafts on the server by place. */
  #onServer = new Map<string, ServerDraft>();

  constructor(private readonly dependencies: Dependencies) {}

  of(place: Place): Draft {
    return this.#entry(stored(place, this.dependencies.me())).cell;
  }

  reset({ drafts }: InitialState<'drafts'>): void {
    this.#onServer = new Map();
    for (const draft of drafts) this.#remember(draft);
    for (const entry of this.#entries.values()) {
      if (!this.#onServer.has(placeKey(entry.place))) {
        if (entry.serverId !== undefined && !entry.isDirty) this.#show(entry, '');
        entry.serverId = undefined;
      }
      if (entry.isDirty) this.#write(entry);
      this.#load(entry);
    }
  }

  apply(event: ChatEvent): void {
    if (isMove(event)) {
      const { from, to, isWhole } = moveOf(event);
      if (isWhole) this.#move(from, to);
    }
    if (event.type !== 'drafts') return;
    if (event.op === 'remove') return this.#removed(event.draft_id);
    for (const draft of event.op === 'add' ? event.drafts : [event.draft]) {
      const key = this.#remember(draft);
      const entry = key === undefined ? undefined : this.#entries.get(key);
      if (!entry) continue;
      // Perhaps the event of an earlier text of the same user. What is typed here goes to the server next.
      if (entry.isDirty && !entry.isLoaded && !isSame(entry, draft)) entry.serverId = draft.id;
      else this.#adopt(entry, draft);
    }
  }

  /** Sends what waits and was typed here. */
  async send(): Promise<void> {
    const typed = [...this.#entries.values()].filter(({ isLoaded }) => !isLoaded);
    await Promise.all(typed.map((entry) => this.#send(entry)));
  }

  /** Until the next `reset`, it sends nothing by itself. The storage has what waits. */
  stop(): void {
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
  }

  /** The user has logged out: no text goes to the storage any more. */
  forget(): void {
    this.stop();
    for (const entry of this.#entries.values()) entry.isDirty = false;
  }

  #entry(place: Place): Entry {
    const key = placeKey(place);
    const found = this.#entries.get(key);
    if (found) return found;
    const cell = new DraftCell(this.dependencies.batch, () => {
      entry.changedAt = this.dependencies.serverTime() * 1000;
      entry.isDirty = true;
      entry.isLoaded = false;
      this.#write(entry);
      this.#sendSoon(entry);
    });
    const sending = Promise.resolve();
    const entry: Entry = { place, cell, changedAt: 0, isDirty: false, isLoaded: false, known: [], sending };
    this.#entries.set(key, entry);
    this.#load(entry);
    return entry;
  }

  /**
   * Moves the text with its topic. The cell stays the same object, because the composer and running uploads use it. All
   * clients of the user do this at the same time. The client where the user types sends last.
   */
  #move(from: Place, to: Place): void {
    const [key, next] = [placeKey(from), placeKey(to)];
    const draft = this.#onServer.get(key);
    if (!this.#entries.has(key) && !draft && this.#stored(key) === undefined) return;
    const [entry, target] = [this.#entry(from), this.#entry(to)];
    if (draft && !this.#onServer.has(next)) {
      this.#onServer.delete(key);
      this.#onServer.set(next, draft);
      if (target.isDirty) target.serverId = draft.id;
    }
    if (target.cell.get() !== '' || target.isDirty || target.serverId !== undefined) return this.#append(entry, target);
    this.#entries.delete(key);
    if (entry.stored !== undefined) this.dependencies.storage.set('draft', key, undefined);
    this.#entries.set(next, entry);
    entry.place = to;
    if (entry.isDirty) {
      this.#write(entry);
      this.#sendSoon(entry);
    } else if (entry.serverId !== undefined) {
      Object.assign(entry, { isDirty: true, isLoaded: true });
      void this.#send(entry);
    }
  }

  #append(entry: Entry, target: Entry): void {
    const [text, there] = [entry.cell.get(), target.cell.get()];
    // Another tab or client may have appended it already.
    if (!there.includes(text)) target.cell.set([there, text].filter(Boolean).join('\n\n'));
    if (entry.serverId === target.serverId) entry.serverId = undefined;
    entry.cell.set('');
  }

  /** Shows the newer of the texts of the storage and of the server. */
  #load(entry: Entry): void {
    const key = placeKey(entry.place);
    const stored = entry.isDirty ? undefined : this.#stored(key);
    const found = stored && parsed<Stored>(stored);
    if (found) {
      const { text, changedAt, known = [] } = found;
      Object.assign(entry, { changedAt, known, stored, isDirty: true, isLoaded: true });
      entry.cell.show(text);
    }
    const onServer = this.#onServer.get(key);
    if (onServer) this.#adopt(entry, onServer);
    if (entry.isDirty) this.#sendSoon(entry);
  }

  /** Remembers a draft of the server. Undefined for one without a place, from another client. */
  #remember(draft: ServerDraft): string | undefined {
    const { type, to, topic } = draft;
    const [channelId] = to;
    if (type === '' || (type === 'stream' && channelId === undefined)) return undefined;
    const place =
      type === 'stream' ? { channelId: channelId as number, topic } : directPlace(to, this.dependencies.me());
    const key = placeKey(place);
    const known = this.#onServer.get(key);
    if (!known || known.id === draft.id || known.timestamp <= draft.timestamp) this.#onServer.set(key, draft);
    return key;
  }

  #removed(id: number): void {
    for (const [key, draft] of this.#onServer) if (draft.id === id) this.#onServer.delete(key);
    for (const entry of this.#entries.values()) {
      if (entry.serverId !== id) continue;
      entry.serverId = undefined;
      if (!entry.isDirty) this.#show(entry, '');
    }
  }

  /** A draft of the server replaces an older text here, and never one that continues it or changed later. */
  #adopt(entry: Entry, draft: ServerDraft): void {
    const { id, content, timestamp } = draft;
    entry.serverId = id;
    const isNewer = entry.known.includes(content.trim()) || entry.changedAt > timestamp * 1000;
    if (entry.isDirty && !isSame(entry, draft) && isNewer) return;
    entry.isDirty = false;
    entry.known = [content.trim()];
    this.#show(entry, isSame(entry, draft) ? entry.cell.get() : content);
  }

  #show(entry: Entry, text: string): void {
    entry.cell.show(text);
    this.#write(entry);
  }

  #sendSoon(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void this.#send(entry), SEND_DELAY_MS);
  }

  #send(entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    entry.sending = entry.sending.then(() => this.#sendNow(entry)).catch(() => undefined);
    return entry.sending;
  }

  async #sendNow(entry: Entry): Promise<void> {
    const { session, isSynchronized, maxLength } = this.dependencies;
    if (!entry.isDirty || !isSynchronized()) return;
    // The tab that typed this text has changed or sent it since. It sends what it has typed.
    if (entry.isLoaded && this.#stored(placeKey(entry.place)) !== entry.stored) {
      entry.isDirty = false;
      this.#load(entry);
      return;
    }
    const { place, serverId: draft_id, changedAt } = entry;
    const content = entry.cell.get();
    // The server would cut off its end. It stays here until the user has shortened it.
    if ([...content].length > maxLength()) return;
    const isTopic = isTopicPlace(place);
    const draft = {
      type: isTopic ? ('stream' as const) : ('private' as const),
      to: isTopic ? [place.channelId] : [...place.userIds],
      topic: isTopic ? place.topic : '',
      content,
    };
    if (content.trim() !== '') {
      entry.known = [...entry.known, content.trim()].slice(-MAX_KNOWN_TEXTS);
      this.#write(entry);
      if (draft_id === undefined) [entry.serverId] = (await session.drafts.create({ drafts: [draft] })).ids;
      else await session.drafts.edit({ draft_id, draft });
    } else if (draft_id !== undefined) {
      await session.drafts.remove({ draft_id });
      entry.serverId = undefined;
    }
    if (entry.changedAt !== changedAt || entry.place !== place) return;
    entry.isDirty = false;
    this.#write(entry);
  }

  #stored(key: string): string | undefined {
    return this.dependencies.storage.get('draft', key);
  }

  /** The storage has only texts that the server may not have. */
  #write(entry: Entry): void {
    const { storage } = this.dependencies;
    const key = placeKey(entry.place);
    const { isDirty, changedAt, known, stored: before } = entry;
    entry.stored = isDirty ? JSON.stringify({ text: entry.cell.get(), changedAt, known } satisfies Stored) : undefined;
    const isStored = entry.stored !== undefined && storage.set('draft', key, entry.stored);
    // An older text would come back after a reload. What another tab has written since stays.
    if (!isStored && (isDirty || (before !== undefined && this.#stored(key) === before)))
      storage.set('draft', key, undefined);
  }
}

/** The server removes white space at the ends, which the user may be about to continue after. */
const isSame = ({ cell }: Entry, { content }: ServerDraft) => content.trim() === cell.get().trim();

import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { isInRooms, roomsOf } from '../rules/roles.ts';
import type { EventQueue, LoggedEvent, StoredEvent } from '../storage/interface/events.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { queueOptions } from './client.ts';
import { type EventClient, type EventDeclaration, type EventLookup, type ForRooms, nameOf } from './define-event.ts';

/**
 * IDs count from the start of the queue. The first is 1, because clients that start at 0 would ignore an
 * event 0. Also, a heartbeat before the first event needs an ID that no event has.
 */
export const eventId = (queue: Pick<EventQueue, 'start_seq'>, seq: number) => seq - queue.start_seq;

/** Position in the log of an event ID. -1 and 0 are the start of the queue. */
export const seqOf = (queue: Pick<EventQueue, 'start_seq'>, id: number) => queue.start_seq + Math.max(0, id);

/** Bytes. Thousands of responses share longer JSON without copies. */
const MIN_UNCOPIED_BYTES = 4_096;

/** UTF-8 of the JSON of an event, which is not empty, without its ID, which depends on the queue. */
const sharedEvent = (event: object): Buffer => Buffer.from(JSON.stringify(event).slice(0, -1));

/** @param parts bytes and ASCII text */
function joined(parts: readonly (string | Buffer)[]): Buffer {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') bytes.write(part, at, 'latin1');
    else bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export type WireEvent = StoredEvent & { id: number };

/** An event with the fields that were looked up for one reader. */
export interface CompleteEvent extends LoggedEvent {
  readonly own?: Record<string, unknown>;
  /** The event without these fields, the same for all readers. */
  readonly shared?: LoggedEvent;
}

type Reader = EventClient['reader'];

/** The text around the JSON of an event. */
export interface EventFrame {
  before(id: number): string;
  readonly after: string;
  readonly separator?: string;
}

export class EventEncoder {
  readonly #declarations: ReadonlyMap<string, EventDeclaration>;
  readonly #moved = new WeakMap<LoggedEvent, LoggedEvent>();
  #latestMove: { editId: number; ids: readonly number[] } | undefined;
  /** On what the JSON of events depends, by the options of a queue. */
  readonly #views = new WeakMap<object, { organization: Organization; form: string }>();
  /** JSON of events with many recipients, by all besides the event on which it depends. It lives as long as the events. */
  readonly #forms = new WeakMap<LoggedEvent, Map<string, readonly Buffer[]>>();

  constructor(declarations: readonly EventDeclaration[]) {
    this.#declarations = new Map(declarations.map((declaration) => [declaration.eventName, declaration]));
  }

  /** @throws Error for an event that no feature declares */
  declarationOf(event: StoredEvent): EventDeclaration {
    const declaration = this.#declarations.get(nameOf(event));
    if (!declaration) throw new Error(`The event ${nameOf(event)} is not declared by any feature.`);
    return declaration;
  }

  /** Whether the queue receives this event: by its type, the capabilities of its client and its narrow. */
  accepts(queue: EventQueue, logged: LoggedEvent, reader: Reader, organization: Organization): boolean {
    const { event, archivedChannels } = logged;
    if (queue.event_types !== null && !queue.event_types.includes(event.type)) return false;
    const { client_capabilities } = queueOptions(queue);
    if (archivedChannels !== undefined && archivedChannels !== (client_capabilities.archived_channels ?? false))
      return false;
    const { needs, unless, matchesNarrow } = this.declarationOf(event);
    if (roomsOf(reader) && this.#inRooms(logged, reader) === false) return false;
    const needed = typeof needs === 'function' ? needs(event) : needs;
    if (needed && !client_capabilities[needed]) return false;
    if (unless && client_capabilities[unless]) return false;
    // Fast path: called for thousands of polls, nearly all without a narrow.
    if (!matchesNarrow || queue.narrow.length === 0) return true;
    return matchesNarrow({ ...event, ...logged.forUsers?.[reader.id] }, clientOf(queue, reader, organization));
  }

  /** Whether the event changes what the reader can see, if their token is limited to rooms. */
  startsOver(logged: LoggedEvent, reader: Reader): boolean {
    return this.#inRooms(logged, reader) === 'start over';
  }

  #inRooms({ event, audience }: LoggedEvent, reader: Reader): ForRooms {
    const rooms = roomsOf(reader);
    if (!rooms) return true;
    const { inRooms } = this.declarationOf(event);
    return inRooms?.(event, { ...rooms, channel: audience.channel, readerId: reader.id }) ?? false;
  }

  /** The event in the form for the client of this queue. Older clients may need several events. */
  eventsFor(queue: EventQueue, logged: CompleteEvent, reader: Reader, organization: Organization): WireEvent[] {
    const id = eventId(queue, logged.seq);
    const shown = this.#shown(queue, logged, reader.id, clientOf(queue, reader, organization));
    return shown.map((event) => ({ ...event, id }));
  }

  /** The text of events for a queue, as UTF-8. Events in the same form share their JSON. */
  encode(
    queue: EventQueue,
    events: readonly CompleteEvent[],
    { reader, organization, frame }: { reader: Reader; organization: Organization; frame: EventFrame },
  ): Buffer[] {
    const pieces: Buffer[] = [];
    let parts: (string | Buffer)[] = [];
    let text = '';
    for (const logged of events) {
      const id = eventId(queue, logged.seq);
      for (const event of this.#shared(queue, logged, reader, organization)) {
        if (text !== '') text += frame.separator ?? '';
        text += frame.before(id);
        if (event.length < MIN_UNCOPIED_BYTES) parts.push(text, event);
        else {
          pieces.push(joined([...parts, text]), event);
          parts = [];
        }
        text = `,"id":${id}}${frame.after}`;
      }
    }
    pieces.push(joined([...parts, text]));
    return pieces;
  }

  #shared(queue: EventQueue, logged: CompleteEvent, reader: Reader, organization: Organization) {
    const { forClient, lookUp } = this.declarationOf(logged.event);
    if (lookUp?.forReader !== undefined || logged.forQueue?.queue_id === queue.id) {
      return this.#shown(queue, logged, reader.id, clientOf(queue, reader, organization)).map(sharedEvent);
    }
    const forUser = logged.forUsers?.[reader.id];
    let form = forClient ? this.#viewOf(queue, organization) : '';
    if (logged.own || forUser) form += ` ${JSON.stringify([logged.own, forUser])}`;
    const common = logged.shared ?? logged;
    const forms = this.#forms.get(common) ?? new Map<string, readonly Buffer[]>();
    const known = forms.get(form);
    if (known) return known;
    // If the declaration does not read `reader`, the result is the same for all clients with the same form.
    let isTheirs = false;
    const client = {
      ...clientOf(queue, reader, organization),
      get reader() {
        isTheirs = true;
        return reader;
      },
    };
    const made = this.#shown(queue, logged, reader.id, client).map(sharedEvent);
    if (!isTheirs) this.#forms.set(common, forms.set(form, made));
    return made;
  }

  #viewOf({ options }: EventQueue, organization: Organization): string {
    const known = this.#views.get(options);
    if (known?.organization === organization) return known.form;
    const form = JSON.stringify([options, organization.version, organization.site_path]);
    this.#views.set(options, { organization, form });
    return form;
  }

  #shown(queue: EventQueue, logged: CompleteEvent, readerId: number, client: EventClient): StoredEvent[] {
    const forUser = logged.forUsers?.[readerId];
    const echo = logged.forQueue?.queue_id === queue.id ? logged.forQueue.fields : undefined;
    const event: StoredEvent = { ...logged.event, ...logged.own, ...forUser, ...echo };
    const { forClient } = this.declarationOf(event);
    if (!forClient) return [event];
    const { type, op } = event;
    const head = op === undefined ? { type } : { type, op };
    const shown = forClient(event, client);
    if (!Array.isArray(shown)) return [{ ...shown, ...head }];
    // An event must carry the ID, or the client would request it again and again.
    if (shown.length === 0) return [{ type: 'heartbeat' }];
    return shown.map((fields) => ({ ...fields, ...head }));
  }

  isOpen({ movedBy, event }: LoggedEvent, reader: Reader): boolean {
    const { flagsOf, forReader, messagesInRooms } = this.declarationOf(event).lookUp ?? {};
    const isFiltered = messagesInRooms !== undefined && roomsOf(reader) !== undefined;
    return movedBy !== undefined || flagsOf !== undefined || forReader !== undefined || isFiltered;
  }

  /**
   * Fills in fields that are not in the log, in the transaction that reads it. These are the messages moved with a
   * whole topic, and fields of the reader such as message flags. They have current values, which later events of the
   * log lead to anyway.
   */
  async complete(look: EventLookup, reader: User, events: readonly LoggedEvent[]): Promise<readonly CompleteEvent[]> {
    if (!events.some((logged) => this.isOpen(logged, reader))) return events;
    const { tx } = look;
    const messageOf = ({ event }: LoggedEvent) => this.declarationOf(event).lookUp?.flagsOf?.(event);
    const flags = await tx.readState.flagsOf(
      reader.id,
      events.map(messageOf).filter((id) => id !== undefined),
    );
    const last = new Map(events.map((logged) => [this.declarationOf(logged.event), logged]));
    const own = new Map<EventDeclaration, object>();
    for (const declaration of last.keys()) {
      const forReader = declaration.lookUp?.forReader;
      if (forReader) own.set(declaration, await forReader(look, reader));
    }
    const complete: CompleteEvent[] = [];
    for (const logged of events) {
      const declaration = this.declarationOf(logged.event);
      const ownFields = own.get(declaration);
      // Of several events with the current state of the reader, keeps only the last. Each can be very long.
      if (ownFields && last.get(declaration) !== logged) continue;
      const message = messageOf(logged);
      const shared = await this.#withinRooms(tx, await this.#withMoved(tx, logged), reader);
      const ownFlags = message === undefined ? undefined : { flags: flags.get(message) ?? [] };
      complete.push(ownFlags || ownFields ? { ...shared, shared, own: { ...ownFlags, ...ownFields } } : shared);
    }
    return complete;
  }

  /** With the messages of the reader's rooms only, if the event lists messages of any place. */
  async #withinRooms(tx: Transaction, logged: LoggedEvent, reader: User): Promise<LoggedEvent> {
    const field: string | undefined = this.declarationOf(logged.event).lookUp?.messagesInRooms;
    const ids = field !== undefined && roomsOf(reader) ? logged.event[field] : undefined;
    if (field === undefined || !Array.isArray(ids)) return logged;
    const found = await tx.messages.byIds(ids);
    const kept = found.filter(({ channel_id }) => isInRooms(reader, channel_id)).map(({ id }) => id);
    return { ...logged, event: { ...logged.event, [field]: kept } };
  }

  /** With the messages moved with a whole topic. All readers of a channel get a move within moments, and the list can be long. */
  async #withMoved(tx: Transaction, logged: LoggedEvent): Promise<LoggedEvent> {
    const { movedBy, event } = logged;
    if (movedBy === undefined) return logged;
    const known = this.#moved.get(logged);
    if (known) return known;
    const list = this.declarationOf(event).lookUp?.movedMessages ?? 'message_ids';
    if (this.#latestMove?.editId !== movedBy) {
      this.#latestMove = { editId: movedBy, ids: await tx.edits.messagesMoved(movedBy) };
    }
    const complete = { ...logged, event: { ...event, [list]: this.#latestMove.ids.slice() } };
    this.#moved.set(logged, complete);
    return complete;
  }
}

function clientOf(queue: EventQueue, reader: Reader, organization: Organization): EventClient {
  return { reader, organization, options: queueOptions(queue), narrow: queue.narrow };
}

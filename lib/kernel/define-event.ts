import * as v from 'valibot';
import type { StoredEvent } from '../storage/interface/event-log.ts';
import type { Organization } from '../storage/interface/organization.ts';
import type { EventQueue } from '../storage/interface/queues.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { User } from '../storage/interface/users.ts';
import type { Capability, QueueOptions } from './client.ts';

/** Whom an event is prepared for: the owner of a queue, with what the queue asked for. */
export interface EventClient {
  readonly reader: Pick<User, 'id' | 'role'>;
  readonly organization: Organization;
  readonly options: QueueOptions;
  readonly narrow: EventQueue['narrow'];
}

/** The transaction in which an event is delivered. */
export interface EventLookup {
  readonly tx: Transaction;
  readonly organization: Organization;
  /** Milliseconds. */
  readonly now: number;
}

type Fields<F extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<F, undefined>>;

interface EventOptions<F extends v.ObjectEntries, S extends object> {
  /** One line: what happened, for whoever reads the description of the API. */
  readonly summary: string;
  /** What clients receive beside `id`, `type` and `op`. */
  readonly fields: F;
  /** Clients that do not understand this never receive it; a function where only some of its kind need it. */
  readonly needs?: Capability | ((event: S) => Capability | undefined);
  /** Whether it fits the narrow of a queue that has one; without this, narrows leave it alone. */
  matchesNarrow?(event: S, client: EventClient): boolean;
  /**
   * What this client receives, where the log keeps something else or clients differ. Several where an
   * older client knows only events about one thing; none where nothing is left to tell.
   */
  forClient?(event: S, client: EventClient): Fields<F> | readonly Fields<F>[];
  /** What is looked up when it is delivered, so that the log keeps no list for each reader or of a whole topic. */
  readonly lookUp?: {
    /** The field that lists the messages which the move of a whole topic took along (`movedBy`). */
    readonly movedMessages?: keyof F & string;
    /** The message whose flags, as the reader has them now, are the field `flags`. */
    readonly flagsOf?: (event: S) => number;
    /** Fields that are each reader's own, as they are by then. */
    readonly forReader?: (look: EventLookup, reader: User) => Promise<Partial<Fields<F>>>;
  };
}

declare const declared: unique symbol;

/** An event that was made by its declaration: nothing else can be emitted. */
export type DeclaredEvent = StoredEvent & { readonly [declared]: true };

/**
 * A kind of event. Calling it makes one, to be emitted.
 * `N` is its name, `type` or `type/op`; `F` what clients receive; `S` what the log keeps.
 */
export interface EventDeclaration<
  N extends string = string,
  // biome-ignore lint/suspicious/noExplicitAny: the widest declaration must accept every schema
  F extends v.ObjectEntries = any,
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  S extends object = any,
> extends EventOptions<F, S> {
  (fields: S): DeclaredEvent;
  readonly eventName: N;
}

/**
 * Declares a kind of event: what clients receive, and what those get instead that do not understand it.
 * The types of events, what may be emitted, what `listen({ event_types })` narrows to and the API's
 * description follow from the declarations.
 * @example
 * export const reactionAdded = defineEvent('reaction/add', {
 *   summary: 'A user added a reaction to a message.',
 *   fields: { message_id: v.number(), user_id: v.number(), ...emojiFields },
 * });
 * emit(audience, reactionAdded({ message_id: 7, user_id: 9, ...emoji }));
 */
export function defineEvent<const N extends string, F extends v.ObjectEntries, S extends object = Fields<F>>(
  name: N,
  options: EventOptions<F, S>,
): EventDeclaration<N, F, S> {
  const [type, op] = name.split('/') as [string, string?];
  const head = op === undefined ? { type } : { type, op };
  const make = (fields: S) => ({ ...head, ...fields }) as unknown as DeclaredEvent;
  return Object.assign(make, options, { eventName: name });
}

type Head<N extends string> = N extends `${infer T}/${infer O}` ? { type: T; op: O } : { type: N };

/** What clients receive of a declaration, without the id in their queue. */
export type EventOf<D> = D extends EventDeclaration<infer N, infer F, infer _> ? Head<N> & Fields<F> : never;

export const nameOf = ({ type, op }: Pick<StoredEvent, 'type' | 'op'>) => (op === undefined ? type : `${type}/${op}`);

/** Any event of a queue; what each kind holds is in its declaration. */
export const anyEvent = v.looseObject({ id: v.number(), type: v.string() });

/** What a client receives of this kind, with its id in the queue. */
export function eventSchema({ eventName, fields }: EventDeclaration): v.GenericSchema {
  const [type, op] = eventName.split('/') as [string, string?];
  return v.object({
    id: v.number(),
    type: v.literal(type),
    ...(op === undefined ? {} : { op: v.literal(op) }),
    ...(fields as v.ObjectEntries),
  }) as unknown as v.GenericSchema;
}

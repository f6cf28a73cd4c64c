import * as v from 'valibot';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import type { RoomScope } from '../rules/roles.ts';
import type { EventQueue, StoredEvent } from '../storage/interface/events.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { Capability, QueueOptions } from './client.ts';

/** The client for which an event is prepared: the owner of a queue, and the options of the queue. */
export interface EventClient {
  readonly reader: Pick<User, 'id' | 'role' | 'settings'>;
  readonly organization: Organization;
  readonly options: QueueOptions;
  readonly narrow: EventQueue['narrow'];
}

export interface EventLookup {
  readonly tx: Transaction;
  readonly organization: Organization;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Fields<F extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<F, undefined>>;

/** What a token that is limited to rooms sees when an event arrives. */
export interface RoomView extends RoomScope {
  /** The channel to whose subscribers the event goes. */
  readonly channel: number | undefined;
  readonly readerId: number;
}

/** `start over`: it changes what the token can see. Its queue ends, and its client registers again. */
export type ForRooms = boolean | 'start over';

interface EventOptions<F extends v.ObjectEntries, S extends object> {
  /** One line for the API documentation: what happened. */
  readonly summary: string;
  readonly fields: F;
  /** Clients without this capability never receive the event. A function if it depends on the event. */
  readonly needs?: Capability | ((event: S) => Capability | undefined);
  /** Clients with this capability never receive the event. */
  readonly unless?: Capability;
  /** Whether it matches the narrow of a queue. Without this function, narrows do not filter the event. */
  matchesNarrow?(event: S, client: EventClient): boolean;
  /** Whether a token that is limited to rooms gets it. Without this function, it does not. */
  inRooms?(event: S, view: RoomView): ForRooms;
  /**
   * The fields for this client, if they differ from the stored ones. An array if an older client needs several events;
   * an empty one if the client receives nothing.
   */
  forClient?(event: S, client: EventClient): Fields<F> | readonly Fields<F>[];
  /** Fields that are looked up on delivery, because they are long or different for each reader. */
  readonly lookUp?: {
    /** The field with the messages moved together with a whole topic (`movedBy`). */
    readonly movedMessages?: keyof F & string;
    /** The field with messages of any place, of which a token that is limited to rooms gets those of its rooms. */
    readonly messagesInRooms?: keyof F & string;
    /** The ID of a message: the field `flags` has the current flags of the reader on it. */
    readonly flagsOf?: (event: S) => number;
    /** Fields that differ for each reader, with their current values. */
    readonly forReader?: (look: EventLookup, reader: User) => Promise<Partial<Fields<F>>>;
  };
}

declare const declared: unique symbol;

export type DeclaredEvent = StoredEvent & { readonly [declared]: true };

/**
 * A kind of event. Call it to create an event for `emit`. `N` is its name, `type` or `type/op`; `F` the fields that
 * clients receive; `S` the stored fields.
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
 * Declares a kind of event: the fields for clients, and the fields for older clients. The types of events, of `emit`
 * and of `listen({ event_types })`, and the API documentation follow from the declarations.
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
  const [type = '', op] = name.split('/');
  const head = op === undefined ? { type } : { type, op };
  const make = (fields: S) => ({ ...head, ...fields }) as unknown as DeclaredEvent;
  return Object.assign(make, options, { eventName: name });
}

type Head<N extends string> = N extends `${infer T}/${infer O}` ? { type: T; op: O } : { type: N };

export type EventOf<D> = D extends EventDeclaration<infer N, infer F, infer _> ? Head<N> & Fields<F> : never;

export const nameOf = ({ type, op }: Pick<StoredEvent, 'type' | 'op'>) => (op === undefined ? type : `${type}/${op}`);

/** Any event of a queue. The declarations define the other fields. */
export const anyEvent = v.looseObject({ id: v.number(), type: v.string() });

export function eventSchema({ eventName, fields }: EventDeclaration): v.GenericSchema {
  const [type = '', op] = eventName.split('/');
  return v.object({
    id: v.number(),
    type: v.literal(type),
    ...(op === undefined ? {} : { op: v.literal(op) }),
    ...(fields as v.ObjectEntries),
  }) as unknown as v.GenericSchema;
}

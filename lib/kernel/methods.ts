import type { Events } from './generated/events.ts';
import type { Registered, RegisterParameters, States } from './generated/registration.ts';

/** What an operation answers. */
export type Answer<T> = T & {
  /** Names given that the operation does not know; absent when there are none. */
  ignored_parameters_unsupported?: string[];
};

/**
 * Something that happened, as clients receive it, without its id in their queue. A union over `type` and
 * `op`: `if (event.type === 'message') event.message.content`.
 */
export type ChatEvent = Events[keyof Events];

/** One of a queue, with its id there. */
export type AnyEvent = ChatEvent & { id: number };

/** Types of events that `listen` yields. */
export type EventType = Exclude<ChatEvent['type'], 'heartbeat'>;

/** Types of state that `register` fetches. */
export type FetchType = keyof States;

/** What `register` answers for these fetch types. */
export type InitialState<T extends FetchType = FetchType> = [T] extends [never]
  ? unknown
  : { [K in T]: (state: States[K]) => void }[T] extends (state: infer All) => void
    ? All
    : never;

/** The answer has the state of the types in `fetch_event_types`; without it of those in `event_types`; else of all. */
export interface Register {
  <const T extends FetchType>(
    parameters: RegisterParameters & { event_types?: readonly string[] | null; fetch_event_types: readonly T[] },
  ): Promise<Answer<Registered & InitialState<T>>>;
  <const T extends string>(
    parameters: RegisterParameters & { event_types: readonly T[]; fetch_event_types?: undefined },
  ): Promise<Answer<Registered & InitialState<Extract<T, FetchType>>>>;
  (
    parameters?: RegisterParameters & { event_types?: null | undefined; fetch_event_types?: null | undefined },
  ): Promise<Answer<Registered & InitialState>>;
}

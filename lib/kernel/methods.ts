import type * as v from 'valibot';
import type { CatalogueOperation, ChatEvent, StateParts } from './catalogue.ts';
import type { CombinationOf, Operation } from './operation.ts';
import type { RawJson } from './raw-json.ts';

type Parameters<O extends Operation> = v.InferInput<O['params']> & CombinationOf<O>;
type Answer<O extends Operation> = v.InferOutput<O['result']> & {
  /** Names given that the operation does not know; absent when there are none. */
  ignored_parameters_unsupported?: string[];
};

/** A method of a session, by the name of its operation. Parameters may be left out where none is required. */
export type Method<N extends CatalogueOperation['name']> =
  Record<never, never> extends Parameters<Named<N>>
    ? (parameters?: Parameters<Named<N>>) => Promise<Answer<Named<N>>>
    : (parameters: Parameters<Named<N>>) => Promise<Answer<Named<N>>>;

type Named<N extends CatalogueOperation['name']> = Extract<CatalogueOperation, { name: N }>;

/** Types of events that `listen` yields. */
export type EventType = Exclude<ChatEvent['type'], 'heartbeat'>;

/** `events.list`, whose events are typed. */
export type ListEvents = (
  parameters: Parameters<Named<'events.list'>>,
) => Promise<Answer<Named<'events.list'>> & { events: (ChatEvent & { id: number })[] }>;

/** Fields that are named: an answer that may hold others has an index signature, which would allow any name. */
type Known<S> = { [K in keyof S as string extends K ? never : K]: S[K] };
type Unwrapped<S> = { [K in keyof Known<S>]: S[K] extends RawJson<infer T> ? T : S[K] };
type StateOfPart<P> = P extends (...args: never[]) => Promise<infer S> ? Unwrapped<S> : never;
/** Types of state that `register` fetches. */
export type FetchType = keyof StateParts;
/** What `register` answers for these fetch types. */
export type InitialState<T extends FetchType = FetchType> = [T] extends [never]
  ? unknown
  : { [K in T]: (state: StateOfPart<StateParts[K]>) => void }[T] extends (state: infer All) => void
    ? All
    : never;

type RegisterParameters = Omit<Parameters<Named<'register'>>, 'event_types' | 'fetch_event_types'>;
type Registered = Known<Answer<Named<'register'>>>;

/** The answer has the state of the types in `fetch_event_types`; without it of those in `event_types`; else of all. */
export interface Register {
  <const T extends FetchType>(
    parameters: RegisterParameters & { event_types?: readonly string[] | null; fetch_event_types: readonly T[] },
  ): Promise<Registered & InitialState<T>>;
  <const T extends string>(
    parameters: RegisterParameters & { event_types: readonly T[]; fetch_event_types?: undefined },
  ): Promise<Registered & InitialState<Extract<T, FetchType>>>;
  (
    parameters?: RegisterParameters & { event_types?: null | undefined; fetch_event_types?: null | undefined },
  ): Promise<Registered & InitialState>;
}

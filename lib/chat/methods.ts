import type { RegisterOptions } from './call-options.ts';

/** Answer of an operation. */
export type Answer<T> = T & {
  /** Parameters in the call that the operation does not know. Absent if there are none. */
  ignored_parameters_unsupported?: string[];
};

/** Intersection of the state of these fetch types. */
export type StateOf<States, T extends keyof States> = [T] extends [never]
  ? unknown
  : { [K in T]: (state: States[K]) => void }[T] extends (state: infer All) => void
    ? All
    : never;

/**
 * Registers an event queue and fetches the current state: of the types in `fetch_event_types`, or else in
 * `event_types`, or else of all types.
 */
export interface Register<Parameters, Registered, States> {
  <const T extends keyof States>(
    parameters: Parameters & { event_types?: readonly string[] | null; fetch_event_types: readonly T[] },
    options?: RegisterOptions,
  ): Promise<Answer<Registered & StateOf<States, T>>>;
  <const T extends string>(
    parameters: Parameters & { event_types: readonly T[]; fetch_event_types?: undefined },
    options?: RegisterOptions,
  ): Promise<Answer<Registered & StateOf<States, Extract<T, keyof States>>>>;
  (
    parameters?: Parameters & { event_types?: null | undefined; fetch_event_types?: null | undefined },
    options?: RegisterOptions,
  ): Promise<Answer<Registered & StateOf<States, keyof States>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the widest method must take the parameters of every operation
type Method = (...parameters: any[]) => Promise<unknown>;

/** Names of grouped methods, for example `messages.send`. */
export type NamesOf<O> = {
  [G in keyof O & string]: O[G] extends Method ? G : `${G}.${keyof O[G] & string}`;
}[keyof O & string];

type MethodIn<O, N extends string> = N extends keyof O
  ? O[N]
  : N extends `${infer G}.${infer A}`
    ? G extends keyof O
      ? A extends keyof O[G]
        ? O[G][A]
        : never
      : never
    : never;

/** Parameters of the method with this name. */
export type ParametersIn<O, N extends string> = MethodIn<O, N> extends (...parameters: infer P) => unknown ? P : never;

/** Answer of the method with this name. */
export type AnswerIn<O, N extends string> =
  MethodIn<O, N> extends (...parameters: never) => Promise<infer A> ? A : never;

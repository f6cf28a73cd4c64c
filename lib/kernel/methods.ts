/** What an operation answers. */
export type Answer<T> = T & {
  /** Names given that the operation does not know; absent when there are none. */
  ignored_parameters_unsupported?: string[];
};

/** The parts of a state, all together, for these fetch types; `States` has the part of each. */
export type StateOf<States, T extends keyof States> = [T] extends [never]
  ? unknown
  : { [K in T]: (state: States[K]) => void }[T] extends (state: infer All) => void
    ? All
    : never;

/** The answer has the state of the types in `fetch_event_types`; without it of those in `event_types`; else of all. */
export interface Register<Parameters, Registered, States> {
  <const T extends keyof States>(
    parameters: Parameters & { event_types?: readonly string[] | null; fetch_event_types: readonly T[] },
  ): Promise<Answer<Registered & StateOf<States, T>>>;
  <const T extends string>(
    parameters: Parameters & { event_types: readonly T[]; fetch_event_types?: undefined },
  ): Promise<Answer<Registered & StateOf<States, Extract<T, keyof States>>>>;
  (
    parameters?: Parameters & { event_types?: null | undefined; fetch_event_types?: null | undefined },
  ): Promise<Answer<Registered & StateOf<States, keyof States>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the widest method must take the parameters of every operation
type Method = (...parameters: any[]) => Promise<unknown>;

/** `messages.send` of methods in groups. */
export type NamesOf<O> = {
  [G in keyof O & string]: O[G] extends Method ? G : `${G}.${keyof O[G] & string}`;
}[keyof O & string];

/** The method with such a name. */
type MethodIn<O, N extends string> = N extends keyof O
  ? O[N]
  : N extends `${infer G}.${infer A}`
    ? G extends keyof O
      ? A extends keyof O[G]
        ? O[G][A]
        : never
      : never
    : never;

/** What that method is given. */
export type ParametersIn<O, N extends string> = MethodIn<O, N> extends (...parameters: infer P) => unknown ? P : never;

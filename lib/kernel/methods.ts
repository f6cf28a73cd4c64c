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

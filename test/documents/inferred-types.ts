/** The types that the compiler infers from the declarations. `lib/chat/generated.ts` is printed from them. */
import type * as v from 'valibot';
import type { RawJson } from '../../lib/base/raw-json.ts';
import type { InputsOf } from '../../lib/base/schemas.ts';
import type { CatalogueOperation, EventDeclarations, StateParts } from '../../lib/catalogue.ts';
import type { EventOf } from '../../lib/events/define-event.ts';
import type { CombinationOf, Operation } from '../../lib/operation/operation.ts';

/** Readonly lists at any depth, so that callers may pass readonly lists too. */
type Given<T> = T extends string | Blob | Uint8Array | AsyncIterable<unknown>
  ? T
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: Given<T[K]> }
    : T extends object
      ? { [K in keyof T]: Given<T[K]> }
      : T;
type ParametersOf<O extends Operation> = Given<InputsOf<O['params']> & CombinationOf<O>>;
/** Named fields. A response that allows others has an index signature, which would allow any name. */
type Known<S> = { [K in keyof S as string extends K ? never : K]: S[K] };
type Unwrapped<T> = T extends RawJson<infer Value> ? Value : T;
type State<S> = { [K in keyof Known<S>]: Unwrapped<S[K]> };

/** By operation. */
export type Parameters = { [O in CatalogueOperation as O['name']]: ParametersOf<O> };
export type Answers = { [O in CatalogueOperation as O['name']]: Known<v.InferOutput<O['result']>> };
/** Operations without required parameters. */
export type WithoutParameters = {
  [O in CatalogueOperation as Record<never, never> extends ParametersOf<O> ? O['name'] : never]: true;
};

/** By name, `type` or `type/op`. */
export type Events = { [D in EventDeclarations as D['eventName']]: EventOf<D> };

/** By fetch type of `register`. */
export type States = {
  [K in keyof StateParts]: StateParts[K] extends (...args: never[]) => Promise<infer S> ? State<S> : never;
};

/** Parameters and response fields of `register`, except event types and the state. */
export type Registration = {
  RegisterParameters: Omit<Parameters['register'], 'event_types' | 'fetch_event_types'>;
  Registered: Answers['register'];
};

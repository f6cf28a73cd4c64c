import type { Departure } from '../delivery/waiter.ts';
import type { User } from '../storage/interface/users.ts';
import type { ManualContext } from './context.ts';

/** The cached caller of a resumed call. */
export type Resumed = Pick<ManualContext<'user'>, 'actor' | 'organization'>;

/** Receives the result of a call, once. */
export interface Asker {
  /** Creates the context if the call needs more than the cached data. */
  context(known: Resumed): ManualContext<'user'>;
  resolve(result: object): void;
  reject(error: unknown): void;
}

/** A call that continues where the caller's last one ended. Thousands may wait, so it needs only one object. */
export interface Resumption {
  /** The caller, unchanged since it was authorized. */
  readonly actor: User;
  /** Continues the call. May answer the asker synchronously. @param signal signal of the caller */
  begin(asker: Asker, signal: Departure | undefined): void;
}

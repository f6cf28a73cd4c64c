import type { Departure } from '../delivery/waiter.ts';
import type { User } from '../storage/interface/users.ts';
import type { ManualContext } from './context.ts';

/** What is known of whoever goes on with a call. */
export type Resumed = Pick<ManualContext<'user'>, 'actor' | 'organization'>;

/** Whoever is told what became of a call, once. */
export interface Asker {
  /** Makes what the call goes on with where it takes more than what is known. */
  context(known: Resumed): ManualContext<'user'>;
  resolve(result: object): void;
  reject(error: unknown): void;
}

/** A call that goes on where its caller's last one ended. Thousands may wait at a time, so it does with one object. */
export interface Resumption {
  /** As they were let in, unchanged since. */
  readonly actor: User;
  /** Goes on, which may tell the asker at once. @param signal the caller's own */
  begin(asker: Asker, signal: Departure | undefined): void;
}

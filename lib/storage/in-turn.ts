import { TransactionUnsuitable } from '../base/errors.ts';
import { Semaphore } from './semaphore.ts';

const turns = new WeakMap<object, Semaphore>();

/** For a call whose transaction the host has ended before the last statement. */
export const endedEarly = () =>
  new TransactionUnsuitable(
    'Your transaction ended during this call. Parts of the call may be stored. Wait for the call before COMMIT or ROLLBACK.',
  );

/** Runs work on a connection of the host after earlier work on it. */
export function inTurn<T>(connection: object, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(connection) ?? new Semaphore(1);
  turns.set(connection, turn);
  return turn.run(work);
}

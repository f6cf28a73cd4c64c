import { Semaphore } from './semaphore.ts';

const turns = new WeakMap<object, Semaphore>();

/** Runs work on a connection of the host after earlier work on it. */
export function inTurn<T>(connection: object, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(connection) ?? new Semaphore(1);
  turns.set(connection, turn);
  return turn.run(work);
}

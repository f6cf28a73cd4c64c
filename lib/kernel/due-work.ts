import type { Transaction } from '../storage/interface/storage.ts';
import type { Services } from './context.ts';

/** A kind of background work with a due time. The worker runs it only when it is due. */
export interface DueWork {
  name: string;
  /** Time of the next work, in milliseconds. undefined if there is none. Called often, so use an index. */
  nextDue(tx: Transaction, services: Services): Promise<number | undefined>;
  /**
   * Does the due work; returns the number of completed jobs. Runs once at a time per process, but concurrently with
   * other processes. Its writes must be short, bounded and, if possible, `shared`. After `isStopping`, it must only
   * finish running work.
   */
  run(services: Services, isStopping: () => boolean): Promise<number>;
  /** Its data is only in memory, so it runs once more when the chat closes. */
  alsoAtClose?: boolean;
}

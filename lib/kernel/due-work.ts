import type { Transaction } from '../storage/interface/storage.ts';
import type { Services } from './context.ts';

/** A kind of work that falls due. The worker looks at the times first, and runs only what is due. */
export interface DueWork {
  name: string;
  /** When work is due next, milliseconds; undefined when there is none. A look at an index: it is asked often. */
  nextDue(tx: Transaction, services: Services): Promise<number | undefined>;
  /**
   * Does what is due now; returns how many things it did. Never run twice at a time by one process, but by others
   * beside it: its writes are short and bounded, and `shared` where they can be. `isStopping`: only what is under
   * way is finished.
   */
  run(services: Services, isStopping: () => boolean): Promise<number>;
  /** What it writes stands in memory alone, so it is run once more when the chat closes, due or not. */
  alsoAtClose?: boolean;
}

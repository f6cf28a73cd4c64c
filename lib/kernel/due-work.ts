import type { Transaction } from '../storage/interface/storage.ts';
import type { Services } from './context.ts';

/** A kind of work that falls due. */
export interface DueWork {
  name: string;
  /** When work is due next, milliseconds; undefined when there is none. */
  nextDue(tx: Transaction): Promise<number | undefined>;
  /** Does what is due now; returns how many things it did. `isStopping`: only what is under way is finished. */
  run(services: Services, isStopping: () => boolean): Promise<number>;
}

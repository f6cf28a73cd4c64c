import type { QueueOptions } from '../delivery/wire.ts';
import type { AccountContext } from './operation.ts';

/** What a part of the initial state is built from: one read transaction and what the client asked for. */
export interface Snapshot {
  context: AccountContext;
  options: QueueOptions;
  /** Whether a fetch type was asked for. */
  wants(type: string): boolean;
}

/** Fields of the register answer for one fetch type; large ones may be `Prebuilt`. */
export type StatePart = (snapshot: Snapshot) => Promise<Record<string, unknown>>;

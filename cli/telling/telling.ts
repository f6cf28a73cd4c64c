import type { Session } from '../../lib/index.ts';
import type { Terminal } from '../output/terminal.ts';

export interface Call {
  session: Session;
  /** As the operation will be given them. */
  parameters: Readonly<Record<string, unknown>>;
  terminal: Terminal;
}

type Answer = Readonly<Record<string, unknown>>;

/** Tells an answer to people; undefined where it can say no more than the fields do. */
export type Tell = (answer: Answer) => string | undefined | Promise<string | undefined>;

/** Reads what must be known before the call, and returns how its answer is told. */
export type Telling = (call: Call) => Tell | Promise<Tell>;

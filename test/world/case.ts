import type { catalogue } from '../../lib/internal.ts';
import type { UserName } from './fixture.ts';
import type { Pattern } from './matching.ts';
import type { World } from './world.ts';

export type OperationName = (typeof catalogue)[number]['name'];

/** Wrong values are part of what is tested, so parameters are not held to the operation's type. */
export type Params = Record<string, unknown>;

/** Patterns of the fields that matter. */
type Fields = Readonly<Record<string, Pattern>>;

/** One call of one operation, and everything it should do. */
export interface Case {
  /** A sentence. */
  name: string;
  as: UserName | 'nobody';
  /** Brings the world into the state the call starts from. */
  given?: (world: World) => Promise<unknown>;
  call: readonly [OperationName, (Params | ((world: World) => Params))?];
  /** What the answer contains. */
  returns?: Fields | ((world: World) => Fields);
  refuses?: {
    code: string;
    /** Default 400. */
    status?: number;
    /** Patterns of exactly these extra fields; none when absent. */
    data?: Fields | ((world: World) => Fields);
    says?: RegExp;
    /** It was refused for some of what was asked for, and the rest was done. */
    did?: 'a part';
  };
  /** What users receive, in order and no more; an empty list says that somebody receives nothing. */
  events?: (world: World) => Partial<Record<UserName, readonly Pattern[]>>;
  /** Looks at the state left behind. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation answers something else
  state?: (world: World, answer: any) => Promise<void>;
  /** What concerns the form of a request is tried over HTTP alone. */
  only?: 'HTTP';
  /** On a server in development mode. */
  development?: boolean;
  /** On a server that sends e-mail; what goes out has waited for the worker. */
  mail?: true;
  /** On a server that notifies no phones. */
  pushRelay?: false;
  /** On a server without the public web. */
  webPublicChannels?: false;
}

/** All cases of one operation. */
export interface CaseTable {
  operation: OperationName;
  cases: readonly Case[];
}

export function cases(operation: OperationName, list: readonly Case[]): CaseTable {
  return { operation, cases: list };
}

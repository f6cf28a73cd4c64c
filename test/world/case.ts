import type { catalogue } from '../../lib/internal.ts';
import type { UserName } from './fixture.ts';
import type { Pattern } from './matching.ts';
import type { World } from './world.ts';

export type OperationName = (typeof catalogue)[number]['name'];

/** Invalid values are tested too, so the operation's type does not apply. */
export type Params = Record<string, unknown>;

/** Patterns of the fields to compare. */
type Fields = Readonly<Record<string, Pattern>>;

/** One call of one operation, with its expected result. */
export interface Case {
  /** A sentence. */
  name: string;
  as: UserName | 'anonymous';
  /** Creates the state before the call. */
  given?: (world: World) => Promise<unknown>;
  call: readonly [OperationName, (Params | ((world: World) => Params))?];
  /** Fields of the response. */
  returns?: Fields | ((world: World) => Fields);
  refuses?: {
    code: string;
    /** Default 400. */
    status?: number;
    /** Patterns of exactly these extra fields. Without it there are none. */
    data?: Fields | ((world: World) => Fields);
    says?: RegExp;
    /** Some of the request was refused, and the rest was done. */
    did?: 'a part';
  };
  /** The events of each user, in order and complete. An empty list means no events. */
  events?: (world: World) => Partial<Record<UserName, readonly Pattern[]>>;
  /** Checks the state after the call. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own response
  state?: (world: World, answer: any) => Promise<void>;
  /** The form of a request is only tested over HTTP. */
  only?: 'HTTP';
  /** On a server in development mode. */
  development?: boolean;
  /** On a server that sends e-mail. The worker has sent the queued e-mails. */
  mail?: true;
  /** On a server without push notifications. */
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

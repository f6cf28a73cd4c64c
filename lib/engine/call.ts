import type { AfterRefusal, Confirm } from '../operation/feature.ts';
import type { Operation, TransactionEffect } from '../operation/operation.ts';
import type { Reading } from '../storage/interface/storage.ts';
import type { Services, TransactionContext } from '../viewer/context.ts';
import type { AuditNote, Refusals } from './audit.ts';
import type { Caller } from './callers.ts';
import type { IdempotencyKeys, RepeatableCall } from './idempotency.ts';
import type { DecodeParameter, Values } from './parameters.ts';

/** One transaction of a call: authorizes the caller, runs the work, commits, wakes listeners. */
export type Transact = <T>(
  caller: Caller,
  effect: TransactionEffect,
  work: (context: TransactionContext) => Promise<T>,
  options?: Reading & { note?: AuditNote | undefined },
) => Promise<T>;

/** What the steps of a call need besides `Services`. */
export interface CallServices extends Services {
  /** By the name of the operation. */
  readonly refused: Readonly<Record<string, AfterRefusal>>;
  readonly confirm: Confirm | undefined;
  readonly refusals: Refusals;
  readonly idempotencyKeys: IdempotencyKeys;
}

/** One call of an operation. A step passes a changed copy to the next one. */
export interface Call {
  readonly engine: CallServices;
  /** Services for the operation, if they are not those of the engine. */
  readonly services?: Services | undefined;
  readonly operation: Operation;
  readonly caller: Caller;
  /** As given. */
  readonly values: Values;
  readonly decode: DecodeParameter | undefined;
  /** As the operation gets them. Empty before `decoded`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly transact: Transact;
  readonly isDryRun: boolean;
  /** Its entry in the audit log. */
  readonly note?: AuditNote;
  /** Set if the call has an idempotency key. */
  readonly repeatable?: RepeatableCall;
  /** What the first call with the same key has stored. */
  readonly first?: object | undefined;
}

export type Perform = (call: Call) => Promise<object>;

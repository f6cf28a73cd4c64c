import type { Transaction } from '../../lib/storage/interface/storage.ts';
import type { OperationName, Params } from './case.ts';
import type { Crowd } from './crowd.ts';
import type { UserName } from './fixture.ts';
import type { World } from './world.ts';

/**
 * One plain call of each operation. The matrix records its outcome for each kind of caller. Its records exist, or are
 * created first: a call that every caller is refused does not test permissions.
 */
export type PlainCalls = Partial<
  Record<OperationName, (world: World, caller: UserName | 'anonymous') => Params | Promise<Params>>
>;

/** Changes the state that clients start from. */
export type Change = (world: World) => Promise<unknown>;

/** For an operation that does not change the initial state of a client. */
export const UNSEEN = 'unseen';

/** Changes by operation and description. Their events must keep clients up to date. */
export type Changes = Partial<Record<OperationName, Readonly<Record<string, Change>> | typeof UNSEEN>>;

/** A call whose database cost does not depend on the size of the organization or of the request. */
export type ScalingCall = (crowd: Crowd) => Promise<unknown>;

/** By operation. Several calls of an operation have descriptions. */
export type ScalingCalls = Partial<Record<OperationName, Readonly<Record<string, ScalingCall>> | ScalingCall>>;

/** Data that only the feature stores. A refused call must leave it unchanged. */
export type Stored = (tx: Transaction) => Promise<unknown>;

/** What a feature's `calls.ts` exports, beside its case tables. */
export interface FeatureCalls {
  matrix?: PlainCalls;
  changes?: Changes;
  statements?: ScalingCalls;
  stored?: Stored;
}

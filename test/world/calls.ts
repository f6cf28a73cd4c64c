import type { Transaction } from '../../lib/storage/interface/storage.ts';
import type { OperationName, Params } from './case.ts';
import type { Crowd } from './crowd.ts';
import type { UserName } from './fixture.ts';
import type { World } from './world.ts';

/**
 * One plain call of each operation; the matrix says what becomes of it for each kind of caller. What it is about is
 * there, or is brought about first: a call that is refused to everybody says nothing of who may make it.
 */
export type PlainCalls = Partial<
  Record<OperationName, (world: World, caller: UserName | 'nobody') => Params | Promise<Params>>
>;

/** Brings about a change of the state that clients start from. */
export type Change = (world: World) => Promise<unknown>;

/** For an operation that changes nothing which a client's first state shows. */
export const UNSEEN = 'unseen';

/** By operation, changes by what they are; their events must tell clients the truth. */
export type Changes = Partial<Record<OperationName, Readonly<Record<string, Change>> | typeof UNSEEN>>;

/** A call whose cost at the database does not depend on the size of the organization or of the request. */
export type ScalingCall = (crowd: Crowd) => Promise<unknown>;

/** By operation; where there are several, by what tells them apart. */
export type ScalingCalls = Partial<Record<OperationName, Readonly<Record<string, ScalingCall>> | ScalingCall>>;

/** What the feature alone keeps, since a call that is refused must leave it as it was. */
export type Stored = (tx: Transaction) => Promise<unknown>;

/** What a feature's `calls.ts` exports, beside its case tables. */
export interface FeatureCalls {
  matrix?: PlainCalls;
  changes?: Changes;
  statements?: ScalingCalls;
  stored?: Stored;
}

import { StorageError } from '../storage-error.ts';
import type { Connection } from './connection.ts';

/**
 * Marks of a move, in `organization.required_schema`. Every transaction reads it with the versions, and no process knows
 * such a schema. So every process refuses all work, also one of an older version.
 */
export const MOVED_AWAY = 2_000_000_000;
/** The copy is not complete, or not yet the owner. */
export const ARRIVING = 2_000_000_001;

/** The move of a database, stored on both sides. */
export interface MoveState {
  id: string;
  /** Name of the other database, without passwords. */
  other: string;
  /** `organization.required_schema` without the mark. */
  required: number;
}

export const moveStateIn = async (connection: Connection): Promise<MoveState | undefined> =>
  connection.get<MoveState>('SELECT id, other, required FROM move_state');

/** @throws StorageError `moved` if the mark says so */
export async function checkNotMoved(connection: Connection, required: number): Promise<void> {
  if (required < MOVED_AWAY) return;
  const { other = 'another database' } = (await moveStateIn(connection)) ?? {};
  throw new StorageError(
    required === MOVED_AWAY
      ? `The organization has moved to ${other}.`
      : `The organization is being moved here from ${other}. Its copy is not in use yet.`,
    'moved',
  );
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { FileStore } from '../adapters/files.ts';
import {
  type Changes,
  changesIn,
  copyRows,
  forgetChanges,
  stopTracking,
  storeMoveState,
  trackChanges,
} from '../storage/maintenance/changed-rows.ts';
import { countOf, type Keepable, lastGiven, type Table, tablesOf, type Values } from '../storage/maintenance/tables.ts';
import { migrations } from '../storage/migrations/index.ts';
import { hasTable, requiredSchemaIn } from '../storage/migrations/migrate.ts';
import type { Migration } from '../storage/migrations/migration.ts';
import type { Connection } from '../storage/sql/connection.ts';
import { ARRIVING, checkNotMoved, MOVED_AWAY, type MoveState, moveStateIn } from '../storage/sql/move-marks.ts';
import { putWords, removeWords } from '../storage/sql/word-index.ts';
import { StorageError } from '../storage/storage-error.ts';
import { copyTable, type KeepingStep } from './back-up.ts';
import { FileCopies } from './file-copies.ts';
import { countFrom, fillDerived } from './restore.ts';

/** Changed rows of a round, few enough for the stop of writes. */
const FEW_CHANGES = 1_000;
/** Rounds after which writes are too many to catch up with. */
const MAX_ROUNDS = 30;

/** The two sides of a move. */
export interface MovePlaces {
  /** Name of the source, without passwords. It is stored in the target. */
  from: string;
  /** Name of the target, without passwords. Later openings of the source fail and name it. */
  to: string;
}

/** Options of `moveOrganization`. */
export interface MoveOptions {
  /** Names of both databases, for messages. */
  places: MovePlaces;
  /** Where uploaded files are now, and where to copy them. Default: they stay in their store. */
  files?: { from: FileStore; to: FileStore } | undefined;
  /** Move although `files.from` lacks uploaded files. Default false. */
  allowMissingFiles?: boolean | undefined;
  /**
   * Called when the target has become the owner. Point `storage` of `openTenants` to the target here: until then,
   * requests get 503. If it fails, the move is complete nevertheless. Call `moveOrganization` again to repeat it.
   */
  onSwitch?: (() => Promise<void>) | undefined;
  /** Only checks whether the move is possible, and counts. Default false. */
  dryRun?: boolean;
  /** Called repeatedly with the progress. `what` is also `catching up`, `stopping writes` or `checking references`. */
  onStep?: ((step: KeepingStep) => void) | undefined;
}

/** Result of `moveOrganization`. */
export interface Move {
  /** Name of the organization. */
  organization: string;
  /** Number of messages. */
  messages: number;
  /** Number of uploaded files that were copied. In a dry run, number of uploaded files. */
  files: number;
  /** Changed rows that were copied after the first copy. */
  changes: number;
  /** Milliseconds in which writes waited or were refused: until `onSwitch` had ended. */
  stoppedMs: number;
  /** The database had been moved by an earlier call, which was interrupted. */
  isContinued: boolean;
}

/**
 * Moves an organization to another database of either engine, while servers use it. Writes stop only at the end: then
 * the rows that have changed since the first copy are copied, and the source refuses all work with `moved`. Event queues
 * continue in the target. The old content stays in the source.
 *
 * The mark in the source decides who owns the organization. A call that was interrupted before the mark leaves the
 * source as the owner, and you can repeat or cancel the move. After the mark, the target is the owner: repeat the call,
 * which then takes milliseconds.
 * @throws StorageError `moved` if the source has moved to another database
 * @throws StorageError `foreign-application` if the target contains an organization
 * @throws StorageError `files-missing` if `files.from` lacks uploaded files
 * @throws StorageError `busy` if writes come faster than they are copied, if another move has begun, or if a database is
 * locked for too long. The source stays the owner.
 * @example
 * await moveOrganization(sqlite('acme.db'), postgres(url, { schema: 'acme' }), {
 *   places: { from: 'acme.db', to: 'server 2' },
 *   onSwitch: () => customers.update('acme', { server: 2 }),
 * });
 */
export async function moveOrganization(from: Keepable, to: Keepable, options: MoveOptions): Promise<Move> {
  const { places } = options;
  const source = await sideOf(from);
  if (!source) throw new StorageError(`${places.from} has no organization yet.`, 'empty');
  const target = await sideOf(to);
  if (source.required === MOVED_AWAY) return continueMove(from, to, { source, target, options });
  await from.inspect((connection) => checkNotMoved(connection, source.required));
  checkReplaceable(source, target, places);
  const move = new Moving(from, to, source, options);
  if (options.dryRun) return move.plan();
  let aside: string | undefined;
  const result = await move.run((path) => {
    aside = path;
  });
  // An incomplete copy of an interrupted move.
  if (aside !== undefined && target?.required === ARRIVING) await rm(aside, { force: true });
  return result;
}

/**
 * Ends the tracking of changes that an interrupted move has left in the source. Resolves to false if there is none.
 * @throws StorageError `moved` if the organization has moved: only a move back can undo that
 */
export async function cancelMove(from: Keepable): Promise<boolean> {
  await from.inspect(async (connection) => checkNotMoved(connection, await requiredSchemaIn(connection)));
  return stopTracking(from);
}

/** One database of a move. */
interface Side {
  organization: string;
  uuid: string;
  version: number;
  required: number;
  move: MoveState | undefined;
}

/** undefined for a database without an organization, and for one that does not exist. */
async function sideOf(storage: Keepable): Promise<Side | undefined> {
  const look = async (connection: Connection, version: number): Promise<Side | undefined> => {
    const found = await connection.get<{ name: string; uuid: string }>('SELECT name, uuid FROM organization');
    if (!found) return undefined;
    const move = (await hasTable(connection, 'move_state')) ? await moveStateIn(connection) : undefined;
    const required = await requiredSchemaIn(connection);
    return { organization: found.name, uuid: found.uuid, version, required, move };
  };
  return storage.inspect(look).catch((error: unknown) => {
    const isNew = error instanceof StorageError && (error.reason === 'empty' || error.reason === 'unreachable');
    if (!isNew) throw error;
    return undefined;
  });
}

/** The target may contain an incomplete copy from the same source, or the organization before it moved away. */
function checkReplaceable(source: Side, target: Side | undefined, { from, to }: MovePlaces): void {
  if (!target) return;
  const isSame = source.uuid === target.uuid;
  if (isSame && target.required === MOVED_AWAY) return;
  if (isSame && target.required === ARRIVING && target.move?.other === from) return;
  if (target.required === ARRIVING)
    throw new StorageError(
      `${to} contains a copy that has not become the owner, from ${target.move?.other ?? 'another database'}. Repeat the move from there, or remove this copy.`,
      'moved',
    );
  throw new StorageError(`${to} already contains the organization "${target.organization}".`, 'foreign-application');
}

/** The source is marked, so the target is the owner. Does what an interrupted call has not done. */
async function continueMove(
  from: Keepable,
  to: Keepable,
  { source, target, options }: { source: Side; target: Side | undefined; options: MoveOptions },
): Promise<Move> {
  // The organization may have moved on from the target.
  const isOwner = target && target.required !== MOVED_AWAY && target.move?.id === source.move?.id;
  if (!isOwner || !source.move)
    throw new StorageError(`The organization has moved to ${source.move?.other ?? 'another database'}.`, 'moved');
  const move = new Moving(from, to, source, options);
  return options.dryRun ? move.plan() : move.finish({ changes: 0, files: 0, sinceMs: performance.now() });
}

class Moving {
  readonly #known: readonly Migration[];
  readonly #tables: readonly Table[];
  readonly #id = randomUUID();
  readonly #files: FileCopies;
  #changes = 0;

  constructor(
    private readonly from: Keepable,
    private readonly to: Keepable,
    private readonly source: Side,
    private readonly options: MoveOptions,
  ) {
    this.#known = migrations.filter(({ version }) => version <= source.version);
    this.#tables = tablesOf(this.#known);
    this.#files = new FileCopies(from, options);
  }

  async plan(): Promise<Move> {
    const files = await this.from.inspect((connection) => countOf(connection, 'uploads', 'is_complete = 1'));
    return this.#resultOf(this.from, { changes: 0, files, stoppedMs: 0 });
  }

  async run(onSetAside: (path: string) => void): Promise<Move> {
    const { from, options } = this;
    await stopTracking(from);
    await from.change(async (connection) => {
      // Another move may have begun, or ended, while this one waited for the lock.
      await checkNotMoved(connection, await requiredSchemaIn(connection));
      if (await hasTable(connection, 'move_changes')) throw this.#otherMove();
      await trackChanges(connection, this.#tables);
      await storeMoveState(connection, this.#stateWith(options.places.to));
    });
    let sinceMs: number;
    try {
      await this.#copyAll(onSetAside);
      await this.#files.copy();
      await this.#files.check();
      await this.#catchUp();
      this.#tell('stopping writes');
      sinceMs = performance.now();
      await from.change((source) => this.#handOver(source));
    } catch (error) {
      // The commit may have succeeded without an answer. Then this is refused, and the next call continues.
      await stopTracking(from, this.#id).catch(() => undefined);
      throw error;
    }
    return this.finish({ changes: this.#changes, files: this.#files.count, sinceMs });
  }

  /** After the mark in the source. Each step can be repeated. */
  async finish({ sinceMs, ...counts }: { changes: number; files: number; sinceMs: number }): Promise<Move> {
    const { to, options } = this;
    await to.change(async (into) => {
      await into.run(
        'UPDATE organization SET required_schema = (SELECT required FROM move_state) WHERE required_schema = ?',
        [ARRIVING],
      );
    });
    await options.onSwitch?.();
    const stoppedMs = Math.round(performance.now() - sinceMs);
    this.#tell('checking references');
    await to.checkReferences();
    return this.#resultOf(to, { ...counts, stoppedMs });
  }

  async #resultOf(storage: Keepable, counts: Pick<Move, 'changes' | 'files' | 'stoppedMs'>): Promise<Move> {
    const { organization, required } = this.source;
    const messages = await storage.inspect((connection) => countOf(connection, 'messages'));
    return { organization, messages, ...counts, isContinued: required === MOVED_AWAY };
  }

  #tell(what: string, done = 0): void {
    this.options.onStep?.({ what, done });
  }

  /** One snapshot of the source, in one transaction of the target. */
  async #copyAll(onSetAside: (path: string) => void): Promise<void> {
    const { from, to, options } = this;
    const refill = {
      version: this.source.version,
      onSetAside,
      checkReplaceable: () => undefined,
    };
    await from.inspect((source) =>
      to.refill(refill, async (into) => {
        for (const table of this.#tables) await copyTable(source, into, table, options);
        await fillDerived(into, this.#known, options);
        await storeMoveState(into, this.#stateWith(options.places.from));
        await this.#mark(into);
      }),
    );
  }

  #stateWith(other: string): MoveState {
    return { id: this.#id, other, required: this.source.required };
  }

  #mark(into: Connection): unknown {
    return into.run('UPDATE organization SET required_schema = ?', [ARRIVING]);
  }

  /** Copies changed rows until there are few. The last round but one compares the numbers of rows. */
  async #catchUp(): Promise<void> {
    for (let round = 1; ; round++) {
      const count = await this.#round({ comparesCounts: false });
      await this.#files.copy();
      if (count <= FEW_CHANGES) break;
      if (round === MAX_ROUNDS)
        throw new StorageError(
          `Writes to ${this.options.places.from} come faster than they are copied. Nothing was moved. Try again when there are fewer.`,
          'busy',
        );
    }
    await this.#round({ comparesCounts: true });
    await this.#round({ comparesCounts: false });
  }

  async #round({ comparesCounts }: { comparesCounts: boolean }): Promise<number> {
    const { from, to } = this;
    const changes = await from.inspect(async (source) => {
      await this.#checkCurrent(source);
      const found = await changesIn(source);
      await to.change((into) => this.#apply(source, into, found, { comparesCounts }), { ignoresReferences: true });
      return found;
    });
    await from.change((source) => forgetChanges(source, changes), { isShared: true });
    this.#changes += changes.entries.length;
    this.#tell('catching up', this.#changes);
    return changes.entries.length;
  }

  /** The stop of writes: this transaction keeps all writers of the source waiting. Its commit decides. */
  async #handOver(source: Connection): Promise<void> {
    await this.#checkCurrent(source);
    const found = await changesIn(source);
    await this.#files.copy(source);
    await this.to.change(
      async (into) => {
        await this.#apply(source, into, found, { comparesCounts: false });
        await Promise.all(this.#tables.map((table) => copyCounter(source, into, table)));
        // The log of the target has no history of its own, and no process of it reads for a cursor.
        await into.run('UPDATE event_log SET origin = NULL');
        await into.run('UPDATE event_cursors SET holder = NULL, lease_until_ms = 0');
      },
      { ignoresReferences: true },
    );
    this.#changes += found.entries.length;
    await source.run('UPDATE organization SET required_schema = ?', [MOVED_AWAY]);
  }

  /** @throws StorageError if another move has replaced this one, or a migration has changed the tables */
  async #checkCurrent(source: Connection): Promise<void> {
    const move = (await hasTable(source, 'move_changes')) ? await moveStateIn(source) : undefined;
    if (move?.id !== this.#id) throw this.#otherMove();
    const version = await source.value('SELECT MAX(version) FROM migrations');
    if (version !== this.source.version)
      throw new StorageError(`${this.options.places.from} was migrated during the move. Try again.`, 'busy');
  }

  #otherMove(): StorageError {
    return new StorageError(`Another move of ${this.options.places.from} has begun, or it was cancelled.`, 'busy');
  }

  async #apply(
    source: Connection,
    into: Connection,
    { keys }: Changes,
    { comparesCounts }: { comparesCounts: boolean },
  ): Promise<void> {
    // Another move may have replaced the copy by a newer one.
    if ((await moveStateIn(into))?.id !== this.#id) throw this.#otherMove();
    for (const table of this.#tables) {
      const changed = keys.get(table.name) ?? [];
      if (changed.length === 0 && table.key.length > 0) continue;
      const rows = await copyRows(source, into, table, changed);
      await copyWords(into, table, changed, rows);
    }
    await this.#mark(into);
    if (comparesCounts) for (const { name } of this.#tables) await compareCounts(source, into, name);
  }
}

/** The search index has no rows of its own in a copy. */
async function copyWords(
  into: Connection,
  { name, columns }: Table,
  changed: readonly Values[],
  rows: readonly Values[],
): Promise<void> {
  if (name !== 'messages' && name !== 'conversations') return;
  const isMessages = name === 'messages';
  const indexOf = (column: string) => columns.findIndex(({ name }) => name === column);
  const [id, text] = [indexOf('id'), indexOf(isMessages ? 'content' : 'topic')];
  if (isMessages)
    await removeWords(
      into,
      changed.map(([key]) => Number(key)),
    );
  const texts = rows.map((row): [number, string] => [Number(row[id]), String(row[text])]);
  await putWords(into, isMessages ? 'message_words' : 'topic_words', texts);
}

async function copyCounter(source: Connection, into: Connection, table: Table): Promise<void> {
  if (!table.counted) return;
  const last = await lastGiven(source, table);
  if (last > 0) await countFrom(into, table, last);
}

async function compareCounts(source: Connection, into: Connection, table: string): Promise<void> {
  const [there, here] = await Promise.all([countOf(source, table), countOf(into, table)]);
  if (there !== here) throw new StorageError(`Only ${here} of ${there} rows of ${table} were copied.`, 'io');
}

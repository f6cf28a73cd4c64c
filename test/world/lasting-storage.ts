import type { OpenOptions, Transaction, WriteKind } from '../../lib/storage/interface/storage.ts';
import { PostgresStorage } from '../../lib/storage/postgres/postgres.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';

type Listening = Parameters<PostgresStorage['onForeignCommit']>;

/**
 * A storage that chats open and close one after another. Opening a new one takes longer than most cases: it connects to
 * listen, and checks the tables, rights and origin of the database.
 */
export class LastingStorage extends PostgresStorage {
  #opening: Promise<void> | undefined;
  #isOpen = false;
  #isListening = false;
  /** Of the open chat. */
  #listening: Listening[] = [];
  readonly #running = new Set<Promise<unknown>>();

  override async open(options?: OpenOptions): Promise<void> {
    this.#opening ??= super.open(options);
    await this.#opening;
    this.#isOpen = true;
  }

  /** Waits for everything that the chat has begun, and refuses more. */
  override async close(): Promise<void> {
    this.#isOpen = false;
    this.#listening = [];
    await Promise.allSettled(this.#running);
  }

  end(): Promise<void> {
    return super.close();
  }

  override onForeignCommit(...listening: Listening): void {
    this.#listening.push(listening);
    if (this.#isListening) return;
    this.#isListening = true;
    super.onForeignCommit(
      (commit) => this.#listening.forEach(([listener]) => void listener(commit)),
      () => this.#listening.some(([, isAwaited]) => isAwaited?.() ?? true),
    );
  }

  override read: PostgresStorage['read'] = (...given) => this.#track(() => super.read(...given));

  override write<T>(work: (tx: Transaction) => Promise<T>, kind?: WriteKind): Promise<T> {
    return this.#track(() => super.write(work, kind));
  }

  override dryRun<T>(work: (tx: Transaction) => Promise<T>, kind?: WriteKind): Promise<T> {
    return this.#track(() => super.dryRun(work, kind));
  }

  async #track<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw new StorageError('The storage has been closed.', 'closed');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

import type { ForeignCommit, OpenOptions, Transaction, WriteKind } from '../../lib/storage/interface/storage.ts';
import { PostgresStorage } from '../../lib/storage/postgres/postgres.ts';

type Listening = Parameters<PostgresStorage['onForeignCommit']>;

/**
 * A storage that chats open and close one after another. Opening one takes longer than most cases: it connects to
 * listen, and checks the tables, rights and origin of the database.
 */
export class LastingStorage extends PostgresStorage {
  #opening: Promise<void> | undefined;
  readonly #running = new Set<Promise<unknown>>();
  /** Of the open chat. */
  #listening: Listening[] = [];

  override open(options?: OpenOptions): Promise<void> {
    this.#opening ??= super.open(options);
    return this.#opening;
  }

  /** Waits for everything that the chat has begun. */
  override async close(): Promise<void> {
    this.#listening = [];
    await Promise.allSettled(this.#running);
  }

  end(): Promise<void> {
    return super.close();
  }

  override onForeignCommit(...listening: Listening): void {
    if (this.#listening.length === 0 && !this.#isListening) {
      this.#isListening = true;
      super.onForeignCommit(
        (commit: ForeignCommit) => this.#listening.forEach(([listener]) => void listener(commit)),
        () => this.#listening.some(([, isAwaited = () => true]) => isAwaited()),
      );
    }
    this.#listening.push(listening);
  }
  #isListening = false;

  override read: PostgresStorage['read'] = (...given) => this.#track(super.read(...given));

  override write<T>(work: (tx: Transaction) => Promise<T>, kind?: WriteKind): Promise<T> {
    return this.#track(super.write(work, kind));
  }

  override dryRun<T>(work: (tx: Transaction) => Promise<T>, kind?: WriteKind): Promise<T> {
    return this.#track(super.dryRun(work, kind));
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const ended = () => void this.#running.delete(work);
    work.then(ended, ended);
    return work;
  }
}

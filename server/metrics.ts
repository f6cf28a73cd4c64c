import type { ChatFigures } from '../lib/internal.ts';
import type { Figures, ListenerFigures } from './figures.ts';

/**
 * The figures of one server, in the text form of Prometheus. They stand in a registry of their own, so that a program
 * with figures of its own, or with two chats, has them apart.
 * @example
 * const metrics = new Metrics();
 * const listener = requestListener(chat, { metrics });
 * console.log(await metrics.text());
 */
export class Metrics {
  /** The type of `text()`, for the header of an answer. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  #figures: Figures | undefined;
  readonly #loaded = import('./figures.ts').then(({ Figures }) => {
    this.#figures = new Figures();
    return this.#figures;
  });

  /** All figures as of now. Those that the chat does not tell within 2 seconds are left out. */
  async text(): Promise<string> {
    return (await this.#loaded).text();
  }

  /** Ends the timers that watch the process. */
  close(): void {
    this.#tell((figures) => figures.close());
  }

  /**
   * Counts a request that has ended. Called by the listener.
   * @param operation by name, such as `messages.send`
   * @param bytes of the answer
   */
  count(operation: string, status: number, seconds: number, bytes: number): void {
    if (this.#figures) this.#figures.count(operation, status, seconds, bytes);
    else this.#tell((figures) => figures.count(operation, status, seconds, bytes));
  }

  /** Of a listener of this server. Called by `requestListener`. */
  watchListener(figuresOf: () => ListenerFigures): void {
    this.#tell((figures) => figures.watchListener(figuresOf));
  }

  /** Of connections. Called by the server. */
  watchConnections(count: () => Promise<number>): void {
    this.#tell((figures) => figures.watchConnections(count));
  }

  /** Of the chat. Called by `requestListener`. */
  watchChat(chat: { figures(): Promise<ChatFigures> }): void {
    this.#tell((figures) => figures.watchChat(chat));
  }

  /** In the order in which it is asked for, also before they are loaded. */
  #tell(work: (figures: Figures) => void): void {
    void this.#loaded.then(work);
  }
}

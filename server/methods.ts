import { MethodNotAllowed } from '../lib/internal.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { sendOptions } from './respond.ts';

/**
 * The handlers of a path, by method. Used for operations and pages, so that OPTIONS, HEAD and unknown methods work the
 * same everywhere.
 */
export class Methods<T> {
  readonly #byMethod = new Map<string, T>();
  #allowed: readonly string[] = [];

  /** For a read-only path. */
  static get<T>(handler: T): Methods<T> {
    return new Methods<T>().set('GET', handler);
  }

  set(method: string, handler: T): this {
    this.#byMethod.set(method, handler);
    const methods = [...this.#byMethod.keys()];
    this.#allowed = (this.#byMethod.has('GET') ? [...methods, 'HEAD'] : methods).sort();
    return this;
  }

  get(method: string): T | undefined {
    return this.#byMethod.get(method);
  }

  /** Whether the test is true for all handlers. */
  every(test: (handler: T) => boolean): boolean {
    for (const handler of this.#byMethod.values()) if (!test(handler)) return false;
    return true;
  }

  /** Sorted. Includes HEAD if there is GET. */
  get allowed(): readonly string[] {
    return this.#allowed;
  }

  /**
   * The handler of a request. Answers OPTIONS itself and returns undefined. HEAD uses the handler of GET; node omits
   * the body.
   * @param override the method to use instead of the request's method
   * @throws MethodNotAllowed
   */
  choose(req: ServerRequest, res: ServerAnswer, override?: string): T | undefined {
    if (req.method === 'OPTIONS') {
      sendOptions(res, this.#allowed);
      return undefined;
    }
    const method = override ?? (req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET'));
    const handler = this.#byMethod.get(method);
    if (handler === undefined) throw new MethodNotAllowed(method.slice(0, 20), [...this.#allowed]);
    return handler;
  }
}

import { MethodNotAllowed } from '../lib/internal.ts';
import type { ServerAnswer, ServerRequest } from './exchange.ts';
import { sendOptions } from './respond.ts';

/**
 * What stands at one address, by method. Operations, pages and pictures are all chosen through it, so that
 * OPTIONS, HEAD and methods that are not possible get the same answers everywhere.
 */
export class Methods<T> {
  readonly #byMethod = new Map<string, T>();
  #allowed: readonly string[] = [];

  /** For an address that can only be read. */
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

  /** Whether it holds for whatever stands here. */
  every(test: (handler: T) => boolean): boolean {
    for (const handler of this.#byMethod.values()) if (!test(handler)) return false;
    return true;
  }

  /** Sorted; HEAD wherever there is GET. */
  get allowed(): readonly string[] {
    return this.#allowed;
  }

  /**
   * What a request is for; nothing when it was OPTIONS, which is answered here.
   * HEAD is answered as GET would be: node leaves the body away by itself.
   * @param override the method that counts instead of the request's own
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

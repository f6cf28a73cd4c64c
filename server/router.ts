import type { IncomingMessage, ServerResponse } from 'node:http';
import findMyWay from 'find-my-way';
import {
  BadRequest,
  type FileParameter,
  fileParameter,
  MethodNotAllowed,
  type Operation,
  routesOf,
  textKind,
} from '../lib/internal.ts';
import { sendOptions } from './respond.ts';
import { needsAdapting } from './zulip-clients.ts';

export interface Route {
  readonly operation: Operation;
  /** Path below `/api/v1`, as declared. */
  readonly path: string;
  /** Parameters in the path, in order. */
  readonly names: readonly string[];
  readonly file: FileParameter | undefined;
  /** Clients of Zulip may send its parameters differently. */
  readonly needsAdapting: boolean;
}

export type Match = NonNullable<ReturnType<Router['find']>>;

/** Characters. The maximum size of the headers limits parameters further. */
const MAX_PARAMETER = 100_000;

const routers = new WeakMap<readonly Operation[], Router>();

/** One router for all servers of the process. */
export function routerFor(operations: readonly Operation[]): Router {
  const router = routers.get(operations) ?? new Router(operations);
  routers.set(operations, router);
  return router;
}

/**
 * Finds operations by path. Literals come first, then integers, then text. All methods of a path are one entry, for
 * OPTIONS, 405, and a method in the form.
 */
export class Router {
  readonly #tree = findMyWay({
    ignoreDuplicateSlashes: true,
    ignoreTrailingSlash: true,
    maxParamLength: MAX_PARAMETER,
    onBadUrl: () => undefined,
  });

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      for (const { method, path } of routesOf(operation)) this.#add(operation, method, path);
    }
  }

  #add(operation: Operation, method: string, path: string): void {
    const names: string[] = [];
    const pattern = path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, takesRest: string) => {
      const schema = operation.params[name];
      if (!schema) throw new Error(`${operation.name}: ${path} names the parameter ${name}, which is not declared.`);
      const place = names.push(name);
      if (takesRest) return '*';
      return textKind(schema) === 'integer' ? `:integer${place}(^\\d+$)` : `:text${place}`;
    });
    const known = this.#tree.findRoute('GET', pattern)?.store as Methods<Route> | undefined;
    const methods = known ?? new Methods<Route>();
    if (!known) this.#tree.on('GET', pattern, () => undefined, methods);
    const other = methods.get(method);
    if (other) throw new Error(`${operation.name} and ${other.operation.name} are both at ${method} ${path}.`);
    methods.set(method, {
      operation,
      path,
      names,
      file: fileParameter(operation),
      needsAdapting: needsAdapting(operation.params),
    });
  }

  /**
   * The methods of a path, and the values of its parameters in order.
   * @param path below `/api/v1`, percent-encoded, without the query. Empty segments do not count.
   * @throws BadRequest for an invalid percent escape.
   */
  find(path: string): { methods: Methods<Route>; values: readonly string[] } | undefined {
    const found = this.#tree.find('GET', path.startsWith('/') ? path : `/${path}`);
    if (!found) return undefined;
    if (!found.store) throw brokenEscape();
    const values = Object.entries(found.params).map(([name, value = '']) =>
      // A path may contain `007`, but JSON does not allow it.
      name.startsWith('integer') ? value.replace(/^0+(?=.)/, '') : value,
    );
    return { methods: found.store as Methods<Route>, values };
  }
}

/** @throws BadRequest for an invalid percent escape. */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw brokenEscape();
  }
}

const brokenEscape = () => new BadRequest('The path contains a percent escape that is not valid UTF-8.');

/**
 * The handlers of a path, by method. Used for operations and pages, so that OPTIONS, HEAD and unknown methods work the
 * same everywhere.
 */
export class Methods<T> {
  readonly #byMethod = new Map<string, T>();
  static get<T>(handler: T): Methods<T> {
    return new Methods<T>().set('GET', handler);
  }

  set(method: string, handler: T): this {
    this.#byMethod.set(method, handler);
    return this;
  }

  /** Sorted. Includes HEAD if there is GET. */
  get allowed(): readonly string[] {
    const methods = [...this.#byMethod.keys()];
    return (this.#byMethod.has('GET') ? [...methods, 'HEAD'] : methods).sort();
  }

  get(method: string): T | undefined {
    return this.#byMethod.get(method);
  }

  every(test: (handler: T) => boolean): boolean {
    for (const handler of this.#byMethod.values()) if (!test(handler)) return false;
    return true;
  }

  /**
   * The handler of a request. Answers OPTIONS itself and returns undefined. HEAD uses the handler of GET; node omits
   * the body.
   * @throws MethodNotAllowed
   */
  choose(req: IncomingMessage, res: ServerResponse, override?: string): T | undefined {
    if (req.method === 'OPTIONS') {
      sendOptions(res, this.allowed);
      return undefined;
    }
    const method = override ?? (req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET'));
    const handler = this.#byMethod.get(method);
    if (handler === undefined) throw new MethodNotAllowed(method.slice(0, 20), this.allowed);
    return handler;
  }
}

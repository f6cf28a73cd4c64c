import { BadRequest, type FileParameter, fileParameter, type Operation, routesOf, textKind } from '../lib/index.ts';

/** One operation at one address. */
export interface Route {
  readonly operation: Operation;
  /** Names of the path's parameters, in the order of the path. */
  readonly names: readonly string[];
  /** The file it takes. */
  readonly file: FileParameter | undefined;
}

/** What stands at a path. */
export interface Match {
  readonly routes: ReadonlyMap<string, Route>;
  /** Methods that are possible here, sorted; HEAD wherever there is GET. */
  readonly allowed: readonly string[];
  /** Values of the path's parameters, in the order of the path. */
  readonly values: readonly string[];
}

interface Branch {
  readonly words: Map<string, Branch>;
  integer: Branch | undefined;
  text: Branch | undefined;
  readonly routes: Map<string, Route>;
  allowed: string[];
}

const PARAMETER = /^\{(\w+)\}$/;

/** Finds operations by path: a tree with one level for each segment. */
export class Router {
  readonly #root = newBranch();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      for (const { method, path } of routesOf(operation)) this.#add(operation, method, path);
    }
  }

  #add(operation: Operation, method: string, path: string): void {
    const names: string[] = [];
    let branch = this.#root;
    for (const segment of path.split('/')) {
      if (segment === '') continue;
      const name = PARAMETER.exec(segment)?.[1];
      if (name === undefined) branch = grow(branch.words, segment);
      else {
        names.push(name);
        const schema = operation.params.entries[name];
        if (!schema) throw new Error(`${operation.name}: ${path} names the parameter ${name}, which is not declared.`);
        if (textKind(schema) === 'integer') branch = branch.integer ??= newBranch();
        else branch = branch.text ??= newBranch();
      }
    }
    const other = branch.routes.get(method);
    if (other) throw new Error(`${operation.name} and ${other.operation.name} are both at ${method} ${path}.`);
    branch.routes.set(method, { operation, names, file: fileParameter(operation) });
    branch.allowed = [...branch.routes.keys(), ...(branch.routes.has('GET') ? ['HEAD'] : [])].sort();
  }

  /**
   * @param path below `/api/v1`, percent-encoded, without the query. Empty segments do not count.
   * @throws BadRequest for an escape that stands for nothing.
   */
  find(path: string): Match | undefined {
    const segments = splitPath(path);
    const values: string[] = [];
    const branch = descend(this.#root, segments, 0, values);
    return branch && { routes: branch.routes, allowed: branch.allowed, values };
  }
}

/** Words first, then digits, then any text; goes back where a choice leads nowhere. */
function descend(branch: Branch, segments: readonly string[], depth: number, values: string[]): Branch | undefined {
  if (depth === segments.length) return branch.routes.size > 0 ? branch : undefined;
  const segment = segments[depth] as string;
  const word = branch.words.get(segment);
  if (word) {
    const found = descend(word, segments, depth + 1, values);
    if (found) return found;
  }
  if (branch.integer && isDigits(segment)) {
    values.push(withoutLeadingZeros(segment));
    const found = descend(branch.integer, segments, depth + 1, values);
    if (found) return found;
    values.pop();
  }
  if (branch.text) {
    values.push(segment);
    const found = descend(branch.text, segments, depth + 1, values);
    if (found) return found;
    values.pop();
  }
  return undefined;
}

function splitPath(path: string): string[] {
  const segments: string[] = [];
  for (let start = 0; start < path.length; ) {
    let end = path.indexOf('/', start);
    if (end === -1) end = path.length;
    if (end > start) segments.push(decodeSegment(path.slice(start, end)));
    start = end + 1;
  }
  return segments;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new BadRequest('The path contains a percent escape that is not valid UTF-8.');
  }
}

function isDigits(segment: string): boolean {
  for (let i = 0; i < segment.length; i++) {
    const code = segment.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** `007` is 7 in a path, but no JSON number. */
function withoutLeadingZeros(digits: string): string {
  return digits.charCodeAt(0) === 48 ? digits.replace(/^0+(?=.)/, '') : digits;
}

function newBranch(): Branch {
  return { words: new Map(), integer: undefined, text: undefined, routes: new Map(), allowed: [] };
}

function grow(words: Map<string, Branch>, word: string): Branch {
  let branch = words.get(word);
  if (!branch) {
    branch = newBranch();
    words.set(word, branch);
  }
  return branch;
}

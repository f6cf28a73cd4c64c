import { spawnSync } from 'node:child_process';
import type { GenericSchema } from 'valibot';
import { present } from '../../lib/internal.ts';
import type { AnySchema } from '../arguments/shape.ts';
import { Failure, UsageError } from '../failure.ts';
import type { Terminal } from './terminal.ts';
import { sanitize } from './text.ts';

/** What to print instead of the whole response. Global, because a process runs only one command. */
let shape: {
  /** `--json=id,name` */
  fields?: readonly string[] | undefined;
  /** Selects the fields from a response. Without it, they are fields of the response itself. */
  select?: ((answer: Row) => unknown) | undefined;
  filter?: JqFilter | undefined;
} = {};

type Row = Readonly<Record<string, unknown>>;

export function shapeJson(wanted: typeof shape): void {
  shape = wanted;
}

export function jsonText(answer: object, terminal: Pick<Terminal, 'isTerminal'>): string {
  const { fields, select = fields && choice(fields, Object.keys(answer)), filter } = shape;
  const value = select ? select(answer as Row) : answer;
  if (!filter) return JSON.stringify(value, null, terminal.isTerminal ? 2 : undefined);
  const text = filter(value, terminal);
  // jq prints texts without escapes, and they may come from other users.
  return terminal.isTerminal ? sanitize(text) : text;
}

function choice(fields: readonly string[], known: readonly string[]): (answer: Row) => Row {
  const unknown = fields.filter((field) => !known.includes(field));
  if (unknown.length > 0) throw unknownFields(unknown, known);
  // Every field is always present, so that scripts need no check.
  return (answer) => Object.fromEntries(fields.map((field) => [field, answer[field] ?? null]));
}

const unknownFields = (unknown: readonly string[], known: readonly string[]) =>
  new UsageError(
    // One sentence: with --json, the advice is not printed.
    `There ${unknown.length === 1 ? 'is no field' : 'are no fields'} ${unknown.join(', ')}. Fields are ${known.join(', ')}.`,
  );

/** The list that a response is about, or its single object. */
type Part = { readonly key: string; readonly known: readonly string[]; readonly isList: boolean };

/** The fields of a response, and the part of it whose fields can be selected. `preferred` are names of known lists. */
function choosableOf(result: GenericSchema, preferred: readonly string[]): { own: string[]; part?: Part | undefined } {
  const entries = Object.entries(keysOf(result as AnySchema));
  const own = entries.map(([key]) => key);
  const lists = entries.flatMap(([key, schema]) => {
    const item = itemOf(schema);
    return item && isObject(item) ? [{ key, known: Object.keys(keysOf(item)), isList: true }] : [];
  });
  const list = lists.find(({ key }) => preferred.includes(key)) ?? (lists.length === 1 ? lists[0] : undefined);
  const [only] = entries;
  if (list || !only || entries.length > 1 || !isObject(unwrapped(only[1]))) return { own, part: list };
  return { own, part: { key: only[0], known: Object.keys(keysOf(only[1])), isList: false } };
}

type ListColumns = Readonly<Record<string, readonly (string | readonly [field: string, title: string])[] | undefined>>;

/** Two fields to select, as an example: columns of a list, or else fields that are not lists. */
export function exampleFields(result: GenericSchema, columns: ListColumns = {}): string[] {
  const preferred = Object.keys(columns);
  const { own, part } = choosableOf(result, preferred);
  const shown = (columns[part?.key ?? ''] ?? []).map((column) => (typeof column === 'string' ? column : column[0]));
  const isAboutPart = part && (own.length === 1 || preferred.includes(part.key));
  const known = isAboutPart ? part.known : own;
  const entries = keysOf(result as AnySchema);
  const isPlain = (key: string) => known !== own || !(itemOf(present(entries[key])) || isObject(present(entries[key])));
  const inOrder = [...shown, ...known.filter(isPlain), ...known];
  return [...new Set(inOrder.filter((field) => known.includes(field)))].slice(0, 2);
}

/** Makes `--json=FIELDS` select from a response of this schema. `preferred` are names of known lists. */
export function selectFields(result: GenericSchema, preferred: readonly string[]): void {
  if (shape.fields) shape.select = selectionOf(shape.fields, result, preferred);
}

/** Selects fields from the rows of a response, from its single object, or else from the response itself. */
export function selectionOf(fields: readonly string[], result: GenericSchema, preferred: readonly string[]) {
  const { own, part } = choosableOf(result, preferred);
  const isOwn = fields.every((field) => own.includes(field));
  if (!part || (isOwn && !(part.isList && fields.every((field) => part.known.includes(field)))))
    return choice(fields, own);
  const { key, known, isList } = part;
  const pick = choice(fields, known);
  if (!isList) return (answer: Row) => pick((answer[key] ?? {}) as Row);
  return (answer: Row) => Object.values((answer[key] ?? []) as Record<string, Row>).map(pick);
}

const unwrapped = (schema: AnySchema): AnySchema => (schema.wrapped ? unwrapped(schema.wrapped) : schema);

/** The element schema of a list or of a map by ID. */
function itemOf(schema: AnySchema): AnySchema | undefined {
  const { type, item, value } = unwrapped(schema);
  return type === 'array' ? item : type === 'record' ? value : undefined;
}

const isObject = (schema: AnySchema): boolean => Object.keys(keysOf(schema)).length > 0;

function keysOf(schema: AnySchema): Record<string, AnySchema> {
  const { entries, options = [] } = unwrapped(schema);
  return entries ?? Object.assign({}, ...(options as AnySchema[]).map(keysOf));
}

/** Returns the output of jq, without the last line break. Texts are printed without quotes. */
type JqFilter = (value: unknown, terminal: Pick<Terminal, 'isTerminal'>) => string;

type Ended = { stdout: string; stderr: string; exitCode: number };

type RunJq = (input: string, expression: string, flags: string[]) => Ended;

const WRONG_EXPRESSION = 3;

/** Compiles the expression before any request is sent. */
export async function jqFilter(expression: string): Promise<JqFilter> {
  const jq = (await bundledJq()) ?? installedJq();
  const { exitCode, stderr } = jq('null', `empty | (${expression}\n)`, []);
  if (exitCode === WRONG_EXPRESSION) throw new UsageError(`--jq: ${problemIn(stderr)}.`);
  return (value, { isTerminal }) => {
    // The leading space keeps jq from reading the expression as an option.
    const ended = jq(JSON.stringify(value), ` ${expression}`, isTerminal ? ['-r'] : ['-r', '-c']);
    if (ended.exitCode !== 0) throw new Failure(`--jq: ${problemIn(ended.stderr)}.`, 'The request itself succeeded.');
    return ended.stdout.replace(/\n$/, '');
  };
}

/** jq compiled to WebAssembly. An optional dependency, because programs that embed the library do not need it. */
async function bundledJq(): Promise<RunJq | undefined> {
  try {
    const { loadJq } = await import('jq-wasm');
    const jq = await loadJq();
    return (input, expression, flags) => jq.raw(input, expression, flags);
  } catch {
    return undefined;
  }
}

function installedJq(): RunJq {
  return (input, expression, flags) => {
    const { error, stdout, stderr, status } = spawnSync('jq', [...flags, expression], {
      input,
      encoding: 'utf8',
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    if (error) throw new UsageError('jq is not installed.', 'Run `npm install jq-wasm`, or install the jq program.');
    return { stdout, stderr, exitCode: status ?? 1 };
  };
}

/** The first line has the reason. The others repeat the expression that was run, which differs from the typed one. */
function problemIn(stderr: string): string {
  const [line = ''] = stderr.trim().split('\n');
  return line.replace(/^jq: error( \(at [^)]*\))?: /, '').replace(/ at <top-level>.*$/, '');
}

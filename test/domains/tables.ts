import { readdirSync } from 'node:fs';
import { catalogue, type Operation } from '../../lib/internal.ts';
import type { Changes, FeatureCalls, PlainCalls, ScalingCalls, Stored } from '../world/calls.ts';
import type { CaseTable, Params } from '../world/case.ts';
import type { UserName } from '../world/fixture.ts';
import type { World } from '../world/world.ts';
import type { OperationCases } from './cases/kinds.ts';

/** A file of a feature and its exports. */
export interface Found {
  file: string;
  exports: Record<string, unknown>;
}

const HERE = new URL('./', import.meta.url);

/** Finds the files of features by name, so that no list has to name them. */
async function filesNamed(
  pattern: RegExp,
  load: (file: string) => Promise<Record<string, unknown>>,
  isWanted = (_file: string) => true,
): Promise<Found[]> {
  const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => pattern.test(file) && isWanted(file))
    .sort();
  // One after another: on Node 22, many concurrent imports of files with common imports may never end.
  const found: Found[] = [];
  for (const file of files) found.push({ file, exports: await load(file) });
  return found;
}

/** Files and folders whose cases run, as in `npm test FOLDER`. */
const scope = process.env.PARLANCE_TEST_CASES?.split(',');

/** Whether the tables of all operations are loaded. */
export const isWhole = scope === undefined;

const inScope = (file: string) => !scope || scope.some((path) => `test/domains/${file}/`.startsWith(`${path}/`));

/** `<domain>/<feature>/*.cases.ts`: tables of cases, exported separately or as a list. */
export const caseFiles = await filesNamed(
  /^[^/]+\/[^/]+\/[^/]+\.cases\.ts$/,
  // The compiler of compile.ts finds the files by the text around the variable.
  (file) => import(`./${file.replace(/\.cases\.ts$/, '')}.cases.ts`),
  inScope,
);

/** `<domain>/<feature>/calls.ts`: calls for the tests that apply to all operations. */
export const callFiles = await filesNamed(
  /^[^/]+\/[^/]+\/calls\.ts$/,
  (file) => import(`./${file.replace(/\/calls\.ts$/, '')}/calls.ts`),
);

export function tablesIn({ exports }: Found): CaseTable[] {
  const values = Object.values(exports).flat() as Partial<CaseTable>[];
  return values.filter((value): value is CaseTable => Array.isArray(value?.cases) && value.operation !== undefined);
}

/** An operation can have several tables. */
export const tables: readonly CaseTable[] = caseFiles.flatMap(tablesIn);

/** Operations with tables, each with the cases of all its tables. */
export const operations: readonly OperationCases[] = (catalogue as readonly Operation[])
  .map((operation) => ({
    operation,
    cases: tables.filter((table) => table.operation === operation.name).flatMap(({ cases }) => cases),
  }))
  .filter(({ cases }) => cases.length > 0);

const calls = callFiles.map(({ exports }) => exports as FeatureCalls);

const plainCalls: PlainCalls = Object.assign({}, ...calls.map((feature) => feature.matrix));
export const changes: Changes = Object.assign({}, ...calls.map((feature) => feature.changes));
export const statements: ScalingCalls = Object.assign({}, ...calls.map((feature) => feature.statements));
export const stored: readonly Stored[] = calls.flatMap((feature) => feature.stored ?? []);

/** The parameters of the plain call of an operation. May first prepare the world. */
export async function plainParams(name: string, world: World, caller: UserName | 'anonymous'): Promise<Params> {
  return (await plainCalls[name as keyof PlainCalls]?.(world, caller)) ?? {};
}

import { readdirSync } from 'node:fs';
import { catalogue, type Operation } from '../../lib/internal.ts';
import type { Changes, FeatureCalls, PlainCalls, ScalingCalls, Stored } from '../world/calls.ts';
import type { CaseTable, Params } from '../world/case.ts';
import type { UserName } from '../world/fixture.ts';
import type { World } from '../world/world.ts';
import type { OperationCases } from './cases/kinds.ts';

/** A file beside the features' tests, and what it exports. */
export interface Found {
  file: string;
  exports: Record<string, unknown>;
}

const HERE = new URL('./', import.meta.url);

/** Whatever a feature brings is found by the name of its file, so that a new feature is in no list. */
async function filesNamed(
  pattern: RegExp,
  load: (file: string) => Promise<Record<string, unknown>>,
  isWanted = (_file: string) => true,
): Promise<Found[]> {
  const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => pattern.test(file) && isWanted(file))
    .sort();
  // One after another: on Node 22 some of many imports at once of files that share others never end.
  const found: Found[] = [];
  for (const file of files) found.push({ file, exports: await load(file) });
  return found;
}

/** Files and folders whose cases alone are played, as `npm test FOLDER` names them. */
const scope = process.env.PARLANCE_TEST_CASES?.split(',');

/** Whether the tables are those of every operation. */
export const isWhole = scope === undefined;

const inScope = (file: string) => !scope || scope.some((path) => `test/domains/${file}/`.startsWith(`${path}/`));

/** `<domain>/<feature>/*.cases.ts`: tables of cases, exported one by one or as a list. */
export const caseFiles = await filesNamed(
  /^[^/]+\/[^/]+\/[^/]+\.cases\.ts$/,
  // The compiler of compile.ts finds the files by the text around the variable.
  (file) => import(`./${file.replace(/\.cases\.ts$/, '')}.cases.ts`),
  inScope,
);

/** `<domain>/<feature>/calls.ts`: calls for the tests that try all operations in one way. */
export const callFiles = await filesNamed(
  /^[^/]+\/[^/]+\/calls\.ts$/,
  (file) => import(`./${file.replace(/\/calls\.ts$/, '')}/calls.ts`),
);

export function tablesIn({ exports }: Found): CaseTable[] {
  const values = Object.values(exports).flat() as Partial<CaseTable>[];
  return values.filter((value): value is CaseTable => Array.isArray(value?.cases) && value.operation !== undefined);
}

/** Several tables may be about one operation. */
export const tables: readonly CaseTable[] = caseFiles.flatMap(tablesIn);

/** The operations that have tables, each with the cases of all of them. */
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

/** What the operation's plain call is made with; it may first bring about what the call needs. */
export async function plainParams(name: string, world: World, caller: UserName | 'nobody'): Promise<Params> {
  return (await plainCalls[name as keyof PlainCalls]?.(world, caller)) ?? {};
}

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import type { OperationName } from '../world/case.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { httpTransport } from '../world/transports.ts';
import { matrix as calls } from './tables.ts';

const CALLERS: readonly (UserName | 'nobody')[] = [
  'owner',
  'administrator',
  'moderator',
  'cordelia',
  'hamlet',
  'guest',
  'bot',
  'webhook',
  'deactivated',
  'nobody',
];

const HEADINGS: Partial<Record<UserName | 'nobody', string>> = {
  cordelia: 'member',
  hamlet: "bots' owner",
  nobody: 'anonymous',
};

const FILE = new URL('./matrix.txt', import.meta.url);

test('who may call which operation is as the table says', async () => {
  const table = await tableOfOutcomes();
  assert.ok(
    !table.includes('REQUEST_VARIABLE_MISSING'),
    'an operation that needs parameters needs a call of its own in the calls.ts of the feature',
  );
  if (process.env.PARLANCE_REWRITE_MATRIX) await writeFile(FILE, table);
  const committed = await readFile(FILE, 'utf8');
  assert.deepEqual(table.split('\n'), committed.split('\n'));
});

async function tableOfOutcomes(): Promise<string> {
  const rows = [['operation', ...CALLERS.map((caller) => HEADINGS[caller] ?? caller)]];
  for (const operation of catalogue as readonly Operation[]) {
    const row = [operation.name];
    for (const caller of CALLERS) row.push(await outcome(operation, caller));
    rows.push(row);
  }
  const widths = (rows[0] as string[]).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return `${rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}

async function outcome(operation: Operation, caller: UserName | 'nobody'): Promise<string> {
  const world = await sqliteEngine.world();
  try {
    const params = calls[operation.name as OperationName]?.(world) ?? {};
    const result = await httpTransport.call(world, caller, operation, params);
    return 'answer' in result ? 'yes' : String(result.refusal.code);
  } finally {
    await world.close();
  }
}

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';
import type { UserName } from '../world/fixture.ts';
import { httpTransport } from '../world/transports.ts';
import { optionsFor, UnchangedWorlds } from '../world/unchanged-worlds.ts';
import type { World } from '../world/world.ts';
import { plainParams } from './tables.ts';

interface Caller {
  heading: string;
  user: UserName | 'anonymous';
  prepare?(world: World): Promise<void>;
}

const CALLERS: readonly Caller[] = [
  { heading: 'owner', user: 'owner' },
  { heading: 'administrator', user: 'administrator' },
  { heading: 'moderator', user: 'moderator' },
  { heading: 'member', user: 'cordelia' },
  { heading: "bots' owner", user: 'hamlet' },
  { heading: 'stranger', user: 'newcomer' },
  { heading: 'guest', user: 'guest' },
  {
    heading: 'restricted guest',
    user: 'guest',
    prepare: (world) => world.settings({ can_access_all_users_group: systemGroupId('role:members') }),
  },
  { heading: 'bot', user: 'bot' },
  { heading: 'webhook', user: 'webhook' },
  { heading: 'deactivated', user: 'deactivated' },
  { heading: 'anonymous', user: 'anonymous' },
  {
    heading: 'public access',
    user: 'anonymous',
    prepare: (world) => world.settings({ enable_spectator_access: true }),
  },
];

/** Common outcomes, abbreviated. Other codes are shown as they are. */
const WORDS: Readonly<Record<string, string>> = {
  BAD_REQUEST: 'no',
  UNAUTHORIZED_PRINCIPAL: 'role',
  UNAUTHORIZED: '-',
};

const LEGEND = `Outcome of one plain call of each operation by each kind of caller.

yes   success
no    BAD_REQUEST: not allowed, or the record does not exist for this caller
role  UNAUTHORIZED_PRINCIPAL: only administrators or owners may make the call
-     UNAUTHORIZED: not authenticated

Calls about a channel or message use a private channel and a message in it. "member" and the guests are subscribed to
it; owner, administrator, moderator, "bots' owner" and "stranger" are not. Calls that change or delete a message use one
that "member" has just sent to a public channel. Calls that change a group use one that the owner created. The bot in
calls belongs to "bots' owner". "restricted guest" sees only related users. Calls about a user name one that this guest
cannot see. "public access" is an anonymous caller where enable_spectator_access is on. devFetchApiKey and devListUsers
run on a development server, and operations that send e-mail on a server with e-mail.
`;

const FILE = new URL('./matrix.txt', import.meta.url);

const HEADINGS: string[] = ['operation', ...CALLERS.map(({ heading }) => heading)];
/** One world for each kind of caller, shared by all operations. */
const callers = CALLERS.map(({ user, prepare }) => ({ user, worlds: new UnchangedWorlds(prepare) }));

const committed = await readFile(FILE, 'utf8');
const lines = committed.slice(LEGEND.length).split('\n');
/** By operation, its outcomes for the callers. */
const rows = new Map(lines.map((line) => [line.split(' ', 1)[0] ?? '', line.split(/ {2,}/).slice(1)]));

const operations = catalogue as readonly Operation[];
describe('the outcome of every operation for every kind of caller matches matrix.txt', () => {
  after(async () => {
    for (const { worlds } of callers) await worlds.close();
  });
  for (const group of new Set(operations.map(groupOf))) {
    test(`the outcomes of ${group || 'operations without a group'} match matrix.txt`, async () => {
      const outcomes = new Map<string, string[]>();
      for (const operation of operations.filter((one) => groupOf(one) === group)) {
        const row: string[] = [];
        for (const { user, worlds } of callers) row.push(await outcome(operation, user, worlds));
        outcomes.set(operation.name, row);
      }
      const refused = [...outcomes.values()].flat();
      assert.ok(!refused.includes('REQUEST_VARIABLE_MISSING'), 'add a plain call to the calls.ts of the feature');
      if (process.env.PARLANCE_REWRITE_MATRIX) for (const [name, row] of outcomes) rows.set(name, row);
      for (const [name, row] of outcomes) assert.deepEqual(row, rows.get(name), name);
    });
  }
});

test('matrix.txt has a row for every operation, in the order of the catalogue', async () => {
  const table: string[][] = [HEADINGS];
  for (const [at, operation] of operations.entries()) {
    const before = operations[at - 1];
    if (!before || groupOf(before) !== groupOf(operation)) table.push([]);
    table.push([operation.name, ...(rows.get(operation.name) ?? [])]);
  }
  const text = `${LEGEND}\n${aligned(table)}\n`;
  if (process.env.PARLANCE_REWRITE_MATRIX) await writeFile(FILE, text);
  else assert.deepEqual(text.split('\n'), committed.split('\n'));
});

function aligned(table: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] as number))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** The group of an operation: `messages` of `messages.send`. Operations without a group are together. */
function groupOf({ name }: Operation): string {
  return name.includes('.') ? name.slice(0, name.indexOf('.')) : '';
}

async function outcome(operation: Operation, user: Caller['user'], worlds: UnchangedWorlds): Promise<string> {
  const world = await worlds.next(optionsFor(operation));
  const params = await plainParams(operation.name, world, user);
  const result = await httpTransport.call(world, user, operation, params);
  if ('answer' in result) return 'yes';
  const code = String(result.refusal.code);
  return WORDS[code] ?? code;
}

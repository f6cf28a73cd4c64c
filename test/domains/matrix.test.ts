import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';
import type { UserName } from '../world/fixture.ts';
import { httpTransport } from '../world/transports.ts';
import { optionsFor, UnchangedWorlds } from '../world/unchanged-worlds.ts';
import type { World } from '../world/world.ts';
import { plainParams } from './tables.ts';

interface Caller {
  heading: string;
  user: UserName | 'nobody';
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
  { heading: 'anonymous', user: 'nobody' },
  {
    heading: 'public access',
    user: 'nobody',
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

test('the outcome of every operation for every kind of caller matches matrix.txt', async () => {
  const table = await tableOfOutcomes();
  assert.ok(!table.includes('REQUEST_VARIABLE_MISSING'), 'add a plain call to the calls.ts of the feature');
  if (process.env.PARLANCE_REWRITE_MATRIX) await writeFile(FILE, table);
  const committed = await readFile(FILE, 'utf8');
  assert.deepEqual(table.split('\n'), committed.split('\n'));
});

async function tableOfOutcomes(): Promise<string> {
  const rows = [['operation', ...CALLERS.map(({ heading }) => heading)]];
  const callers = CALLERS.map(({ user, prepare }) => ({ user, worlds: new UnchangedWorlds(prepare) }));
  let group: string | undefined;
  for (const operation of catalogue as readonly Operation[]) {
    const row = [operation.name];
    for (const { user, worlds } of callers) row.push(await outcome(operation, user, worlds));
    if (group !== groupOf(operation)) rows.push([]);
    group = groupOf(operation);
    rows.push(row);
  }
  for (const { worlds } of callers) await worlds.close();
  const widths = (rows[0] as string[]).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] as number))
      .join('  ')
      .trimEnd(),
  );
  return `${LEGEND}\n${lines.join('\n')}\n`;
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

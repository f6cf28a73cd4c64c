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

/** The answers that most calls have, in a word; other codes stand as they are. */
const WORDS: Readonly<Record<string, string>> = {
  BAD_REQUEST: 'no',
  UNAUTHORIZED_PRINCIPAL: 'role',
  UNAUTHORIZED: '-',
};

const LEGEND = `Who may call what: one plain call of each operation by everybody, as it was answered.

yes   done
no    refused (BAD_REQUEST): not allowed, or there is nothing of the kind for this caller
role  refused (UNAUTHORIZED_PRINCIPAL): for administrators or owners
-     not let in (UNAUTHORIZED)

Where a call is about a channel or a message, that is a private channel and a message in it, which "member" and the
guests are subscribed to, and owner, administrator, moderator, "bots' owner" and "stranger" are not. A message that is
changed or deleted stands in a public channel and has just been sent by "member"; a group that is changed was created
by the owner; a bot is that of "bots' owner". "restricted guest" sees only people whom they have to do with, and a
call about a person is about one whom they do not. "public access" is somebody anonymous where the organization lets
the public in. devFetchApiKey and devListUsers are asked of a development server, and what sends e-mail of one
that does.
`;

const FILE = new URL('./matrix.txt', import.meta.url);

test('the outcome of every operation for every kind of caller matches matrix.txt', async () => {
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

/** `messages` of `messages.send`; what stands alone belongs together. */
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

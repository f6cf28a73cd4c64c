import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Case, CaseTable } from '../world/case.ts';
import { commandTransport } from '../world/command-transport.ts';
import { sqliteEngine } from '../world/copies.ts';
import { operationNamed, playCase } from '../world/run-cases.ts';
import { isWhole, tables } from './tables.ts';

/** What the command line reads otherwise than the wire, or knows before it asks the chat. */
const UNSUITED = [
  'a channel message to two channels is refused',
  'a boolean is true or false and nothing else',
  'a group-setting value is an integer or an object',
  'allow_empty_topic_name with another value than a boolean is refused',
  'client_gravatar with another value than a boolean is refused',
  'NUL characters are refused',
  'subscribers are user IDs to subscribe, in a list',
  'subscribers are user IDs, not addresses',
  'subscriptions are channel names in a list',
  'user_ids with a name is refused',
  // Options that are missing are a usage error.
  'a bot is refused whatever the parameters',
  // The text that is missing is read from stdin.
  'a request with only notification options is refused',
  // Of the time of day, the messages of the fixture are long past.
  'the response has all fields of a channel',
];

function suits(
  table: CaseTable,
  { name, as, only, development, mail, pushRelay, webPublicChannels, refuses, returns }: Case,
): boolean {
  if (UNSUITED.includes(name) || only || development || mail) return false;
  if (pushRelay === false || webPublicChannels === false) return false;
  if (as === 'nobody' && operationNamed(table.operation).access !== 'anyone') return false;
  if (refuses?.code === 'REQUEST_VARIABLE_MISSING' || refuses?.code === 'UNAUTHORIZED') return false;
  return typeof returns !== 'object' || !('ignored_parameters_unsupported' in returns);
}

/** Several tables may be about one operation. */
const whole: readonly CaseTable[] = [...new Set(tables.map(({ operation }) => operation))].map((operation) => ({
  operation,
  cases: tables.filter((table) => table.operation === operation).flatMap((table) => table.cases),
}));

/** Some take a file, which a transcript gives them; others are answered by a development server alone, or by one that sends e-mail. */
const UNTRIED = [
  ...[
    'avatars.upload',
    'customEmoji.upload',
    'devFetchApiKey',
    'devListUsers',
    'invites.confirmAddress',
    'passwords.requestReset',
  ],
  'uploads.send',
];
/** The operations about messages that refuse nothing. */
const UNREFUSED = ['messages.markAllRead', 'messages.render'];

const answered = (table: CaseTable) =>
  UNTRIED.includes(table.operation) ? [] : table.cases.filter((one) => suits(table, one) && !one.refuses).slice(0, 1);
const refused = (table: CaseTable) =>
  UNTRIED.includes(table.operation) ? [] : table.cases.filter((one) => suits(table, one) && one.refuses).slice(0, 1);

describe('operations by chatctl on the file of a database', () => {
  for (const table of whole) {
    for (const one of [...answered(table), ...refused(table)]) {
      test(`${table.operation}: ${one.name}`, () =>
        playCase(
          sqliteEngine,
          // chatctl has the time of day; the world has to be there before it.
          {
            ...one,
            given: async (world) => {
              world.clock.advance({ seconds: Math.max(0, Math.floor((Date.now() - world.clock.now()) / 1000)) });
              await one.given?.(world);
            },
          },
          commandTransport,
        ));
    }
  }
});

const skip = !isWhole && 'only some operations are tried';
test('chatctl plays a success of every operation and a refusal of every operation about messages', { skip }, () => {
  const named = (list: readonly CaseTable[]) => list.map(({ operation }) => operation).sort();
  assert.deepEqual(named(whole.filter((table) => answered(table).length === 0)), UNTRIED);
  const about = whole.filter(({ operation }) => operation.startsWith('messages.'));
  assert.deepEqual(named(about.filter((table) => refused(table).length === 0)), UNREFUSED);
  const names = new Set(tables.flatMap(({ cases }) => cases.map(({ name }) => name)));
  assert.deepEqual(
    UNSUITED.filter((name) => !names.has(name)),
    [],
  );
});

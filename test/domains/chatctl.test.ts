import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import type { Case, CaseTable } from '../world/case.ts';
import { commandTransport } from '../world/command-transport.ts';
import { sqliteEngine } from '../world/copies.ts';
import { operationNamed, playCase } from '../world/run-cases.ts';
import type { Transport } from '../world/transports.ts';
import { tables } from './tables.ts';

/** What the command line reads otherwise than the wire, or knows before it asks the chat. */
const UNSUITED = [
  'a channel message goes to one channel',
  'allow_empty_topic_name is a boolean',
  'NUL characters are refused',
  // The text that is missing is read from stdin.
  'something must change',
  // Of the time of day, the messages of the fixture are long past.
  'gives the channel as it is',
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
  ...['avatars.upload', 'customEmoji.upload', 'devFetchApiKey', 'invites.confirmAddress', 'passwords.requestReset'],
  'uploads.send',
];
/** These have nothing that could be refused. */
const UNREFUSED = ['messages.markAllRead', 'messages.render'];

/** A process for each of thousands of cases would take minutes; the cases are the same ones everywhere. */
const answered = (table: CaseTable) =>
  UNTRIED.includes(table.operation) ? [] : table.cases.filter((one) => suits(table, one) && !one.refuses).slice(0, 1);
const refused = (table: CaseTable) =>
  table.operation.startsWith('messages.')
    ? table.cases.filter((one) => suits(table, one) && one.refuses).slice(0, 1)
    : [];

describe('operations by chatctl on the file of a database', { concurrency: 2 }, () => {
  let chatctl: CompiledChatctl;
  let transport: Transport;
  before(async () => {
    chatctl = await compileChatctl();
    transport = commandTransport(chatctl.program);
  });
  after(() => chatctl.remove());
  for (const table of whole) {
    for (const one of [...answered(table), ...refused(table)]) {
      test(`${table.operation}: ${one.name}`, () =>
        playCase(
          sqliteEngine,
          // A process has the time of day; the world has to be there before it.
          {
            ...one,
            given: async (world) => {
              world.clock.advance({ seconds: Math.max(0, Math.floor((Date.now() - world.clock.now()) / 1000)) });
              await one.given?.(world);
            },
          },
          transport,
        ));
    }
  }
});

test('chatctl is tried with a case of every operation, and with a refusal of every operation about messages', () => {
  const named = (list: readonly CaseTable[]) => list.map(({ operation }) => operation).sort();
  assert.deepEqual(named(whole.filter((table) => answered(table).length === 0)), UNTRIED);
  const about = whole.filter(({ operation }) => operation.startsWith('messages.'));
  assert.deepEqual(named(about.filter((table) => refused(table).length === 0)), UNREFUSED);
});

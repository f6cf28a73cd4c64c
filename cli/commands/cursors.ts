import { Command } from 'commander';
import type { Chat } from '../../lib/index.ts';
import { chooseDatabase, withChat } from '../database.ts';
import { EXIT, Failure } from '../failure.ts';
import { addDatabaseOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { confirmUnlessYes, letAsk } from '../input.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import { table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

/** Beyond this many events the log is truncated although a cursor is behind, and its reader misses events. */
const MOST_KEPT = 100_000;

/** `chatctl cursors`: the named positions of programs in the event log. The API has no operations for them. */
export function cursorsCommand(terminal: Terminal): Command {
  const cursors = new Command('cursors')
    .description('Named positions of programs in the event log')
    .usage('<command> [options]');
  const add = (name: string, summary: string, examples: readonly string[]) => {
    const command = new Command(name).summary(summary).description(`${summary}.`);
    cursors.addCommand(addExamples(addDatabaseOptions(command), examples));
    return command;
  };
  const list = add('list', 'List cursors and how far each is behind', ['cursors list --db chat.db']);
  list.action(() => withChat(chooseDatabase(globalOptions(list)), ({ chat }) => listCursors(chat, list, terminal)));
  const remove = letAsk(
    add('remove', 'Remove a cursor; its program then starts at the next event', [
      'cursors remove search --db chat.db',
      'cursors remove search --yes',
    ]),
  );
  remove.argument('<name>', 'the cursor').action((name: string) =>
    withChat(chooseDatabase(globalOptions(remove)), async ({ chat }) => {
      const { behind } = await cursorNamed(chat, name);
      await confirmUnlessYes(remove, `Remove the cursor ${oneLine(name)}? It is ${places(behind)} behind.`);
      if (!(await chat.removeEventCursor(name))) throw noCursor(name, []);
      tell(`Removed the cursor ${oneLine(name)}.`, { name }, remove, terminal);
    }),
  );
  const move = letAsk(
    add('move-to-now', 'Move a cursor to the end of the log; its program never gets the skipped events', [
      'cursors move-to-now search --db chat.db',
      'cursors move-to-now search --yes',
    ]),
  );
  move.argument('<name>', 'the cursor').action((name: string) =>
    withChat(chooseDatabase(globalOptions(move)), async ({ chat }) => {
      const { behind } = await cursorNamed(chat, name);
      await confirmUnlessYes(move, `Skip ${places(behind)} of the log for ${oneLine(name)}?`);
      if (!(await chat.moveEventCursorToNow(name))) throw noCursor(name, []);
      const sentence = `Moved the cursor ${oneLine(name)} to the end of the log. Skipped ${places(behind)}.`;
      tell(sentence, { name, passed_over: behind }, move, terminal);
    }),
  );
  return cursors;
}

const places = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'place' : 'places'}`;

async function listCursors(chat: Chat, command: Command, terminal: Terminal): Promise<void> {
  const cursors = await chat.eventCursors();
  if (globalOptions(command).json) {
    const shown = cursors.map(({ name, position, behind, isHeld }) => ({ name, position, behind, is_held: isHeld }));
    return showJson({ cursors: shown }, terminal);
  }
  if (cursors.length === 0) return terminal.err('There are no cursors.');
  const rows = cursors.map(({ name, position, behind, isHeld }) => [
    oneLine(name),
    String(position),
    `${behind.toLocaleString('en')}${behind > MOST_KEPT ? ' (events were lost)' : ''}`,
    isHeld ? 'yes' : 'no',
  ]);
  terminal.out(table(['NAME', 'POSITION', 'BEHIND', 'IN USE'], rows, terminal));
}

async function cursorNamed(chat: Chat, name: string) {
  const cursors = await chat.eventCursors();
  const cursor = cursors.find((one) => one.name === name);
  if (!cursor) {
    throw noCursor(
      name,
      cursors.map((one) => one.name),
    );
  }
  return cursor;
}

function noCursor(name: string, names: readonly string[]): Failure {
  const advice = names.length === 0 ? 'There are no cursors.' : `Cursors: ${oneLine(names.join(', '))}.`;
  return new Failure(`There is no cursor "${oneLine(name)}".`, EXIT.refused, advice);
}

function tell(sentence: string, fields: object, command: Command, terminal: Terminal): void {
  if (globalOptions(command).json) showJson(fields, terminal);
  else terminal.out(sentence);
}

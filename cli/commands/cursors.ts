import type { Chat } from '../../lib/index.ts';
import { chooseDatabase, withChat } from '../database.ts';
import { Failure } from '../failure.ts';
import { counted, oneLine, tableOf } from '../output/text.ts';
import { commandWithSubcommands, databaseCommand } from './local-command.ts';

/** Beyond this many events the log is truncated although a cursor is behind, and its reader misses events. */
const MAX_KEPT_EVENTS = 100_000;

const list = databaseCommand('list', {
  summary: 'List cursors and how far each is behind',
  examples: ['cursors list --db chat.db'],
  run: ({ options, terminal, print }) =>
    withChat(chooseDatabase(options), async ({ chat }) => {
      const cursors = await chat.eventCursors();
      if (cursors.length === 0 && !options.json) return terminal.err('There are no cursors.');
      const text = tableOf(cursors, terminal, {
        NAME: ({ name }) => name,
        POSITION: 'position',
        BEHIND: ({ behind }) =>
          `${behind.toLocaleString('en')}${behind > MAX_KEPT_EVENTS ? ' (events were lost)' : ''}`,
        'IN USE': 'isHeld',
      });
      const shown = cursors.map(({ name, position, behind, isHeld }) => ({ name, position, behind, is_held: isHeld }));
      print({ cursors: shown }, text);
    }),
});

const remove = databaseCommand('remove', {
  summary: 'Remove a cursor; its program then starts at the next event',
  args: [['<name>', 'the cursor']],
  asks: true,
  examples: ['cursors remove search --db chat.db', 'cursors remove search --yes'],
  run: ({ args: [name = ''], options, confirm, print }) =>
    withChat(chooseDatabase(options), async ({ chat }) => {
      const { behind } = await cursorNamed(chat, name);
      await confirm(`Remove the cursor ${oneLine(name)}? It is ${counted(behind, 'place')} behind.`);
      await chat.removeEventCursor(name);
      print({ name }, `Removed the cursor ${oneLine(name)}.`);
    }),
});

const move = databaseCommand('move-to-now', {
  summary: 'Move a cursor to the end of the log; its program never gets the skipped events',
  args: [['<name>', 'the cursor']],
  asks: true,
  examples: ['cursors move-to-now search --db chat.db', 'cursors move-to-now search --yes'],
  run: ({ args: [name = ''], options, confirm, print }) =>
    withChat(chooseDatabase(options), async ({ chat }) => {
      const { behind } = await cursorNamed(chat, name);
      await confirm(`Skip ${counted(behind, 'place')} of the log for ${oneLine(name)}?`);
      await chat.moveEventCursorToNow(name);
      const sentence = `Moved the cursor ${oneLine(name)} to the end of the log. Skipped ${counted(behind, 'place')}.`;
      print({ name, passed_over: behind }, sentence);
    }),
});

/** `chatctl cursors`: the named positions of programs in the event log. The API has no operations for them. */
export const cursorsCommand = commandWithSubcommands('cursors', 'Named positions of programs in the event log', [
  list,
  remove,
  move,
]);

async function cursorNamed(chat: Chat, name: string) {
  const cursors = await chat.eventCursors();
  const cursor = cursors.find((each) => each.name === name);
  if (cursor) return cursor;
  const names = oneLine(cursors.map((each) => each.name).join(', '));
  const advice = names === '' ? 'There are no cursors.' : `Cursors: ${names}.`;
  throw new Failure(`There is no cursor "${oneLine(name)}".`, advice);
}

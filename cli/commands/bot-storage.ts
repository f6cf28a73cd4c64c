import { commands } from '../operations/metadata.ts';
import { oneLine, sanitize } from '../output/sanitize.ts';
import { table } from '../output/table.ts';

const keys = { parameter: 'keys', label: 'KEY' } as const;

const quoted = (names: readonly string[]) => names.map((name) => oneLine(JSON.stringify(name))).join(', ');

export const botStorage = commands('botStorage', 'Key-value storage for bots, per account', {
  get: {
    args: [keys],
    empty: 'Nothing is stored.',
    // For one key, stdout gets only its text, so that a program can read it.
    done({ answer: { storage }, parameters, terminal }) {
      const entries = Object.entries(storage);
      const [first] = entries;
      if (first && parameters.keys?.length === 1) return sanitize(first[1]);
      const rows = entries.map(([key, value]) => [oneLine(key), oneLine(value)]);
      return rows.length === 0 ? '' : table(['KEY', 'TEXT'], rows, terminal);
    },
    examples: ['bot-storage get', 'bot-storage get visits'],
  },
  set: {
    args: [{ parameter: 'storage', label: 'KEY=TEXT' }],
    parsers: { storage: 'texts by key' },
    done: ({ parameters }) => `Stored ${quoted(Object.keys(parameters.storage))}.`,
    examples: ['bot-storage set visits=3 "greeting=Good morning"', 'bot-storage set \'{"visits": "3"}\''],
  },
  remove: {
    args: [keys],
    confirm: 'Remove permanently? Without keys, this removes everything that this account has stored.',
    done: ({ parameters }) => (parameters.keys ? `Removed ${quoted(parameters.keys)}.` : 'Removed everything stored.'),
    examples: ['bot-storage remove visits', 'bot-storage remove --yes'],
  },
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unknownCommand } from '../../cli/names.ts';
import { buildProgram } from '../../cli/program.ts';
import { terminal } from './terminals.ts';

const program = buildProgram(terminal());

/** The question, and the command whose help is named. */
function asked(line: string): [meant: string, readOn: string] {
  const words = line.split(' ');
  let at = program;
  for (const [index, word] of words.entries()) {
    const child = at.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (child) {
      at = child;
      continue;
    }
    const { message, advice = '' } = unknownCommand(at, word, words[index + 1]);
    assert.ok(message.startsWith(`Unknown command '${word}'.`), message);
    const [, meant = ''] = /Did you mean (?:one of )?(.*)\?$/.exec(message) ?? [];
    return [meant, /^See `chatctl ?(.*) --help`\.$/.exec(advice)?.[1] ?? advice];
  }
  throw new Error(`The command is known: ${line}`);
}

const LINES: Readonly<Record<string, [meant: string, readOn: string]>> = {
  'user list': ['users', 'users'],
  'message send': ['messages', 'messages'],
  invite: ['invites', 'invites'],
  'channels creat': ['create', 'channels create'],
  'users lsit': ['list', 'users list'],
  'list users': ['users list', 'users list'],
  'send message': ['messages send', 'messages send'],
  login: ['auth login', 'auth login'],
  send: ['messages send, typing send, uploads send, invites send', ''],
  react: ['messages react', 'messages react'],
  group: ['user-groups', 'user-groups'],
  emoji: ['custom-emoji', 'custom-emoji'],
  'users activate': ['deactivate, reactivate', 'users'],
  // Words that share only half of their letters are not suggested.
  'channels rename': ['', 'channels'],
  'messages search': ['', 'messages'],
  'messages post': ['', 'messages'],
  search: ['users search, channels search', ''],
  info: ['', ''],
  list: ['', ''],
};

describe('suggestions for an unknown command', () => {
  for (const [line, expected] of Object.entries(LINES)) {
    it(`chatctl ${line}`, () => assert.deepEqual(asked(line), expected));
  }
});

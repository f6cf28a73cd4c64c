import assert from 'node:assert/strict';
import type { Terminal } from '../../../cli/output/terminal.ts';
import { buildProgram, metadata, runCommand } from '../../../cli/program.ts';
import { type Operation, routesOf } from '../../../lib/internal.ts';
import type { Params } from '../../world/case.ts';
import { relaySettings } from '../../world/relay.ts';
import type { Outcome, Transport } from '../../world/transports.ts';
import { BASE_URL } from '../../world/world.ts';

interface Ended {
  exitCode: number;
  out: string;
  err: string;
}

/**
 * `chatctl … --json --db FILE` in this process, since a process for each of hundreds of cases would take minutes. The
 * transcripts start the program itself.
 */
export const commandTransport: Transport = {
  name: 'chatctl',
  async call(world, as, operation, params) {
    assert.ok(world.location, 'the data is in no file');
    // `--db` without `--user` has no account. It suits operations that anyone may call.
    assert.ok(as !== 'anonymous' || operation.access === 'anyone', 'this operation needs a user with --db');
    const account = as === 'anonymous' ? [] : ['--user', String(world.users[as])];
    // No user can answer a question of the command.
    const { confirm, options, perform, repeat } = metadata.get(operation.name) ?? {};
    const yes = confirm === undefined ? [] : ['--yes'];
    // Creating a channel needs this option.
    const create = options?.some(([flags]) => flags === '--create') ? ['--create'] : [];
    const differs = perform?.isForDryRuns === true || repeat !== undefined;
    const words = differs
      ? requestOf(operation, params)
      : [...wordsOf(operation), ...optionsOf(params), ...yes, ...create];
    return outcomeOf(await run([...words, ...account, '--db', world.location, '--base-url', BASE_URL, '--json']));
  },
};

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

const wordsOf = (operation: Operation) => operation.name.split('.').map(kebab);

/** Strings as they are, other values as JSON, as over HTTP. */
function optionsOf(params: Params): string[] {
  return Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${kebab(name)}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

/**
 * Commands with several calls, or commands that accept a repeated call, print other output. `chatctl api` makes exactly
 * one call.
 */
function requestOf(operation: Operation, params: Params): string[] {
  const [route] = routesOf(operation);
  assert.ok(route);
  const texts = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const);
  const path = texts.reduce((path, [name, text]) => path.replace(`{${name}}`, encodeURIComponent(text)), route.path);
  const fields = texts.filter(([name]) => !route.path.includes(`{${name}}`));
  return ['api', route.method, path, ...fields.flatMap(([name, text]) => ['-f', `${name}=${text}`])];
}

let printed: Pick<Ended, 'out' | 'err'> = { out: '', err: '' };

const terminal: Terminal = {
  out: (text) => {
    printed.out += `${text}\n`;
  },
  err: (text) => {
    printed.err += `${text}\n`;
  },
  isTerminal: false,
  errIsTerminal: false,
  isColoured: false,
  columns: undefined,
  style: (_style, text) => text,
  errStyle: (_style, text) => text,
};
/** One program for all cases: building it takes as long as most commands. */
const program = buildProgram(terminal);

async function run(args: readonly string[]): Promise<Ended> {
  const { url, id, key } = await relaySettings();
  const relay = { CHATCTL_PUSH_RELAY: url, CHATCTL_PUSH_RELAY_ID: id, CHATCTL_PUSH_RELAY_KEY: key };
  Object.assign(process.env, relay);
  printed = { out: '', err: '' };
  const exitCode = await runCommand(args, terminal, program);
  for (const name of Object.keys(relay)) delete process.env[name];
  return { exitCode, ...printed };
}

/** Exit codes: 0 done, 1 refused, 4 not authenticated. */
function outcomeOf({ exitCode, out, err }: Ended): Outcome {
  if (exitCode === 0) {
    assert.equal(err, '');
    const { result, msg, ...answer } = JSON.parse(out);
    return { answer: result === 'success' && msg === '' ? answer : JSON.parse(out) };
  }
  assert.ok(exitCode === 1 || exitCode === 4, `exit ${exitCode}: ${err}`);
  assert.equal(out, '');
  const { result, msg, code, ...data } = JSON.parse(err);
  assert.equal(result, 'error');
  return { refusal: { code, status: exitCode === 4 ? 401 : undefined, message: msg, data } };
}

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { GenericSchema } from 'valibot';
import type { Operation } from '../../lib/internal.ts';
import { checkCredentials, chooseConnection, type SiteConnection } from '../connection.ts';
import { noteServer, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { methodOf, openSession, waitingOut } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';

type Values = Record<string, string>;

interface Flags {
  field?: string[];
  input?: string;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** `chatctl api METHOD PATH`: any API request, also to routes that chatctl does not know. */
export function apiCommand(terminal: Terminal): Command {
  const collect = (text: string, earlier: string[] = []) => [...earlier, text];
  const command = new Command('api')
    .summary('Send a request to the API')
    .description(
      'Send a request to the API and print the JSON response. Write text parameters as they are and other parameters as JSON. With --db, runs the operation on the database.',
    )
    .usage('<METHOD> <PATH> [options]')
    .argument('<METHOD>', METHODS.join(', '))
    .argument('<PATH>', 'path below /api/v1, such as /users/me; may include a query')
    .option('-f, --field <name=value>', 'add a parameter; can be repeated', collect)
    .option('--input <file>', 'add parameters from a JSON object; - for stdin');
  addExamples(command, [
    "api POST /messages -f type=direct -f 'to=[9]' -f content=Hello",
    "api GET '/messages?anchor=newest&num_before=5&num_after=0' --jq '.messages[].content'",
  ]);
  addGlobalOptions(command);
  return command.action((method: string, path: string, flags: Flags) => call(method, path, flags, command, terminal));
}

async function call(given: string, written: string, flags: Flags, command: Command, terminal: Terminal): Promise<void> {
  const method = given.toUpperCase();
  if (!METHODS.includes(method)) throw new UsageError(`The method must be one of ${METHODS.join(', ')}.`);
  const [path = '', query = ''] = written.replace(/^(https?:\/\/[^/]+)?\/?(api\/v1(?=\/))?\/?/, '/').split(/\?(.*)/s);
  const values: Values = {
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(flags.input === undefined ? {} : fileValues(flags.input)),
    ...Object.fromEntries((flags.field ?? []).map(assignment)),
  };
  const options = globalOptions(command);
  const connection = chooseConnection(options);
  if (connection.kind === 'site') {
    const send = () => sendTo(connection, method, path, values);
    return showJson(await (options.wait === false ? send() : waitingOut(send, terminal)), terminal);
  }
  const { operation, parameters, ignored } = await understood(method, path, values);
  const { session, close } = await openSession(connection, operation.access);
  try {
    const answer = await methodOf(session, operation)(parameters);
    showJson({ result: 'success', msg: '', ...answer, ...ignored }, terminal);
  } finally {
    await close();
  }
}

function assignment(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`"${text}" is not in the form name=value.`);
  return [name, value];
}

function fileValues(file: string): Values {
  let fields: unknown;
  try {
    fields = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    throw new UsageError(`Cannot read ${file === '-' ? 'stdin' : file} as JSON: ${(error as Error).message}`);
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new UsageError(`${file === '-' ? 'stdin' : file} is not a JSON object.`);
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

async function sendTo(connection: SiteConnection, method: string, path: string, values: Values): Promise<object> {
  const { site, email, apiKey, insecure } = connection;
  if (email !== undefined || apiKey !== undefined) checkCredentials(connection);
  noteServer(site);
  const [{ Agent, request }, { Unreachable }, { receivedError }] = await Promise.all([
    import('undici'),
    import('../../lib/index.ts'),
    import('../../lib/internal.ts'),
  ]);
  const form = new URLSearchParams(values).toString();
  const isQuery = method === 'GET';
  const agent = new Agent({ connect: { rejectUnauthorized: !insecure } });
  try {
    const answer = await request(`${site}/api/v1${path}${isQuery && form !== '' ? `?${form}` : ''}`, {
      method: method as 'GET',
      dispatcher: agent,
      headers: {
        'user-agent': 'chatctl',
        ...(isQuery ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(email === undefined ? {} : { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }),
      },
      body: isQuery ? null : form,
    }).catch((error: unknown) => {
      throw new Unreachable(site, error);
    });
    const text = await answer.body.text();
    let body: Record<string, unknown>;
    try {
      body = JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw Unreachable.notJson(site, answer.statusCode);
    }
    if (answer.statusCode < 400) return body;
    const { result: _, msg, code, ...data } = body;
    throw receivedError(String(msg), typeof code === 'string' ? code : null, answer.statusCode, data);
  } finally {
    await agent.close();
  }
}

/** The operation of a route, and its parameters decoded as a server does. */
async function understood(method: string, path: string, values: Values) {
  const { catalogue, decodeText, fileParameter, NotFound, routesOf, textKind } = await import('../../lib/internal.ts');
  const segments = path.split('/').flatMap((segment) => (segment === '' ? [] : decoded(segment)));
  const matches = (catalogue as readonly Operation[]).flatMap((operation) =>
    routesOf(operation).flatMap((route) => {
      const kinds = (name: string) => textKind(operation.params.entries[name] as GenericSchema);
      const found = route.method === method ? matchOf(route.path, segments, kinds) : undefined;
      return found ? { operation, ...found } : [];
    }),
  );
  // A literal segment wins over an integer parameter, which wins over a text parameter.
  const [match] = matches.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  if (!match) throw new NotFound(`${method} ${path}`);
  const { operation } = match;
  if (fileParameter(operation)) {
    throw new UsageError('This command cannot send files.', 'See `chatctl uploads --help`.');
  }
  const entries = operation.params.entries as Record<string, GenericSchema>;
  const given = Object.entries({ ...values, ...match.values });
  const unknown = given.flatMap(([name]) => (Object.hasOwn(entries, name) ? [] : name));
  const known = given.filter(([name]) => Object.hasOwn(entries, name));
  return {
    operation,
    parameters: Object.fromEntries(
      known.map(([name, text]) => [name, decodeText(name, entries[name] as GenericSchema, text)]),
    ),
    ignored: unknown.length === 0 ? {} : { ignored_parameters_unsupported: unknown },
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UsageError(`"${segment}" contains an invalid percent-encoding.`);
  }
}

/** The parameters in a path, and the rank of the route: lower is more specific. */
function matchOf(
  route: string,
  segments: readonly string[],
  kindOf: (name: string) => string,
): { rank: string; values: Values } | undefined {
  const parts = route.split('/').filter((part) => part !== '');
  const values: Values = {};
  let rank = '';
  for (const [at, part] of parts.entries()) {
    const [, name, isRest] = /^\{(\w+)(\*?)\}$/.exec(part) ?? [];
    const segment = segments[at];
    if (segment === undefined) return undefined;
    if (name === undefined && part !== segment) return undefined;
    if (name !== undefined && isRest)
      return { rank: `${rank}3`, values: { ...values, [name]: segments.slice(at).join('/') } };
    const isInteger = name !== undefined && kindOf(name) === 'integer';
    if (isInteger && !/^-?[0-9]+$/.test(segment)) return undefined;
    if (name !== undefined) values[name] = segment;
    rank += name === undefined ? '0' : isInteger ? '1' : '2';
  }
  return parts.length === segments.length ? { rank, values } : undefined;
}

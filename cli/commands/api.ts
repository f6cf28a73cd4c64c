import { readFileSync } from 'node:fs';
import type { GenericSchema } from 'valibot';
import type { Operation } from '../../lib/internal.ts';
import { checkCredentials, chooseConnection, type SiteConnection } from '../connection.ts';
import { noteServer, UsageError } from '../failure.ts';
import { methodOf, openSession, waitingOut } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import { connectedCommand, type LocalCall } from './local-command.ts';

type Values = Record<string, string>;

interface Flags {
  field?: string[];
  input?: string;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** `chatctl api METHOD PATH`: any API request, also to routes that chatctl does not know. */
export const apiCommand = connectedCommand('api', {
  summary: 'Send a request to the API',
  description:
    'Send a request to the API and print the JSON response. Write text parameters as they are and other parameters as JSON. With --db, runs the operation on the database.',
  usage: '<METHOD> <PATH> [options]',
  args: [
    ['<METHOD>', METHODS.join(', ')],
    ['<PATH>', 'path below /api/v1, such as /users/me; may include a query'],
  ],
  options: [
    [
      '-f, --field <name=value>',
      'add a parameter; can be repeated',
      (text, earlier: string[] = []) => [...earlier, text],
    ],
    ['--input <file>', 'add parameters from a JSON object; - for stdin'],
  ],
  examples: [
    "api POST /messages -f type=direct -f 'to=[9]' -f content=Hello",
    "api GET '/messages?anchor=newest&num_before=5&num_after=0' --jq '.messages[].content'",
  ],
  run: sendRequest,
});

async function sendRequest({ args, options, terminal }: LocalCall<Flags>): Promise<void> {
  const [given = '', written = ''] = args;
  const method = given.toUpperCase();
  if (!METHODS.includes(method)) throw new UsageError(`The method must be one of ${METHODS.join(', ')}.`);
  const [path = '', query = ''] = written.replace(/^(https?:\/\/[^/]+)?\/?(api\/v1(?=\/))?\/?/, '/').split(/\?(.*)/s);
  const values: Values = {
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(options.input === undefined ? {} : fileValues(options.input)),
    ...Object.fromEntries((options.field ?? []).map(assignment)),
  };
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
  const matches = (catalogue as readonly Operation[]).flatMap((operation) => {
    const kinds = (name: string) => textKind(operation.params.entries[name] as GenericSchema);
    const routes = routesOf(operation).filter((route) => route.method === method);
    return routes.flatMap((route) => matchOf(route.path, path, kinds).map((match) => ({ operation, ...match })));
  });
  // A literal segment wins over an integer parameter, which wins over a text parameter.
  const [match] = matches.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  if (!match) throw new NotFound(`${method} ${path}`);
  const { operation } = match;
  if (fileParameter(operation)) {
    throw new UsageError('This command cannot send files.', 'See `chatctl uploads --help`.');
  }
  const entries = operation.params.entries as Record<string, GenericSchema>;
  const inPath = Object.fromEntries(Object.entries(match.values).map(([name, text]) => [name, decoded(text)]));
  const given = Object.entries({ ...values, ...inPath });
  const unknown = given.flatMap(([name]) => (Object.hasOwn(entries, name) ? [] : name));
  const known = given.flatMap(([name, text]) => (entries[name] ? [[name, decodeText(name, entries[name], text)]] : []));
  return {
    operation,
    parameters: Object.fromEntries(known),
    ignored: unknown.length === 0 ? {} : { ignored_parameters_unsupported: unknown },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`"${text}" contains an invalid percent-encoding.`);
  }
}

/** The parameters in a path, and the rank of the route: lower is more specific. */
function matchOf(route: string, path: string, kindOf: (name: string) => string): { rank: string; values: Values }[] {
  let rank = '';
  const segments = route.match(/[^/]+/g) ?? [];
  const pattern = segments.map((segment) => {
    const [, name, isRest] = /^\{(\w+)(\*?)\}$/.exec(segment) ?? [];
    const isInteger = name !== undefined && !isRest && kindOf(name) === 'integer';
    rank += name === undefined ? '0' : isInteger ? '1' : isRest ? '3' : '2';
    if (name === undefined) return segment.replaceAll('.', '\\.');
    return `(?<${name}>${isInteger ? '-?[0-9]+' : isRest ? '.+' : '[^/]+'})`;
  });
  const found = new RegExp(`^/+${pattern.join('/+')}/*$`).exec(path);
  return found ? [{ rank, values: found.groups ?? {} }] : [];
}

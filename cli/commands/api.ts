import { textsByKey } from '../arguments/values.ts';
import { type Connection, checkCredentials, chooseConnection, openAccount, waitingOut } from '../connection.ts';
import { UsageError } from '../failure.ts';
import { utf8TextOf } from '../files.ts';
import { showJson } from '../output/result.ts';
import { jsonFields } from '../records.ts';
import { connectedCommand, type LocalCall } from './local-command.ts';

type Flags = { field?: string[]; input?: string };

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** `chatctl api METHOD PATH`: any API request, also to routes that chatctl does not know. */
export const apiCommand = connectedCommand('api', {
  summary: 'Send a request to the API',
  description:
    'Send a request to the API and print the JSON response. Write text parameters as they are and other parameters as JSON. With --db, runs the operation on the database.',
  args: [
    ['<METHOD>', METHODS.join(', ')],
    ['<PATH>', 'path below /api/v1, such as /users/me; may include a query'],
  ],
  options: [
    [
      '-f, --field <name=value>',
      'add a parameter; can be repeated',
      (text: string, earlier: string[] = []) => [...earlier, text],
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
  const form = new URLSearchParams({
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(options.input === undefined ? {} : await fileValues(options.input)),
    ...textsByKey(options.field ?? [], 'name=value'),
  });
  const { site, fetch, close } = await targetOf(chooseConnection(options));
  const url = `${site}/api/v1${path}`;
  const send = async () => {
    const answer = await (method === 'GET' ? fetch(`${url}?${form}`, { method }) : fetch(url, { method, body: form }));
    const { receivedError } = await import('../../lib/internal.ts');
    const text = await answer.text();
    let body: Record<string, unknown>;
    try {
      body = JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw (await import('../../lib/index.ts')).Unreachable.notJson(site, answer.status);
    }
    if (answer.status < 400) return body;
    const { result: _, msg, code, ...data } = body;
    throw receivedError(String(msg), typeof code === 'string' ? code : null, answer.status, data);
  };
  try {
    showJson(await (options.wait === false ? send() : waitingOut(send, terminal)), terminal);
  } finally {
    await close();
  }
}

interface Target {
  site: string;
  fetch(url: string, init: RequestInit): Promise<Pick<Response, 'status' | 'text'>>;
  close(): Promise<void>;
}

async function targetOf(connection: Connection): Promise<Target> {
  const agent = { 'user-agent': 'chatctl' };
  if (connection.kind === 'database') {
    // A server in this process, without a port.
    const { chat, userId, close } = await openAccount(connection);
    const { fetchHandler } = await import('../../server/index.ts');
    const handler = fetchHandler(chat, { authenticate: () => userId, rateLimits: false, pages: false });
    const fetch: Target['fetch'] = (url, init) => handler(new Request(url, { ...init, headers: agent }));
    return { site: 'http://localhost', fetch, close };
  }
  const { site, email, apiKey, insecure } = connection;
  if (email !== undefined || apiKey !== undefined) checkCredentials(connection);
  const [{ Agent, fetch }, { Unreachable }] = await Promise.all([import('undici'), import('../../lib/index.ts')]);
  const dispatcher = new Agent({ connect: { rejectUnauthorized: !insecure } });
  const headers = {
    ...agent,
    ...(email === undefined ? {} : { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }),
  };
  return {
    site,
    fetch: (url, { method = '', body = null }) =>
      fetch(url, { method, body: body as URLSearchParams | null, headers, dispatcher }).catch((error: Error) => {
        throw new Unreachable(site, error.cause ?? error);
      }),
    close: () => dispatcher.close(),
  };
}

async function fileValues(path: string): Promise<Record<string, string>> {
  const read = jsonFields(await utf8TextOf(path));
  if ('fault' in read) throw new UsageError(`${path} ${read.fault}.`, read.cause);
  return Object.fromEntries(
    Object.entries(read.fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Unchanged JSON. The decoder tables define its format. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any field of the response
export type Body = any;

export interface Reply {
  status: number;
  headers: Headers;
  body: Body;
}

/** Encodes a form or a query: strings unchanged, other values as JSON. */
export type Parameters = Record<string, unknown>;

export interface Login {
  url: string;
  email?: string;
  api_key?: string;
  userAgent?: string;
}

/** Sends requests as most clients do: parameters in the query of a GET and in an urlencoded body otherwise. */
export class FormClient {
  constructor(readonly login: Login) {}

  async send(method: string, path: string, parameters: Parameters = {}): Promise<Reply> {
    const { url, email, api_key, userAgent } = this.login;
    const text = encoded(parameters);
    const headers: Record<string, string> = {};
    if (email !== undefined) headers.authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
    if (userAgent !== undefined) headers['user-agent'] = userAgent;
    if (method !== 'GET') headers['content-type'] = 'application/x-www-form-urlencoded';
    const query = method === 'GET' && text !== '' ? `?${text}` : '';
    const response = await fetch(`${url}/api/v1/${path}${query}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: text }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** @throws Error with the server's message when it refuses */
  async ask(method: string, path: string, parameters: Parameters = {}): Promise<Body> {
    const { status, body } = await this.send(method, path, parameters);
    if (status !== 200 || body.result !== 'success') {
      throw new Error(`${method} ${path} ${JSON.stringify(parameters)}: ${status} ${JSON.stringify(body)}`);
    }
    return body;
  }

  get(path: string, parameters?: Parameters): Promise<Body> {
    return this.ask('GET', path, parameters);
  }

  post(path: string, parameters?: Parameters): Promise<Body> {
    return this.ask('POST', path, parameters);
  }

  patch(path: string, parameters?: Parameters): Promise<Body> {
    return this.ask('PATCH', path, parameters);
  }

  delete(path: string, parameters?: Parameters): Promise<Body> {
    return this.ask('DELETE', path, parameters);
  }
}

function encoded(parameters: Parameters): string {
  const fields = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(fields as [string, string][]).toString();
}

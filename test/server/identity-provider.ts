import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import Provider from 'oidc-provider';
import { listening, send } from './running.ts';

export const CLIENT = { clientId: 'chat', clientSecret: 'a secret of the client' };

/** Claims of a person, by the subject. */
export type People = Record<string, Record<string, unknown>>;

export interface IdentityProvider {
  issuer: string;
  /** People may be added and changed. */
  people: People;
  /** Accepts logins that come back to this chat. */
  serves(chatUrl: string, id?: string): void;
  /** Does not answer any more until `serves` is called. */
  goDown(): void;
}

/**
 * An OpenID Connect provider in this process. Its login page has one field, the subject, and no password.
 * @param path of the issuer
 */
export async function identityProvider(t: TestContext, people: People): Promise<IdentityProvider> {
  let handler: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;
  const server: Server = createServer((req, res) => (handler ? handler(req, res) : req.socket.destroy()));
  const issuer = `http://127.0.0.1:${await listening(t, server)}`;
  return {
    issuer,
    people,
    goDown: () => {
      handler = undefined;
    },
    serves: (chatUrl, id = 'sso') => {
      const provider = providerFor(issuer, chatUrl, id, people);
      const answer = provider.callback();
      handler = (req, res) =>
        void (req.url?.startsWith('/interaction/') ? logIn(provider, req, res) : answer(req, res));
    },
  };
}

function providerFor(issuer: string, chatUrl: string, id: string, people: People): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${chatUrl}/login/oidc/${id}/callback`],
        post_logout_redirect_uris: [`${chatUrl}/login`],
      },
    ],
    cookies: { keys: ['a key for cookies'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'realm_access'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people[sub], sub }) }),
    async loadExistingGrant({ oidc }) {
      const { client, account } = oidc;
      if (!client || !account) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: account.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
}

const FORM =
  '<!doctype html><title>Provider</title><form method="post"><label>Login <input name="login"></label><button>Go</button></form>';

async function logIn(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === 'GET') return void res.setHeader('Content-Type', 'text/html').end(FORM);
  let body = '';
  for await (const piece of req) body += piece;
  const accountId = new URLSearchParams(body).get('login') ?? '';
  const result = accountId === '' ? { error: 'access_denied' } : { login: { accountId } };
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
}

/** A browser that keeps cookies of each site and follows redirects. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Cookies of a site, as the header. */
  cookiesOf(url: string): string {
    const { port } = new URL(url);
    return [...(this.#cookies.get(port) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(url: string, form?: Record<string, string>) {
    const { port, pathname, search } = new URL(url);
    const headers = { cookie: this.cookiesOf(url) };
    const answer = await send(Number(port), form ? 'POST' : 'GET', pathname + search, {
      headers,
      ...(form ? { form } : {}),
    });
    const jar = this.#cookies.get(port) ?? new Map<string, string>();
    this.#cookies.set(port, jar);
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.location;
    return { ...answer, url, location: location === undefined ? undefined : new URL(location, url).href };
  }

  /** Follows redirects up to a page, another scheme, or an address that `until` accepts. */
  async visit(url: string, { form, until }: { form?: Record<string, string>; until?: RegExp } = {}) {
    let answer = await this.open(url, form);
    for (let hop = 0; hop < 15 && answer.location?.startsWith('http') && !until?.test(answer.location); hop++)
      answer = await this.open(answer.location);
    return answer;
  }

  /** Logs in at the provider to which this address leads. */
  async logIn(url: string, subject: string, options: { until?: RegExp } = {}) {
    const page = await this.visit(url, options);
    if (!/name="login"/.test(page.text)) return page;
    return this.visit(page.url, { ...options, form: { login: subject } });
  }
}

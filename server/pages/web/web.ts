import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Adopt } from '../../../lib/index.ts';
import type { ChatTransport, Entered } from '../../../lib/internal.ts';
import { type DemoLogin, type ListenerOptions, prefixOf, type ServingOptions } from '../../options.ts';
import type { OidcOptions } from '../../sign-in/oidc-options.ts';
import { OidcProvider } from '../../sign-in/oidc-provider.ts';
import { WebFiles } from './web-files.ts';

/** The path where Express has mounted the listener. */
export function mountPath(req: IncomingMessage): string | undefined {
  const baseUrl = 'baseUrl' in req ? req.baseUrl : undefined;
  return typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : undefined;
}

/** A cookie that only the server reads. Other sites cannot make browsers send it with a change. */
class BrowserCookie {
  constructor(
    private readonly name: string,
    protected readonly transport: ChatTransport,
    private readonly options: Pick<ServingOptions, 'prefix' | 'trustProxy'>,
  ) {}

  /** The value in a request. With several, browsers send the one with the longest path first. */
  of(req: IncomingMessage): string | undefined {
    const start = `${this.#nameFor(req)}=`;
    const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
  }

  /** The `Set-Cookie` header. @param maxAge seconds */
  set(req: IncomingMessage, value: string, maxAge: number): string {
    const path = this.#base(req) || '/';
    const secure = this.#isSecure(req) ? '; Secure' : '';
    return `${this.#nameFor(req)}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
  }

  /** The `Set-Cookie` header that removes the cookie. */
  end(req: IncomingMessage): string {
    return this.set(req, '', 0);
  }

  /** Browsers accept these prefixes only over TLS, and `__Host-` only for the whole site. */
  #nameFor(req: IncomingMessage): string {
    if (!this.#isSecure(req)) return this.name;
    return `${this.#base(req) === '' ? '__Host-' : '__Secure-'}${this.name}`;
  }

  readonly #base = (req: IncomingMessage) => mountPath(req) ?? prefixOf(this.options);

  /** A proxy may have ended TLS. */
  #isSecure({ headers, socket }: IncomingMessage): boolean {
    const forwarded = headers['x-forwarded-proto'];
    if (Number(this.options.trustProxy ?? 0) > 0 && typeof forwarded === 'string') {
      return forwarded.split(',', 1)[0]?.trim().toLowerCase() === 'https';
    }
    return (
      ('encrypted' in socket && socket.encrypted === true) || this.transport.engine.options.baseUrl.startsWith('https:')
    );
  }
}

/**
 * The cookie of the login page. It is signed, and any process can check it. It ends after 30 days, on logout, with a new
 * API key or password, and when the account is deactivated.
 */
export class LoginCookie extends BrowserCookie {
  /** The `Set-Cookie` header that logs an account in. */
  async begin(req: IncomingMessage, account: Entered): Promise<string> {
    const { value, maxAge } = await this.transport.newCookie(account);
    return this.set(req, value, maxAge);
  }
}

/** Milliseconds that the link of a demo works. */
const LINK_MS = 3_600_000;

/** What the web app of a listener needs. */
export class Web {
  readonly isOn: boolean;
  readonly files = new WebFiles();
  /** Undefined if there is no login page: the host has its own login. */
  readonly cookie: LoginCookie | undefined;
  readonly demoAccounts: readonly DemoLogin[];
  readonly loginUrl: string | undefined;
  readonly adopt: Adopt;
  /** A login that goes on at a provider. */
  readonly attempts: BrowserCookie;
  readonly providers: readonly OidcProvider[];
  #link: { secret: string; userId: number; until: number } | undefined;

  constructor(
    private readonly transport: ChatTransport,
    options: ListenerOptions,
  ) {
    this.isOn = options.web ?? options.pages !== false;
    this.cookie = this.isOn && !options.authenticate ? new LoginCookie('parlance', transport, options) : undefined;
    this.demoAccounts = options.demoAccounts ?? [];
    this.loginUrl = options.loginUrl;
    this.adopt = options.adopt ?? 'verified';
    this.attempts = new BrowserCookie('parlance-attempt', transport, options);
    this.providers = this.#providersOf(options.oidc ?? []);
  }

  /** @throws TypeError */
  #providersOf(options: readonly OidcOptions[]): readonly OidcProvider[] {
    const { engine } = this.transport;
    const providers = options.map((one) => new OidcProvider(one, engine.logger, () => engine.options.baseUrl));
    if (providers.length === 0) return providers;
    if (!this.cookie) throw new TypeError('The option oidc needs the login page: omit authenticate and web: false.');
    if (new Set(providers.map(({ id }) => id)).size < providers.length)
      throw new TypeError('Each provider in oidc needs another id.');
    const unlimited = options.findIndex(({ emailDomains }) => emailDomains === undefined);
    if (options.length > 1 && unlimited >= 0)
      throw new TypeError(
        `Set emailDomains of the provider "${providers[unlimited]?.id}": the domains of its users, or "*" if it may open any account.`,
      );
    this.transport.offersLogins(
      providers.map(({ id, name, path }) => ({ name: `oidc:${id}`, display_name: name, path })),
    );
    return providers;
  }

  /** The path of a link that logs in as the first account of the demo, once within an hour. Undefined without a demo. */
  makeDemoLink(): string | undefined {
    const [first] = this.demoAccounts;
    if (!first || !this.cookie) return undefined;
    const secret = randomBytes(18).toString('base64url');
    this.#link = { secret, userId: first.user_id, until: this.transport.engine.clock.now() + LINK_MS };
    return `/login/${secret}`;
  }

  /** The account of the link, or undefined if the link does not work. @param isUse the request uses it up */
  demoLogin(secret: string, { isUse }: { isUse: boolean }): number | undefined {
    const link = this.#link;
    if (!link || link.secret !== secret || this.transport.engine.clock.now() >= link.until) return undefined;
    if (isUse) this.#link = undefined;
    return link.userId;
  }
}

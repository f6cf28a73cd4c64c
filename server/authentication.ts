import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ChatError, isChatError, Unauthorized } from '../lib/index.ts';
import {
  type Access,
  AccountChanged,
  BadRequest,
  type Caller,
  type ChatTransport,
  CsrfFailed,
  isLoginToken,
  type LoggedIn,
  type ProvenCaller,
} from '../lib/internal.ts';
import type { HostLogin, ListenerOptions } from './options.ts';
import type { LoginCookie } from './pages/web/web.ts';
import type { RateLimits } from './rate-limits.ts';
import { recordOf } from './request-record.ts';
import { type Exchange, LoginNeeded } from './respond.ts';

/**
 * In requests, the ID of the account that the client shows. In responses, that of the login. The cookie of a browser can
 * become that of another account under an open page.
 */
const ACCOUNT = 'Parlance-Account';

/** The caller. `userId` is null without credentials. */
export type Identity = Pick<Caller, 'address' | 'keyGeneration' | 'login'> & { userId: number | null };

const NOBODY: Identity = { userId: null };

const MAX_VERIFIED = 20_000;
/** Characters. Longer headers are not cached. */
const MAX_HEADER = 400;

/** Characters of an address that a browser sends. */
const MAX_ORIGIN = 200;
/** Anyone can send any address, so the log names only a few. */
const MAX_REFUSED_PAGES = 5;

/** Identifies the caller by Basic credentials or a token, or else by the host's login or the cookie of the login page. */
export class Authentication {
  /** Cache of valid Authorization headers and cookies. */
  readonly #verified = new Map<string, ProvenCaller | LoggedIn>();
  /** Checks under way, by header or cookie. A client may open dozens of connections at once, for example after a restart. */
  readonly #checking = new Map<string, Promise<Identity>>();
  /** Addresses of other pages that the log names. */
  readonly #refusedPages = new Set<string>();

  /**
   * @param rateLimits counts requests with wrong or missing credentials
   * @param cookie of the login page; undefined without this page
   */
  constructor(
    private readonly transport: ChatTransport,
    private readonly options: Pick<ListenerOptions, 'authenticate' | 'adopt' | 'trustedOrigins'>,
    private readonly rateLimits: RateLimits | undefined,
    private readonly cookie: LoginCookie | undefined,
  ) {}

  /**
   * @param headers of the response, which name the account
   * @param webhookKey API key of an incoming-webhook bot in the URL. Other credentials do not count then
   * @throws Unauthorized, BadRequest (another scheme), CsrfFailed, and the errors of tokens; AccountChanged if the client
   * shows another account; RateLimitHit if a network address fails too often
   */
  async identify(
    req: IncomingMessage,
    access: Access,
    headers: Exchange['headers'] = {},
    webhookKey?: string,
  ): Promise<Identity> {
    try {
      const identity =
        webhookKey === undefined ? await this.#find(req, access) : await this.transport.webhookBot(webhookKey);
      const { userId } = identity;
      const record = recordOf(req);
      if (record) record.userId = userId;
      if (userId !== null) {
        headers[ACCOUNT] = userId;
        if (String(userId) !== (shownAccount(req) ?? String(userId))) throw new AccountChanged();
      }
      return identity;
    } catch (error) {
      if (error instanceof ChatError && error.status === 401) {
        await this.#countRefusal(req, { hasKey: (webhookKey ?? req.headers.authorization) !== undefined });
      }
      throw error;
    }
  }

  /** The account of an API key that was entered in a form. @throws Unauthorized, RateLimitHit */
  async byKey(req: IncomingMessage, email: string, apiKey: string): Promise<ProvenCaller> {
    try {
      return await this.transport.authenticate(email, apiKey);
    } catch (error) {
      if (error instanceof ChatError) await this.#countRefusal(req, { hasKey: true });
      throw error;
    }
  }

  /** Without a key, there is no wrong key to log. */
  async #countRefusal(req: IncomingMessage, { hasKey }: { hasKey: boolean }): Promise<void> {
    if (hasKey) {
      const network = this.rateLimits?.addressOf(req) ?? null;
      const request = recordOf(req)?.id ?? null;
      this.transport.noteWrongKey({ client: clientName(req), network, request });
    }
    await this.rateLimits?.takeByAddress(req, 'refused_by_ip');
  }

  async #find(req: IncomingMessage, access: Access): Promise<Identity> {
    // Clients send their key to open operations too, even if it is wrong.
    if (access === 'anyone') return NOBODY;
    const { authenticate } = this.options;
    const header = req.headers.authorization;
    // Browsers never send a token by themselves, so pages of every site may use one.
    if (header !== undefined && isOwnToken(header)) return this.#verify(header);
    this.checkSameSite(req);
    // Another scheme than Basic may be the host's own login.
    const mayBeOfHost = authenticate && !/^\s*basic\b/i.test(header ?? '');
    const ofHost = mayBeOfHost ? await this.#byHost(await authenticate(req)) : undefined;
    if (ofHost) return ofHost;
    return header === undefined ? this.#withoutHeader(req, access) : this.#verify(header);
  }

  async #byHost(user: HostLogin): Promise<Identity | undefined> {
    if (user === null || user === undefined) return undefined;
    const userId = await this.transport.resolveUser(user, this.options.adopt);
    return typeof user === 'string' ? { userId, address: user } : { userId };
  }

  async #withoutHeader(req: IncomingMessage, access: Access): Promise<Identity> {
    const cookie = this.cookie?.of(req);
    // A cookie that is not valid any more is like none.
    const login = cookie ? await refusalOr(this.#byCookie(cookie)) : undefined;
    if (login && !(login instanceof ChatError)) return login;
    // A client that shows an account must learn that its login is over.
    if (access === 'spectator' && shownAccount(req) === undefined) return NOBODY;
    if (isChatError(login, 'UNAUTHORIZED') && login.data.reason) throw login;
    if (this.options.authenticate) throw new LoginNeeded();
    throw new Unauthorized('Send the e-mail address and API key of an account with HTTP Basic authentication.');
  }

  #verify(header: string): Identity | Promise<Identity> {
    return this.#once(header, () => {
      const token = bearerToken(header);
      if (token !== undefined) return this.transport.checkLogin('token', token);
      const { email, apiKey } = basicCredentials(header);
      return this.transport.authenticate(email, apiKey);
    });
  }

  async #byCookie(cookie: string): Promise<Identity> {
    return this.#once(cookie, () => this.transport.checkLogin('cookie', cookie));
  }

  /** Checks credentials that it does not know yet. Every call checks whether the account still has them. */
  #once(text: string, check: () => Promise<ProvenCaller | LoggedIn>): Identity | Promise<Identity> {
    const known = this.#verified.get(text);
    if (known && !this.#hasExpired(known)) return known;
    const checking = this.#checking.get(text) ?? this.#remember(text, check());
    this.#checking.set(text, checking);
    return checking;
  }

  async #remember(text: string, checking: Promise<ProvenCaller | LoggedIn>): Promise<Identity> {
    const identity = await checking.finally(() => this.#checking.delete(text));
    if (text.length <= MAX_HEADER) {
      if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear();
      this.#verified.set(text, identity);
    }
    return identity;
  }

  #hasExpired(known: ProvenCaller | LoggedIn): boolean {
    return 'login' in known && this.transport.engine.clock.now() >= known.login.expiresAt * 1000;
  }

  /**
   * Protects against CSRF: browsers send login cookies with forms of other sites, and Basic credentials that they
   * remember.
   * @throws CsrfFailed
   */
  checkSameSite(req: IncomingMessage): void {
    if (req.method !== 'GET' && req.method !== 'HEAD' && !this.isFromOwnSite(req)) throw this.#refusedPage(req);
  }

  /** Names both addresses: behind a proxy, a wrong base URL looks like another site. */
  #refusedPage({ headers }: IncomingMessage): CsrfFailed {
    const { logger, options } = this.transport.engine;
    const { origin: site } = new URL(options.baseUrl);
    const page = headers.origin?.slice(0, MAX_ORIGIN);
    if (page === undefined || page === 'null')
      return new CsrfFailed('This request comes from a page of another site. Send it from a page of this site.');
    if (this.#refusedPages.size < MAX_REFUSED_PAGES && !this.#refusedPages.has(page)) {
      this.#refusedPages.add(page);
      logger.warn(
        { page, base_url: site },
        'a page of another address was refused. If it is a page of this chat, set --base-url (baseUrl) to its address. If it is another site of yours, add it to --trusted-origin (trustedOrigins)',
      );
    }
    return new CsrfFailed(
      `This request comes from a page of ${page}, but the address of this chat is ${site}. ` +
        `If the page is of this chat, its administrator must set --base-url to ${page}. If it is of another site, --trusted-origin ${page} allows it.`,
    );
  }

  /** Whether a request comes from a page of this site or of a trusted origin, or from no page. */
  isFromOwnSite({ headers }: IncomingMessage): boolean {
    const { origin, host, 'sec-fetch-site': site } = headers;
    if (origin !== undefined && this.options.trustedOrigins?.includes(origin)) return true;
    // A proxy may have replaced the `Host` of the request.
    if (origin !== undefined && origin === new URL(this.transport.engine.options.baseUrl).origin) return true;
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  }
}

const shownAccount = ({ headers }: IncomingMessage) => headers[ACCOUNT.toLowerCase()];

/** Undefined if a login is missing or has ended (401). */
export async function unlessRefused<T>(attempt: Promise<T>): Promise<T | undefined> {
  const login = await refusalOr(attempt);
  return login instanceof ChatError ? undefined : login;
}

/** The error if a login is missing or has ended (401). */
function refusalOr<T>(attempt: Promise<T>): Promise<T | ChatError> {
  return attempt.catch((error: unknown) => {
    if (error instanceof ChatError && error.status === 401) return error;
    throw error;
  });
}

const MAX_CLIENT_NAME = 30;

/** `ZulipPython/0.9.1 (Linux)` → `ZulipPython`. */
export function clientName(req: IncomingMessage): string {
  const [name = ''] = (req.headers['user-agent'] ?? '').trim().split(/[\s/]/, 1);
  return name === '' ? 'Unspecified' : name.slice(0, MAX_CLIENT_NAME);
}

/**
 * Programs name themselves as others do, so the first that matches counts. Parsers from the registry know hundreds of
 * browsers and their versions; a login needs names that stay the same after an update.
 */
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPiOS|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//],
];
const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (text: string, names: readonly [name: string, sign: RegExp][]) =>
  names.find(([, sign]) => sign.test(text))?.[0];

/** `Firefox on Windows`, from the header User-Agent. undefined: another program. */
export function browserName(userAgent: string): string | undefined {
  if (!userAgent.startsWith('Mozilla/')) return undefined;
  const browser = nameIn(userAgent, BROWSERS);
  const system = nameIn(userAgent, SYSTEMS);
  return browser && system ? `${browser} on ${system}` : browser;
}

function bearerToken(header: string): string | undefined {
  return /^\s*bearer +(\S+)\s*$/i.exec(header)?.[1];
}

/** Whether an Authorization header has a token of this server. */
export function isOwnToken(header: string): boolean {
  return isLoginToken(bearerToken(header) ?? '');
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads the e-mail address and the API key from an Authorization header.
 * @throws BadRequest for another scheme, Unauthorized for a malformed header
 */
function basicCredentials(header: string): { email: string; apiKey: string } {
  const words = header.trim().split(/\s+/);
  const [scheme = '', encoded] = words;
  if (encoded !== undefined && scheme.toLowerCase() !== 'basic') {
    throw new BadRequest('This API accepts only HTTP Basic authentication and bearer tokens.');
  }
  // Node's decoder accepts any text.
  if (words.length !== 2 || encoded === undefined || !BASE64.test(encoded) || encoded.length % 4) throw malformed();
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) throw malformed();
  const [email, apiKey, ...more] = bytes.toString('utf8').split(':');
  if (email === undefined || apiKey === undefined || more.length > 0) throw malformed();
  return { email, apiKey };
}

const malformed = () =>
  new Unauthorized('The Authorization header is malformed. It must contain an e-mail address and an API key.');

import { randomBytes } from 'node:crypto';
import type { ChatTransport } from '../../lib/internal.ts';
import type { DemoLogin, ListenerOptions } from '../options.ts';
import { LoginCookie } from './login-cookie.ts';
import { WebFiles } from './web-files.ts';

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
  #link: { secret: string; userId: number; until: number } | undefined;

  constructor(
    private readonly transport: ChatTransport,
    options: ListenerOptions,
  ) {
    this.isOn = options.web ?? options.pages !== false;
    this.cookie = this.isOn && !options.authenticate ? new LoginCookie(transport, options) : undefined;
    this.demoAccounts = options.demoAccounts ?? [];
    this.loginUrl = options.loginUrl;
  }

  /** The path of a link that logs in as the first account of the demo, once within an hour. Undefined without a demo. */
  makeDemoLink(): string | undefined {
    const [first] = this.demoAccounts;
    if (!first || !this.cookie) return undefined;
    const secret = randomBytes(18).toString('base64url');
    this.#link = { secret, userId: first.user_id, until: this.transport.engine.clock.now() + LINK_MS };
    return `/login/${secret}`;
  }

  /** Uses up the link. Returns the account, or undefined if the link does not work. */
  useDemoLink(secret: string): number | undefined {
    const link = this.#link;
    if (!link || link.secret !== secret || this.transport.engine.clock.now() >= link.until) return undefined;
    this.#link = undefined;
    return link.userId;
  }
}

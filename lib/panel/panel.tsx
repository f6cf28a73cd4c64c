/** `parlance-chat/panel`: the element `<parlance-panel>`. Importing the module registers it. */
import { render } from 'preact';
import { isChatError } from '../base/errors.ts';
import type { Session } from '../chat/session.ts';
import type { ChatStore } from '../client/store/types.ts';
import { siteOf, withoutApiPath } from '../rules/site-address.ts';
import type { PanelEvents } from './context.ts';
import { keepTyping } from './keys.ts';
import { Root } from './root.tsx';
import { endStore, type Lease, type Login, leaseStore, type TokenCallback } from './shared-stores.ts';
import { adoptStyles } from './style-sheets.ts';
import { CONVERSATION_WORDS, type ConversationWords } from './words/conversation-words.ts';
import type { Words } from './words/words.ts';

export type { Destination, PanelEvents, SignedOutReason } from './context.ts';
export type { TokenCallback } from './shared-stores.ts';
export type { Words } from './words/words.ts';

const NAME = 'parlance-panel';

const ATTRIBUTES = [
  ...['site', 'room', 'channel', 'topic', 'people', 'message', 'view'],
  ...['theme', 'density', 'lang', 'hide', 'readonly', 'enter', 'push'],
];
const LOGIN_PROPERTIES = ['store', 'session', 'token', 'site'] as const;
const PROPERTIES = ['store', 'session', 'token', 'words'] as const;

/** Where there is no DOM, such as on a server, the module only has to load. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * A chat in a page.
 *
 * Attributes, which can change at any time:
 * - `site`: address of the chat. Default `/`.
 * - `room`: external ID of a room. `channel`: name, ID or `external:` with an external ID. `topic`: its topic, which has no permissions of its own.
 * - `people`: user IDs or e-mail addresses of a direct conversation, with commas between.
 * - `message`: ID of the message to open at.
 * - `view`: `conversation` (default), `inbox` or `app`.
 * - `theme`: `light`, `dark` or `auto`. `density`: `compact`. `lang`: language tag.
 * - `hide`: names of parts, with spaces between. `readonly`: without composer and changes.
 * - `enter`: what the Enter key does in the composer, `send` or `newline`. Default: the setting of the user.
 *
 * Keys and tokens are properties, never attributes: every script can read the attributes of a document.
 *
 * States: detached -> attached (has a lease of a store) -> detached. Moving it in the document does not end the lease.
 * @example <parlance-panel site="/chat" room="order-17"></parlance-panel>
 */
export class ParlancePanel extends Base {
  /** Attributes that the element follows. */
  static observedAttributes = ATTRIBUTES;

  #store: ChatStore | undefined;
  #session: Session | undefined;
  #token: TokenCallback | undefined;
  /** The same object until a page sets others: parts of the panel start anew with other words. */
  #words: ConversationWords = CONVERSATION_WORDS;
  #lease: (Lease & { readonly login: Login }) | undefined;
  /** The name of the account before that of the browser's login changed. */
  #formerAccount: string | undefined;
  /** Counts connections, so that parts restore what the browser forgets when an element moves. */
  #connections = 0;
  #isScheduled = false;

  /** A store of the page's own. The page starts and stops it. */
  get store(): ChatStore | undefined {
    return this.#store ?? this.#lease?.store;
  }
  /** Uses this store. The page starts and stops it. */
  set store(store: ChatStore | undefined) {
    this.#store = store ?? undefined;
    this.#schedule();
  }

  /** A session from `connect`, with an API key for example. */
  get session(): Session | undefined {
    return this.#session;
  }
  /** Uses this session. */
  set session(session: Session | undefined) {
    this.#session = session ?? undefined;
    this.#schedule();
  }

  /** Fetches a short-lived token, for a chat on another site. */
  get token(): TokenCallback | undefined {
    return this.#token;
  }
  /** Uses tokens from this function. */
  set token(token: TokenCallback | undefined) {
    this.#token = token ?? undefined;
    this.#schedule();
  }

  /** Texts that replace the English ones, all or some. */
  get words(): Partial<Words> {
    return this.#words;
  }
  /** Replaces these texts. */
  set words(words: Partial<Words> | undefined) {
    this.#words = { ...CONVERSATION_WORDS, ...words };
    this.#schedule();
  }

  /** The browser calls it when the element enters the document. */
  connectedCallback(): void {
    for (const name of PROPERTIES) upgrade(this, name);
    this.#connections += 1;
    this.#schedule();
  }

  /** The browser calls it when the element leaves the document. */
  disconnectedCallback(): void {
    this.#schedule();
  }

  /** The browser calls it after a change of an attribute. */
  attributeChangedCallback(): void {
    if (this.isConnected) this.#schedule();
  }

  /** Several changes are rendered once, after the script that made them: it may set properties after insertion. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#show();
      else this.#leave();
    });
  }

  #show(): void {
    const root = this.shadowRoot ?? this.#attach();
    adoptStyles(root);
    const words = this.#words;
    const given = this.getAttribute('site') ?? '/';
    try {
      const site = withoutApiPath(siteOf('site', given, document.baseURI));
      const { store } = this.#leased(site);
      render(
        <Root
          host={this}
          store={store}
          site={site}
          words={words}
          attributes={attributesOf(this)}
          connections={this.#connections}
          dispatch={(name, detail) => this.#dispatch(name, detail)}
          signInAgain={() => this.#signInAgain()}
          formerAccount={this.#formerAccount}
        />,
        root,
      );
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#leave();
      render(
        <p class="notice error-text" role="alert">
          {words.badSite(given)}
        </p>,
        root,
      );
      this.#dispatch('parlance-error', { error });
    }
  }

  #attach(): ShadowRoot {
    const root = this.attachShadow({ mode: 'open' });
    keepTyping(root);
    return root;
  }

  #leased(site: string): Lease {
    const login: Login = { store: this.#store, session: this.#session, token: this.#token, site };
    const before = this.#lease;
    if (before && LOGIN_PROPERTIES.every((key) => before.login[key] === login[key])) return before;
    // The new lease comes first: if both are of the same store, it does not stop in between.
    const { store, release } = leaseStore(login);
    const end = store.status.listen(() => hasOtherAccount(store) && this.#onOtherAccount());
    this.#lease = {
      ...{ login, store },
      release: () => {
        end();
        release();
      },
    };
    before?.release();
    return this.#lease;
  }

  #leave(): void {
    if (this.shadowRoot) render(null, this.shadowRoot);
    this.#lease?.release();
    this.#lease = undefined;
    this.#formerAccount = undefined;
  }

  /** The login is that of another account. A page that gave its own session or store replaces it. */
  #onOtherAccount(): void {
    const name = this.store?.me.get()?.full_name;
    // A store without data would start again and again.
    if (this.#store || this.#session || name === undefined) return;
    // The address names a place of the former account.
    if (this.getAttribute('view') === 'app') history.replaceState(history.state, '', '#inbox');
    this.#startAnew();
    this.#formerAccount = name;
  }

  /** Nothing of the former account stays. */
  #startAnew(): void {
    const lease = this.#lease;
    this.#leave();
    if (lease) endStore(lease.store, lease.login);
    this.#schedule();
  }

  #signInAgain(): void {
    const { store } = this;
    if (store && hasOtherAccount(store)) this.#startAnew();
    else store?.retryNow();
  }

  #dispatch<N extends keyof PanelEvents>(name: N, detail: PanelEvents[N]): boolean {
    const cancelable = name === 'parlance-open';
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }
}

const hasOtherAccount = ({ status }: ChatStore) => isChatError(status.get().error, 'ACCOUNT_CHANGED');

/** A page may have set the property before the module was loaded: the value then hides the accessor. */
function upgrade(element: ParlancePanel, name: (typeof PROPERTIES)[number]): void {
  if (!Object.hasOwn(element, name)) return;
  const value: unknown = Reflect.get(element, name);
  Reflect.deleteProperty(element, name);
  Reflect.set(element, name, value);
}

const attributesOf = (element: HTMLElement): Readonly<Record<string, string>> =>
  Object.fromEntries(ATTRIBUTES.flatMap((name) => [[name, element.getAttribute(name)]]).filter(isPresent));

const isPresent = (entry: (string | null | undefined)[]): entry is [string, string] => entry[1] !== null;

if (globalThis.customElements && !customElements.get(NAME)) customElements.define(NAME, ParlancePanel);

declare global {
  interface HTMLElementTagNameMap {
    'parlance-panel': ParlancePanel;
  }
}

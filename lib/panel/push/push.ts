/** Push notifications of this browser: a click turns them on, and each start of a panel renews them. */
import type { Session } from '../../chat/session.ts';
import { policy } from '../content/safe-html.ts';

/** What the service worker sends to pages. The first waits for an answer on its port. */
export type FromWorker = { parlance: 'is shown?' } | { parlance: 'open'; url: string };

/** The account with push notifications in this browser. Stored for later panels. */
interface Owner {
  user_id: number;
  /** When the server got the subscription last, in milliseconds. */
  at: number;
}

/** The server forgets a browser after 30 days. */
const RENEW_MS = 24 * 3_600_000;

/** Private windows may have no storage. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage, the page asks again, or renews more often.
  }
}

const ownerKey = (site: string) => `parlance-push ${site}`;

export class Push {
  /** Names of what the browser stores, for each chat of the origin. */
  readonly #owner: string;
  readonly #asked: string;

  /** @param script address of the service worker, on the origin of the page */
  constructor(
    private readonly session: Session,
    private readonly script: string,
    site: string,
    private readonly userId: number,
  ) {
    this.#owner = ownerKey(site);
    this.#asked = `parlance-push-asked ${site}`;
  }

  /**
   * Ends the subscription after a logout. When the same account logs in again, `renew` subscribes again.
   */
  static async suspend(script: string, site: string): Promise<void> {
    const key = ownerKey(site);
    const known = stored(key);
    if (!known) return;
    store(key, JSON.stringify({ ...JSON.parse(known), at: 0 } satisfies Owner));
    await (await subscriptionOf(script))?.unsubscribe();
  }

  static isSupported(): boolean {
    return 'PushManager' in globalThis && 'serviceWorker' in navigator && 'Notification' in globalThis;
  }

  get isOn(): boolean {
    return Notification.permission === 'granted' && this.#known?.user_id === this.userId;
  }

  /** Whether a user who has sent a message may be asked: never turned off, refused or asked before. */
  get mayAsk(): boolean {
    return Notification.permission === 'default' && stored(this.#asked) === null;
  }

  noteAsked(): void {
    store(this.#asked, 'true');
  }

  /** Call it on a click: browsers ask for the permission only then. False if the user refuses. */
  async turnOn(): Promise<boolean> {
    this.noteAsked();
    if ((await Notification.requestPermission()) !== 'granted') return false;
    if (new URL(this.script).origin !== location.origin)
      throw new TypeError(`The service worker must be on the origin of the page: ${this.script}`);
    await navigator.serviceWorker.register(policy().createScriptURL(this.script));
    await this.#add();
    return true;
  }

  async turnOff(): Promise<void> {
    this.noteAsked();
    const subscription = await subscriptionOf(this.script);
    store(this.#owner, undefined);
    if (!subscription) return;
    await subscription.unsubscribe();
    await this.session.push.removeBrowser({ endpoint: subscription.endpoint });
  }

  /** Ends the subscription of another account in this browser. Once a day, renews the subscription of this account. */
  async renew(): Promise<void> {
    const known = this.#known;
    if (!known) return;
    if (known.user_id !== this.userId) {
      store(this.#owner, undefined);
      await (await subscriptionOf(this.script))?.unsubscribe();
    } else if (this.isOn && Date.now() - known.at >= RENEW_MS) await this.#add();
  }

  async #add(): Promise<void> {
    const { public_key } = await this.session.push.getWebKey();
    const { pushManager } = await navigator.serviceWorker.ready;
    const present = await pushManager.getSubscription();
    const isCurrent = present && base64url(present.options.applicationServerKey) === public_key;
    if (present && !isCurrent) await present.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: public_key };
    const subscription = isCurrent ? present : await pushManager.subscribe(options);
    const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
    await this.session.push.addBrowser({ endpoint: subscription.endpoint, public_key: p256dh, auth_secret: auth });
    store(this.#owner, JSON.stringify({ user_id: this.userId, at: Date.now() } satisfies Owner));
  }

  get #known(): Owner | null {
    return JSON.parse(stored(this.#owner) ?? 'null');
  }
}

const subscriptionOf = async (script: string) =>
  (await navigator.serviceWorker.getRegistration(script))?.pushManager.getSubscription();

const base64url = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? [])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Answers the service worker: this page shows the chat, and opens messages. Returns a function that ends it. */
export function answerWorker(): () => void {
  const heard = ({ data, ports }: MessageEvent<FromWorker>) => {
    if (data?.parlance === 'is shown?') ports[0]?.postMessage(true);
    if (data?.parlance === 'open' && location.href !== data.url) location.href = data.url;
  };
  navigator.serviceWorker.addEventListener('message', heard);
  // With `addEventListener`, messages wait until this call.
  navigator.serviceWorker.startMessages();
  return () => navigator.serviceWorker.removeEventListener('message', heard);
}

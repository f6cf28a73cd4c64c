import { browserLocks } from './locks.ts';

/** A hidden page keeps its stream for this time, in milliseconds. */
const HIDDEN_GRACE_MS = 1_000;

interface Page {
  readonly document?: EventTarget & { readonly visibilityState: string };
  addEventListener: EventTarget['addEventListener'];
}

/**
 * Whether a tab may hold a connection. HTTP/1.1 allows a browser six to a server, in all its tabs. States: `visible` ->
 * `hidden` -> `chosen`, with the lock of the site, which one hidden tab has -> `visible`. A `hidden` tab may not stream.
 * Tabs share no data: their accounts may differ. Node is always `visible`.
 */
export class StreamPermit {
  isGranted = true;
  /** Only in a hidden page. Aborting it gives up the lock, or the request for it. */
  #hidden: AbortController | undefined;
  #site: string | undefined;

  /** @param onChange the permit has changed, or the user has come to the page */
  constructor(private readonly onChange: () => void) {}

  /** @param signal ends it */
  start(signal: AbortSignal): void {
    const window = globalThis as unknown as Page;
    if (!window.document) return;
    const look = () => this.#look(window.document?.visibilityState === 'hidden');
    window.document.addEventListener('visibilitychange', look, { signal });
    window.addEventListener('focus', this.onChange, { signal });
    signal.addEventListener('abort', () => this.#hidden?.abort());
    look();
  }

  /** The address of the server, from its first response. Before that, a hidden tab has no permit. */
  set site(site: string) {
    if (site === this.#site) return;
    this.#site = site;
    this.#choose();
  }

  #look(isHidden: boolean): void {
    this.#hidden?.abort();
    this.#hidden = isHidden ? new AbortController() : undefined;
    this.isGranted = !isHidden;
    if (!this.#hidden) return this.onChange();
    const timer = setTimeout(() => this.isGranted || this.onChange(), HIDDEN_GRACE_MS);
    this.#hidden.signal.addEventListener('abort', () => clearTimeout(timer));
    this.#choose();
  }

  /** Waits for the lock, and holds it until the page is visible. */
  #choose(): void {
    const signal = this.#hidden?.signal;
    if (!signal || this.#site === undefined) return;
    const stream = () => {
      this.isGranted = true;
      this.onChange();
      return new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const lock = browserLocks()?.request(`parlance stream ${this.#site}`, { signal }, stream);
    lock?.catch(() => undefined);
  }
}

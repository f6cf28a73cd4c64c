/**
 * The service worker of the web app, and of pages with a panel. It shows push notifications, opens their messages, and
 * caches the page of the web app for use offline. A separate script below 3 kB.
 */
import type { FromWorker } from './push.ts';

/** Content of a push message (`lib/domains/push/browsers/send.ts`). */
type Pushed = { badge?: number } & (
  | {
      type: 'message';
      message_id: number;
      tag: string;
      title: string;
      body: string;
      time: number;
      icon?: string;
      url?: string;
    }
  | { type: 'remove'; message_ids: number[] }
);

/** Data of a shown notification. */
interface Kept {
  url?: string;
  ids: number[];
}

// TypeScript cannot use its library for workers together with the library for pages.
interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Page {
  url: string;
  visibilityState: string;
  focus(): Promise<unknown>;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}
interface WorkerEvents {
  install: Event;
  activate: Waiting;
  push: Waiting & { data: { json(): Pushed } | null };
  notificationclick: Waiting & { notification: Notification };
  fetch: Event & { request: Request; respondWith(answer: Promise<Response>): void };
}
interface Worker {
  addEventListener<N extends keyof WorkerEvents>(name: N, listener: (event: WorkerEvents[N]) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

const worker = globalThis as unknown as Worker;
const { registration, clients } = worker;
const pages = () => clients.matchAll({ type: 'window', includeUncontrolled: true });
/** Undefined for notifications of the host page. */
const keptOf = ({ data }: Notification) => ((data as Partial<Kept> | null)?.ids ? (data as Kept) : undefined);

worker.addEventListener('push', (event) => {
  const pushed = event.data?.json();
  if (pushed) event.waitUntil(receive(pushed));
});
worker.addEventListener('notificationclick', (event) => {
  const kept = keptOf(event.notification);
  if (!kept) return;
  event.notification.close();
  event.waitUntil(open(kept.url ?? registration.scope));
});

async function receive(pushed: Pushed): Promise<void> {
  if (pushed.badge !== undefined) void navigator.setAppBadge?.(pushed.badge).catch(() => undefined);
  if (pushed.type === 'remove') return close(new Set(pushed.message_ids));
  // Browsers let a visible page receive a push without a notification.
  if (await isShownInPage()) return;
  const { title, body, tag, icon, url, time, message_id } = pushed;
  const earlier = await registration.getNotifications({ tag });
  const data: Kept = { ...(url && { url }), ids: [...earlier.flatMap((one) => keptOf(one)?.ids ?? []), message_id] };
  const options = { body, tag, data, renotify: true, timestamp: time * 1000, ...(icon && { icon }) };
  await registration.showNotification(title, options);
}

/** Closes notifications without a remaining message. */
async function close(gone: ReadonlySet<number>): Promise<void> {
  for (const notification of await registration.getNotifications()) {
    if (keptOf(notification)?.ids.every((id) => gone.has(id))) notification.close();
  }
}

const ANSWER_MS = 300;

/** Asks visible pages whether they show the chat: a page of the host may have no panel. */
async function isShownInPage(): Promise<boolean> {
  const visible = (await pages()).filter(({ visibilityState }) => visibilityState === 'visible');
  const answers = visible.map(
    (page) =>
      new Promise<boolean>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(true);
        setTimeout(() => resolve(false), ANSWER_MS);
        page.postMessage({ parlance: 'is shown?' }, [port2]);
      }),
  );
  return (await Promise.all(answers)).includes(true);
}

const withoutFragment = (url: string) => url.split('#')[0];

/** In an open window of the page, or in a new one. */
async function open(url: string): Promise<void> {
  const page = (await pages()).find((one) => withoutFragment(one.url) === withoutFragment(url));
  if (!page) return void (await clients.openWindow(url));
  page.postMessage({ parlance: 'open', url });
  await page.focus();
}

const CACHE = 'parlance-shell';
/** The scripts of the web app have a hash in their name. */
const FIXED = /\/static\/[\w.-]+\.[0-9A-Z]{8}\.js$/;

// Only the web app registers the worker with `?app`. Other pages have their own caches.
if (location.search === '?app') {
  worker.addEventListener('install', () => void worker.skipWaiting());
  worker.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const { method, mode, url } = request;
    if (method !== 'GET' || !url.startsWith(registration.scope)) return;
    if (FIXED.test(url)) event.respondWith(fixed(request));
    else if (mode === 'navigate' && withoutFragment(url) === registration.scope) event.respondWith(shell(request));
  });
}

async function fixed(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** The page contains no account data. A new version has new scripts, so it deletes the old ones from the cache. */
async function shell(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) {
      const [text, known] = await Promise.all([answer.clone().text(), caches.match(request)]);
      if (known && (await known.text()) !== text) await caches.delete(CACHE);
      await (await caches.open(CACHE)).put(request, answer.clone());
    }
    return answer;
  } catch (error) {
    const known = await caches.match(request);
    if (known) return known;
    throw error;
  }
}

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { NO_HANDLERS, WITH_PROFILES, watched } from '../client/pages.ts';
import { PushService, type SubscribedBrowser } from '../domains/push/browsers/push-service.ts';
import { running } from '../server/running.ts';
import { until, untilEqual } from '../support/until.ts';
import { untilLive } from './app/app.ts';

/**
 * Chromium's own push service cannot be reached from a test. The subscription is that of the push service of the test,
 * and what arrives there is delivered to the service worker with the protocol of the developer tools.
 */
async function subscribesAt(page: Page, browser: SubscribedBrowser): Promise<void> {
  await page.addInitScript(({ endpoint, public_key, auth_secret }) => {
    let key: Uint8Array | undefined;
    const bytesOf = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    const subscription = {
      endpoint,
      options: {
        get applicationServerKey() {
          return key?.buffer;
        },
      },
      toJSON: () => ({ endpoint, keys: { p256dh: public_key, auth: auth_secret } }),
      unsubscribe: async () => {
        key = undefined;
        return true;
      },
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (key ? subscription : null),
      subscribe: async (options: { userVisibleOnly: boolean; applicationServerKey: string }) => {
        if (!options.userVisibleOnly) throw new Error('userVisibleOnly is required');
        key = bytesOf(options.applicationServerKey);
        return subscription;
      },
    });
  }, browser);
}

/** Delivers a text to the service worker of the page. */
async function delivery(context: BrowserContext, page: Page): Promise<(data: object) => Promise<void>> {
  const tools = await context.newCDPSession(page);
  const registrations: { registrationId: string; scopeURL: string }[] = [];
  tools.on('ServiceWorker.workerRegistrationUpdated', (event) => void registrations.push(...event.registrations));
  await tools.send('ServiceWorker.enable');
  const { registrationId, scopeURL } = (await until('the worker is known', () => registrations[0])) ?? assert.fail();
  const origin = new URL(scopeURL).origin;
  return async (data) => {
    await tools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) });
  };
}

const shownIn = async (page: Page) =>
  // It waits no longer than a page should take.
  (
    await page.waitForFunction(async () => {
      const all = await (await navigator.serviceWorker.ready).getNotifications();
      return all.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url as string }));
    })
  ).jsonValue();

/** In the service worker: the addresses of open pages. */
async function pageUrls(): Promise<string[]> {
  const { clients } = globalThis as unknown as {
    clients: { matchAll(options: object): Promise<{ url: string }[]> };
  };
  return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).map(({ url }) => url);
}

const NO_BROWSER = existsSync(WITH_PROFILES) ? false : `no browser at ${WITH_PROFILES}`;

describe('push notifications in the web app', { skip: NO_BROWSER }, () => {
  it('a user who has sent a message turns them on, gets a message, opens it and reads it', async (t) => {
    const service = await PushService.open(t);
    const { chat, owner, url } = await running(t, {}, { outgoingWebhooks: { allowPrivateAddresses: ['127.0.0.1'] } });
    const { user_id: ben } = await chat.as(owner).users.create({ email: 'ben@example.com', full_name: 'Ben' });
    const { id: channel } = await chat.as(owner).channels.create({ name: 'lunch', subscribers: [owner.user_id, ben] });
    // The shell of the other tests has no notifications.
    const args = ['--no-sandbox', '--disable-gpu'];
    const chrome = await chromium.launch({ executablePath: WITH_PROFILES, args, ...NO_HANDLERS });
    t.after(() => chrome.close());
    const context = await chrome.newContext();
    await context.grantPermissions(['notifications'], { origin: url });
    const { page, complaints } = await watched(context);
    const browser = service.subscribe();
    await subscribesAt(page, browser);
    await page.goto(`${url}/login`);
    await page.locator('#email').fill(owner.email);
    await page.locator('#password').fill('a long password');
    await page.locator('#password').press('Enter');
    await untilLive(page);
    await page.evaluate(() =>
      Object.defineProperty(Notification, 'permission', { get: () => 'default', configurable: true }),
    );
    const question = page.getByText('Get notified of answers on this device?');
    await untilEqual(() => question.isVisible(), false, 'not when the page loads');
    await page.evaluate((id) => {
      location.hash = `#narrow/channel/${id}/topic/soup`;
    }, channel);
    await page.getByRole('textbox').last().fill('Soup?');
    await page.getByRole('textbox').last().press('Control+Enter');
    await question.waitFor();
    await page.evaluate(() => Reflect.deleteProperty(Notification, 'permission'));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await question.waitFor({ state: 'detached' });
    const deliver = await delivery(context, page);

    // A visible page needs no notification.
    const first = await chat.as(ben).messages.send({ type: 'direct', to: [owner.user_id], content: 'Visible' });
    await until('the push service gets it', () => service.received(browser.endpoint).length > 0);
    const [visible] = service.received(browser.endpoint).splice(0);
    await deliver(visible as object);
    await page.waitForTimeout(500);
    assert.deepEqual(await shownIn(page), []);
    await chat.as(owner).messages.updateFlags({ messages: [first.id], op: 'add', flag: 'read' });

    // A page that does not answer is like one of another site.
    await page.goto(`${url}/api/docs`);
    const [worker] = context.serviceWorkers();
    // The page before it may still answer while it is being removed.
    await untilEqual(() => worker?.evaluate(pageUrls), [`${url}/api/docs`]);
    const { id } = await chat
      .as(ben)
      .messages.send({ type: 'direct', to: [owner.user_id], content: '**Soup** is ready' });
    await until('the push service gets it', () =>
      service.received(browser.endpoint).some((one) => one.message_id === id),
    );
    const message = service.received(browser.endpoint).find((one) => one.message_id === id);
    await deliver(message as object);
    await until('the notification is there', async () => (await shownIn(page)).length === 1);
    assert.deepEqual(await shownIn(page), [
      { title: 'Ben', body: 'Soup is ready', tag: message?.tag as string, url: message?.url as string },
    ]);

    // Reading elsewhere closes it.
    await chat.as(owner).messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
    const removal = await until('the removal arrives', () =>
      service
        .received(browser.endpoint)
        .find(({ type, message_ids }) => type === 'remove' && `${message_ids}` === `${id}`),
    );
    await deliver(removal as object);
    await until('the notification is gone', async () => (await shownIn(page)).length === 0);

    // A click opens the message in the open window.
    await page.goto(`${url}/`);
    await untilLive(page);
    await worker?.evaluate(async (data) => {
      const scope = globalThis as unknown as { registration: ServiceWorkerRegistration } & EventTarget;
      await scope.registration.showNotification('x', { tag: 'clicked', data: { url: data, ids: [] } });
      const [notification] = await scope.registration.getNotifications({ tag: 'clicked' });
      const { NotificationEvent } = globalThis as unknown as {
        NotificationEvent: new (name: string, options: object) => Event;
      };
      scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    }, message?.url as string);
    await page.waitForFunction((to) => location.href === to, message?.url);

    // Without a connection, the page opens.
    await context.setOffline(true);
    await page.reload();
    await page.locator('parlance-panel').waitFor({ state: 'attached' });
    await page.waitForFunction(() => customElements.get('parlance-panel') !== undefined);
    await context.setOffline(false);
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text)));

    // The switch in the settings turns it off.
    await page.goto(`${url}/#settings`);
    await page.reload();
    await untilLive(page);
    const check = page.getByLabel('Notify me on this device, also while the chat is closed');
    await untilEqual(() => check.isChecked(), true);
    await check.uncheck();
    await until('the server forgets the browser', async () => {
      const before = service.requests.length;
      await chat.as(ben).messages.send({ type: 'direct', to: [owner.user_id], content: 'off' });
      await chat.runDue();
      return service.requests.length === before;
    });
    // A logout ends it, and another account does not take it over.
    await check.check();
    const stored = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => /^parlance-push http/.test(key)));
    await until('it is on again', async () => (await stored()).length === 1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/login/);
    const before = service.requests.length;
    await chat.as(ben).messages.send({ type: 'direct', to: [owner.user_id], content: 'after the logout' });
    await chat.runDue();
    assert.equal(service.requests.length, before);
    await chat.as(owner).users.setPassword({ user_id: ben, password: 'a long and quiet password' });
    await page.locator('#email').fill('ben@example.com');
    await page.locator('#password').fill('a long and quiet password');
    await page.locator('#password').press('Enter');
    await untilLive(page);
    await until('the former account is forgotten', async () => (await stored()).length === 0);
    assert.deepEqual(complaints, []);
  });
});

/** Shared by the tests of the app. */
import type { TestContext } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type Opened, type PanelSite, panelSite } from '../page.ts';

export const APP = '<parlance-panel site="/chat" view="app"></parlance-panel>';
export const INBOX = '<parlance-panel site="/chat" view="inbox"></parlance-panel>';
export const PHONE: BrowserContextOptions = {
  ...{ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** A chat in which every user has read all messages. */
export async function quietSite(t: TestContext): Promise<PanelSite> {
  const site = await panelSite(t);
  for (const login of ['ada', 'ben', 'cleo'] as const) await site.as(login).messages.markAllRead();
  return site;
}

/** Opens the app for a user, at this address. */
export async function openApp(site: PanelSite, login: string, { fragment = '', ...options }: AppOptions = {}) {
  const opened = await site.open(login, options.panel ?? APP, { ...DESKTOP, ...options });
  if (fragment) await goTo(opened.page, fragment);
  await opened.page.locator('.sidebar').waitFor({ state: 'attached' });
  await untilLive(opened.page);
  return opened;
}

type AppOptions = BrowserContextOptions & { fragment?: string; panel?: string };

export const untilLive = (page: Page) =>
  page.waitForFunction(() => document.querySelector('parlance-panel')?.store?.status.get().state === 'live');

/** As if the user had typed the address. */
export const goTo = (page: Page, fragment: string) =>
  page.evaluate((value) => {
    location.hash = value;
  }, fragment);

export const fragmentOf = ({ page }: Pick<Opened, 'page'>): string => new URL(page.url()).hash;

export const sidebar = (page: Page): Locator => page.getByRole('navigation', { name: 'Conversations' });
export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** The link of the sidebar with this name, without its count. */
export const sidebarLink = (page: Page, name: string): Locator =>
  sidebar(page)
    .getByRole('link')
    .filter({ has: page.getByText(name, { exact: true }) });

/** Opens a menu and chooses this action. */
export async function choose(page: Page, menu: string, action: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).first().click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Sends a message to a topic of the channel `general`. */
export async function say(site: PanelSite, login: 'ada' | 'ben' | 'cleo', topic: string, content: string) {
  const { id } = await site.as(login).messages.send({ type: 'channel', to: site.channelId, topic, content });
  return id;
}

/** The name and text of the focused element, also inside the shadow root. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return `${element?.tagName} ${element?.textContent}`;
  });

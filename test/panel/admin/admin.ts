/** Shared by the tests of administration. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openApp } from '../app/app.ts';
import { axeFindings, type PanelSite } from '../page.ts';

/** Folder for screenshots. Without it, none are taken. */
const SHOTS = process.env.PARLANCE_SHOTS;

/** Opens a section of administration. */
export const openAdmin = (site: PanelSite, login: string, path: string, options: BrowserContextOptions = {}) =>
  openApp(site, login, { fragment: `#organization/${path}`, ...options });

export const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

export const list = (page: Page, name: string): Locator => page.getByRole('list', { name, exact: true });

/** The page has no findings of axe and is not wider than the window. */
export async function assertGood(page: Page, name: string): Promise<void> {
  if (SHOTS) {
    await mkdir(SHOTS, { recursive: true });
    await page.screenshot({ path: `${SHOTS}/${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png` });
  }
  assert.deepEqual(await axeFindings(page), [], name);
  const isWide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth;
  });
  assert.equal(isWide, false, name);
}

/** Chooses an option of a select. */
export const select = (within: Page | Locator, label: string, option: string) =>
  within.getByLabel(label, { exact: true }).selectOption({ label: option });

/** 1 pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

export const PICTURE = { name: 'a.png', mimeType: 'image/png', buffer: PNG };

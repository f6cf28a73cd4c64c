import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_BROWSER } from '../../client/pages.ts';
import { untilEqual } from '../../support/until.ts';
import { quietSite } from '../app/app.ts';
import { assertGood, openAdmin, region } from './admin.ts';

describe('administration of linkifiers and playgrounds', { skip: NO_BROWSER }, () => {
  it('a linkifier is tried with a message, and a bad pattern or URL is explained beside its field', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'links');
    const linkifiers = region(page, 'Linkifiers');
    const pattern = linkifiers.getByLabel('Pattern');
    const url = linkifiers.getByLabel('URL template');
    await pattern.fill('#(?P<id>[0-9]+');
    await url.fill('https://issues.example.com/{id}');
    await linkifiers.getByRole('button', { name: 'Add linkifier' }).click();
    await linkifiers.getByRole('alert').waitFor();
    await untilEqual(() => pattern.getAttribute('aria-invalid'), 'true');
    await pattern.fill('#(?P<id>[0-9]+)');
    await linkifiers.getByRole('button', { name: 'Add linkifier' }).click();
    await linkifiers.getByRole('button', { name: 'Edit #(?P<id>[0-9]+)' }).waitFor();
    await linkifiers.getByLabel('Try the linkifiers').fill('See #12');
    const link = linkifiers.getByRole('status').getByRole('link', { name: '#12' });
    await untilEqual(() => link.getAttribute('href'), 'https://issues.example.com/12');
    await assertGood(page, 'links');
    assert.deepEqual(complaints, []);
  });

  it('a playground is tried with code before it is added', async (t) => {
    const site = await quietSite(t);
    const { page, complaints } = await openAdmin(site, 'ada', 'links');
    const playgrounds = region(page, 'Code playgrounds');
    await playgrounds.getByLabel('Name of the playground').fill('Rust');
    await playgrounds.getByLabel('Language of the code').fill('Rust');
    await playgrounds.getByLabel('URL template of the playground').fill('https://play.example.com/{?code}');
    await playgrounds.getByLabel('Try it with this code').fill('1 + 1');
    await playgrounds.getByText('https://play.example.com/?code=1%20%2B%201').waitFor();
    await playgrounds.getByRole('button', { name: 'Add playground' }).click();
    await playgrounds.getByRole('button', { name: 'Remove Rust' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await playgrounds.getByText('There is no playground.').waitFor();
    assert.deepEqual(complaints, []);
  });
});

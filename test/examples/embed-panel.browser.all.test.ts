import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startBoth } from '../../examples/embed-panel/serve.ts';
import { launched, NO_BROWSER, watched } from '../client/pages.ts';
import { until, untilEqual } from '../support/until.ts';
import { databasePath } from './folder.ts';

const PICTURE = new URL('../../server/pages/images/zulip.png', import.meta.url);
const PORTS = { chatPort: 0, pagePort: 0 };

test('a page of another site shows the chat and fetches a new token when one expires or is refused', {
  skip: NO_BROWSER,
}, async (t) => {
  const { url, chatUrl, chat, close } = await startBoth({
    ...PORTS,
    database: await databasePath(t),
    tokenSeconds: 5,
  });
  t.after(close);
  assert.notEqual(new URL(url).origin, new URL(chatUrl).origin);
  const { context } = await launched(t);
  const { page, complaints } = await watched(context);
  const given: string[] = [];
  await page.route(`${url}/chat-token`, async (route) => {
    const response = await route.fetch();
    given.push(await response.text());
    await route.fulfill({ response });
  });
  await page.goto(url);
  const messages = page.getByRole('article').locator('.rendered_markdown');
  const write = async (text: string) => {
    await page.getByRole('textbox').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await messages.getByText(text).waitFor();
  };
  await write('Where is order 17?');
  assert.deepEqual(await context.cookies(), [], 'the panel has no cookie');

  const ada = chat.as('ada@example.com');
  const channel = { type: 'channel', to: 'Order 17', topic: '' } as const;
  const file = new File([await readFile(PICTURE)], 'parcel.png', { type: 'image/png' });
  const upload = await ada.uploads.send({ file });
  await ada.messages.send({ ...channel, content: `On its way: [parcel.png](${upload.url})` });
  await messages.getByText('On its way').waitFor();
  const picture = page.getByRole('article').getByRole('img', { name: 'parcel.png' });
  await until('the picture is shown', () =>
    picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth !== 0),
  );

  const first = given[0];
  await until(
    'the first token has expired',
    async () => given.some((token) => token !== first) || (await expired(first)),
    // Each refusal counts against the limit of this address.
    { every: 250 },
  );
  await write('Thank you');
  await until('there is a new token', () => given.length > 1);

  const before = given.length;
  await chat.as('ben@example.net').users.regenerateApiKey();
  await write('See you');
  await until('a token that was revoked is replaced', () => given.length > before);
  await untilEqual(() => page.getByRole('article').count(), 4);
  assert.deepEqual(complaints, []);

  async function expired(token = ''): Promise<boolean> {
    const answer = await fetch(`${chatUrl}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
    return answer.status === 401;
  }
});

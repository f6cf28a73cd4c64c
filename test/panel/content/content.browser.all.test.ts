import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { Session } from '../../../lib/index.ts';
import { withLinkPreviews } from '../../../lib/markdown/link-previews.ts';
import { NO_BROWSER, sharedBrowser } from '../../client/pages.ts';
import { until } from '../../support/until.ts';
import { axeFindings } from '../page.ts';
import { bundled, type OpenPage, type PanelServer, panelServer, screenshot } from '../support/panel-page.ts';

/** Globals of the page of these tests. */
interface Offered {
  show(html: string, view?: { me?: number; isMentioned?: boolean; loadsExternal?: boolean }): void;
  notInGrammar(html: string): string[];
  happened: string[];
  violations: string[];
  root: ShadowRoot;
  pwned?: true;
}

const FRAGMENTS = [
  ...[
    '<p>',
    '</p>',
    '<a href="/x">',
    '</a>',
    '<span class="katex">',
    '</span>',
    '<math>',
    '</math>',
    '<mtext>',
    '<svg>',
  ],
  ...['<mglyph>', '<malignmark>', '<annotation encoding="text/html">', '<annotation encoding="application/x-tex">'],
  ...[
    '<table>',
    '<thead>',
    '<tr>',
    '<td style="text-align: left;">',
    '</td>',
    '<td>',
    '</table>',
    '<li>',
    '<h1>',
    '<em>',
  ],
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<textarea>',
    '<title>',
    '<noscript>',
    '<iframe srcdoc="',
    '<template>',
  ],
  ...[
    '<img src="/x.png" onerror="pwned=true">',
    '<img src=x onerror=pwned=true>',
    '<img src="https://a.example/x.png">',
  ],
  ...['<img class="emoji" src="https://a.example/x.png" alt="x">', '<video src="https://a.example/x.mp4"></video>'],
  ...['<img class="emoji" src="/\t/a.example/x.png" alt="x">', '<audio src="//a.example/x.mp3"></audio>'],
  ...[
    '<a href="javascript:pwned=true">',
    '<a href="java&#115;cript:pwned=true">',
    '<a href="&#106;avascript:pwned=true">',
  ],
  ...[
    '<a href="data:text/html,x">',
    '<a href="\u0001javascript:pwned=true">',
    '<a xlink:href="javascript:pwned=true">',
  ],
  ...[
    '<p style="color:red">',
    '<span style="position:fixed">',
    '<div class="codehilite">',
    '<pre>',
    '<code>',
    '</pre>',
    '</div>',
  ],
  ...[
    '<div class="spoiler-block">',
    '<div class="spoiler-header">',
    '<div class="spoiler-content" aria-hidden="true">',
  ],
  ...['<div class="message_inline_image">', '<span class="emoji emoji-1f389">', '<span class="emoji emoji-110000">'],
  ...['<span class="user-mention" data-user-id="5">', '<time datetime="2031-01-01T00:00:00Z">', '<time datetime="x">'],
  ...[
    '<span class="katex-html">',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?x',
    '<',
    '>',
    '"',
    "'",
    '&',
    '&lt;',
    '&#0;',
    '\0',
  ],
  ...[
    'x',
    ' ',
    '\n',
    '/',
    '=',
    '`',
    '<p title="',
    '<p/>',
    '<br/>',
    '<P>',
    '<p\n>',
    '<p onload="pwned=true"',
    '<form action="',
    '<base href="',
  ],
];

describe('the content of messages in a browser', { skip: NO_BROWSER }, () => {
  let browser: Browser;
  let script: string;
  before(async () => {
    [browser, script] = await Promise.all([sharedBrowser(), bundled('test/panel/content/page.ts')]);
  });

  const opened = async (t: Parameters<typeof panelServer>[0]): Promise<PanelServer & OpenPage> => {
    const server = await panelServer(t, script);
    return { ...server, ...(await server.open(browser)) };
  };

  it('runs no script, whatever HTML the server sends', async (t) => {
    const { page, complaints } = await opened(t);
    const html = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FRAGMENTS) }, fc.string()), {
      maxLength: 40,
    });
    const messages = fc.array(
      html.map((parts) => parts.join('')),
      { minLength: 100, maxLength: 100 },
    );
    await fc.assert(
      fc.asyncProperty(messages, async (all) => {
        const found = await page.evaluate((list) => {
          const { show, notInGrammar, root, violations } = globalThis as unknown as Offered;
          const wrong: string[][] = [];
          for (const one of list) {
            const not = notInGrammar(one);
            show(one);
            const handlers = [...root.querySelectorAll('*')].flatMap((element) =>
              element.getAttributeNames().filter((name) => /^(on|style$|srcdoc)/.test(name)),
            );
            if (not.length > 0 || handlers.length > 0) wrong.push([one, ...not, ...handlers]);
          }
          return [...wrong, ...violations];
        }, all);
        assert.deepEqual(found, []);
      }),
      { numRuns: 30 },
    );
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => (globalThis as unknown as Offered).pwned), undefined);
    assert.deepEqual(complaints, []);
  });

  it('shows a message of the largest size and ten thousand nested tags', async (t) => {
    const { page, complaints } = await opened(t);
    const parts = [
      '<p>',
      '<em>',
      '<blockquote>',
      '<div class="spoiler-block">',
      '<table><tr><td>',
      '<span class="user-mention" data-user-id="5">',
      '<math><mrow>',
      '<a href="/x">',
      '<p><em>',
      '<ul><li>',
    ];
    for (const part of parts)
      await page.evaluate((html) => (globalThis as unknown as Offered).show(html), `${part.repeat(10_000)}x`);
    const text = `<p>${'a <em>b</em> '.repeat(10_000)}</p>`;
    await page.evaluate((html) => (globalThis as unknown as Offered).show(html), text);
    assert.equal(
      await page.evaluate(() => (globalThis as unknown as Offered).root.querySelectorAll('em').length),
      10_000,
    );
    assert.deepEqual(complaints, []);
  });

  it('shows what the server renders: mentions, emoji, times, spoilers, code, tables, formulas, links', async (t) => {
    const { page, complaints, chat, owner } = await opened(t);
    const olga = chat.as(owner.user_id);
    await olga.channels.create({ name: 'design', subscribers: [owner.user_id] });
    const content = await rendered(olga, 'design', MARKDOWN);
    await page.evaluate(([html, me]) => (globalThis as unknown as Offered).show(html, { me }), [
      content,
      owner.user_id,
    ] as const);
    const message = page.locator('.rendered_markdown');
    await screenshot(page, 'content');
    assert.deepEqual(await axeFindings(page), []);

    assert.equal(await message.locator('.emoji').first().textContent(), '\u{1f389}');
    assert.equal(await message.locator('.emoji').nth(1).textContent(), '\u2764\ufe0f');
    const time = message.locator('time');
    assert.match((await time.textContent()) ?? '', /2031/);
    assert.equal(await time.getAttribute('title'), '2031-05-06T07:08:00Z');

    const mention = message.getByRole('button', { name: '@Olga' });
    assert.match((await mention.getAttribute('class')) ?? '', /\bown\b/);
    await mention.click();
    await message.getByRole('link', { name: '#design > lunch' }).click();
    assert.deepEqual((await happened(page)).splice(0), [
      `user ${owner.user_id}`,
      'open #narrow/channel/' +
        (await message.locator('.stream-topic').getAttribute('data-stream-id')) +
        '-design/topic/lunch',
    ]);

    const secret = message.getByText('the answer');
    assert.equal(await secret.isVisible(), false);
    await message.getByText('Question').click();
    await secret.waitFor({ state: 'visible' });

    assert.equal(await message.locator('math').count(), 1);
    assert.equal(await message.locator('.katex-html').count(), 0);
    assert.equal(
      await message
        .locator('td')
        .nth(1)
        .evaluate((cell) => getComputedStyle(cell).textAlign),
      'right',
    );
    const link = message.getByRole('link', { name: 'a page' });
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await message.getByRole('button', { name: 'Copy code' }).click();
    await message.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'const a = "b";');
    assert.deepEqual(complaints, []);
  });

  it('loads files of other sites only after a click', async (t) => {
    const { page, complaints, chat, owner } = await opened(t);
    const olga = chat.as(owner.user_id);
    await olga.channels.create({ name: 'design', subscribers: [owner.user_id] });
    const content = await rendered(olga, 'design', OTHERS);
    await page.evaluate((html) => (globalThis as unknown as Offered).show(html), content);
    const message = page.locator('.rendered_markdown');
    assert.equal(await message.locator('img, audio, video').count(), 0);
    assert.deepEqual(await axeFindings(page), []);
    await page.waitForTimeout(100);
    assert.deepEqual(complaints, []);
    await message.getByRole('button', { name: 'Load video from a.example' }).click();
    await message.getByRole('button', { name: 'Load audio from a.example' }).click();
    await message.getByRole('button', { name: 'Load image from a.example' }).click();
    // The policy of the web app refuses them.
    await message.getByText('Could not be loaded: x.png').waitFor();
    assert.equal((await page.evaluate(() => (globalThis as unknown as Offered).violations)).length, 3);
  });

  it('shows the title and description of a linked page, and loads no picture of it', async (t) => {
    const { page, complaints } = await opened(t);
    const url = 'https://a.example/soup';
    const preview = { title: 'Soup of the day', description: 'Hot', image: 'https://a.example/p.png' };
    const html = withLinkPreviews(`<p><a href="${url}">soup</a></p>`, [url], () => preview);
    await page.evaluate((html) => (globalThis as unknown as Offered).show(html), html);
    const message = page.locator('.rendered_markdown');
    await screenshot(page, 'link-preview');
    assert.equal(await message.textContent(), 'soup\nSoup of the dayHot');
    const link = message.getByRole('link', { name: 'Soup of the day' });
    assert.deepEqual(await link.evaluate((element: HTMLAnchorElement) => [element.href, element.target, element.rel]), [
      url,
      '_blank',
      'noopener noreferrer',
    ]);
    // The link of the picture is empty, so the keyboard must not reach it.
    assert.equal(await message.getByRole('link').count(), 2);
    assert.deepEqual(await axeFindings(page), []);
    await page.waitForTimeout(100);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as Offered).violations), []);
  });

  for (const isOtherSite of [false, true])
    it(`shows uploaded images and sound ${isOtherSite ? 'in a page of another site' : 'with reserved space'}`, async (t) => {
      const server = await panelServer(t, script, { isOtherSite });
      const { page, complaints } = await server.open(browser);
      const olga = server.chat.as(server.owner.user_id);
      await olga.channels.create({ name: 'design', subscribers: [server.owner.user_id] });
      const size = { width: 800, height: 400, channels: 3, background: 'teal' } as const;
      const picture = await sharp({ create: size }).png().toBuffer();
      const image = await olga.uploads.send({ file: { name: 'bär.png', type: 'image/png', content: picture } });
      const sound = await olga.uploads.send({ file: { name: 'x.wav', type: 'audio/wav', content: wave() } });
      const content = await rendered(olga, 'design', `[bär](${image.url}) ![song](${sound.url})`);
      await page.evaluate((html) => (globalThis as unknown as Offered).show(html), content);
      const shown = page.locator('.rendered_markdown img');
      await page.waitForFunction(() => (globalThis as unknown as Offered).root.querySelector('img')?.naturalWidth);
      assert.deepEqual(await shown.evaluate((img: HTMLImageElement) => [img.width, img.height, img.alt]), [
        360,
        180,
        'bär',
      ]);
      await page.waitForFunction(() => (globalThis as unknown as Offered).root.querySelector('audio')?.duration);
      const way = isOtherSite ? 'temporary' : 'thumbnail';
      assert.match((await shown.getAttribute('src')) ?? '', new RegExp(`/user_uploads/${way}/.*/840x560.webp$`));
      const link = page.getByRole('link', { name: 'bär' }).first();
      const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
      await opened.waitForURL(isOtherSite ? /\/user_uploads\/temporary\// : /\/user_uploads\/1\//);
      assert.equal(await opened.evaluate(() => document.images.length), 1);
      assert.deepEqual(complaints, []);
    });
});

const MARKDOWN = `@**Olga** :tada: <3 :heart: <time:2031-05-06T07:08:00Z> #**design>lunch** [a page](https://a.example/)

\`\`\`spoiler Question
the answer
\`\`\`

\`\`\`js
const a = "b";
\`\`\`

| left | right |
|:-----|------:|
| a    | b     |

$$x^2$$ and **bold** and \`code\`

# Heading
### Smaller heading

> quoted

1. one
2. two
   * three`;

const OTHERS = `https://a.example/x.png

https://a.example/x.mp4

![x](https://a.example/x.mp3)

https://youtu.be/aaaaaaaaaaa`;

async function rendered(session: Session, channel: string, content: string): Promise<string> {
  const { id } = await session.messages.send({ type: 'channel', to: channel, topic: 'lunch', content });
  // Thumbnails are made after the message was sent.
  return until('the message has its thumbnails', async () => {
    const { message } = await session.messages.get({ message_id: id });
    return message.content.includes('image-loading-placeholder') ? '' : message.content;
  });
}

const happened = (page: OpenPage['page']) => page.evaluate(() => (globalThis as unknown as Offered).happened.splice(0));

/** A tenth of a second of silence. */
function wave(): Buffer {
  const header = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  const length = 800;
  header.writeUInt32LE(36 + length, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.writeUInt32LE(length, 40);
  return Buffer.concat([header, Buffer.alloc(length, 128)]);
}

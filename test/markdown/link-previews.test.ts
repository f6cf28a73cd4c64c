import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailHtml } from '../../lib/markdown/email-html.ts';
import { strictHtml } from '../../lib/markdown/html.ts';
import { keepLinkPreviews, withLinkPreviews } from '../../lib/markdown/link-previews.ts';
import { plainText } from '../../lib/markdown/plain-text.ts';
import { renderMessage } from '../../lib/markdown/render.ts';
import { safeHtml } from '../../lib/panel/content/safe-html.ts';
import { ALLOWED, STRICT, violations } from './allowed.ts';

const PAGE = 'https://a.example/soup';
const SOUP = { title: 'Soup', description: 'Hot', image: 'https://a.example/p.png' };
const EMBED =
  '<div class="message_embed"><a class="message_embed_image" href="https://a.example/soup" style="background-image: url(&quot;https://a.example/p.png&quot;)"></a><div class="data-container"><div class="message_embed_title"><a href="https://a.example/soup" title="Soup">Soup</a></div><div class="message_embed_description">Hot</div></div></div>';

const previewable = (content: string) => renderMessage(content).previewable;
const shown = (content: string, preview = SOUP, urls = previewable(content)) =>
  withLinkPreviews(renderMessage(content).html, urls, () => preview);

test('a preview has the HTML that clients of the API know, at the end of the message', () => {
  assert.equal(shown(PAGE), `<p><a href="${PAGE}">${PAGE}</a></p>\n${EMBED}`);
  const [, ...previews] = shown(`* ${PAGE}\n* b https://b.example/`).split('\n<div class="message_embed">');
  assert.deepEqual(
    previews.map((preview) => / href="(.*?)"/.exec(preview)?.[1]),
    [PAGE, 'https://b.example/'],
  );
});

test('the panel shows a preview without its picture, and strict clients get it as an image', () => {
  const style = / style="background-image: url\(&quot;https:\/\/a.example\/p.png&quot;\)"/;
  assert.equal(safeHtml(EMBED), EMBED.replace(style, ''));
  assert.equal(strictHtml(EMBED), EMBED.replace(/ style="[^"]*">/, '><img src="https://a.example/p.png">'));
});

test('links to pages have previews, but not those in quotes, spoilers and code, and none to files or of other schemes', () => {
  assert.deepEqual(previewable(`[soup](${PAGE}) and ${PAGE} and a.com/x`), [PAGE, 'http://a.com/x']);
  assert.deepEqual(previewable('# https://a.example/1\n| https://a.example/2 |\n|---|\n| b |'), [
    'https://a.example/1',
    'https://a.example/2',
  ]);
  for (const content of [
    `> ${PAGE}`,
    `\`${PAGE}\``,
    `\`\`\`\n${PAGE}\n\`\`\``,
    `\`\`\`spoiler s\n${PAGE}\n\`\`\``,
    `${PAGE}\n\`\`\`spoiler s\n${PAGE}\n\`\`\``,
    `\`\`\`spoiler s\n* a\n\n  > ${PAGE}\n\`\`\`\n> ${PAGE}`,
    'https://a.example/x.png https://a.example/x.mp4 [f](/user_uploads/1/ab/x.pdf) mailto:a@a.example [m](#narrow/near/7)',
    Array.from({ length: 25 }, (_, n) => `https://a.example/${n}`).join(' '),
  ])
    assert.deepEqual(previewable(content), [], content);
});

test('a picture of YouTube gives way to the preview of its page', () => {
  const video = 'https://www.youtube.com/watch?v=abcDEF_-123';
  assert.match(renderMessage(video).html, /youtube-video/);
  const html = shown(video);
  assert.doesNotMatch(html, /youtube-video|ytimg/);
  assert.match(html, /^<p>.*<\/p>\n<div class="message_embed">/);
  assert.match(withLinkPreviews(renderMessage(video).html, [video]), /youtube-video/);
});

test('texts of a page never become markup, also not for strict clients and in the panel', () => {
  const texts = [
    '"><script>alert(1)</script>',
    `&quot;)</div>\n<div class="message_embed">&amp;`,
    '\'");}body{x:y}&#x22;',
    'javascript:alert(1)',
    '<b>x</b>',
  ];
  for (const text of texts) {
    const image = new URL(`https://a.example/${text}?a=1&b=${text}&quot;)`).href.replaceAll('\\', '%5C');
    const html = shown(`${PAGE}?a=1&b=c`, { title: text, description: text, image });
    assert.deepEqual(violations(html, ALLOWED), [], text);
    const strict = strictHtml(html);
    assert.deepEqual(violations(strict, STRICT), [], text);
    assert.match(strict, /<a class="message_embed_image" href="[^"<>]*"><img src="https:\/\/a.example\/[^"<>]*"><\/a>/);
    assert.doesNotMatch(safeHtml(html), /style=|<script|<b>/);
    // The HTML can still be divided into the message and its previews.
    assert.equal(withLinkPreviews(html, []), renderMessage(`${PAGE}?a=1&b=c`).html);
  }
});

test('e-mails and notifications have no previews', () => {
  assert.equal(plainText(shown(`See ${PAGE}`)), `See ${PAGE}`);
  const { html } = renderMessage(`See ${PAGE}`);
  assert.equal(emailHtml(shown(`See ${PAGE}`), 'https://chat.example'), emailHtml(html, 'https://chat.example'));
});

test('a message keeps the previews of its links that have no newer one, and loses all others', () => {
  const html = shown(`${PAGE} https://b.example/`);
  const newer = { ...SOUP, title: 'Stew' };
  const changed = withLinkPreviews(html, [PAGE, 'https://b.example/'], (url) => (url === PAGE ? newer : undefined));
  assert.match(changed, />Stew<.*\n.*>Soup</s);
  const edited = `Edited: ${PAGE}`;
  const kept = keepLinkPreviews(renderMessage(edited).html, html, previewable(edited));
  assert.equal(kept, shown(edited));
  assert.equal(keepLinkPreviews('<p>none</p>', html, []), '<p>none</p>');
  assert.equal(keepLinkPreviews('<p>x</p>', '<p>y</p>', [PAGE]), '<p>x</p>');
});

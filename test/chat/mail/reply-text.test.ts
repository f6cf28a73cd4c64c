import assert from 'node:assert/strict';
import { test } from 'node:test';
import ReplyParser from 'email-reply-parser';
import Turndown from 'turndown';
import { htmlToMarkdown, replyText } from '../../../lib/chat/mail/reply-text.ts';
import { SAMPLES, type Sample } from './samples.ts';

const libraries = { ReplyParser, loadTurndown: async () => Turndown };
const NOTHING_KEPT = { keepsQuotes: false, keepsFooter: false };

const read = async ({ text = '', html }: Pick<Sample, 'text' | 'html'>, terms = NOTHING_KEPT) =>
  replyText(libraries, html === undefined ? text : await htmlToMarkdown(libraries, html, terms), terms);

test('of replies of 50 mail programs and languages, only what the sender wrote remains', async () => {
  assert.ok(SAMPLES.length >= 50);
  for (const sample of SAMPLES) assert.equal(await read(sample), sample.reply, sample.name);
});

test('a text of blank lines takes no longer than others', async () => {
  const start = performance.now();
  const text = `A${'\n'.repeat(40_000)}B${'\r'.repeat(40_000)}C${' \t\r\n'.repeat(4_000)}D`;
  assert.equal(await read({ text }), 'A\n\nB\n\nC\n\nD');
  assert.ok(performance.now() - start < 1_000);
});

test('quotations and signatures remain if the address asks for them', async () => {
  const text = 'Yes.\n\n-- \nBen\n\nOn Fri, Nov 20, 2026 at 9:30 AM Ada <ada@example.com> wrote:\n\n> Really?\n';
  const kept = (keepsQuotes: boolean, keepsFooter: boolean) => read({ text }, { keepsQuotes, keepsFooter });
  assert.equal(await kept(false, false), 'Yes.');
  assert.match(await kept(true, false), /^Yes\.\n[\s\S]*> Really\?$/);
  assert.match(await kept(false, true), /^Yes\.\n\n-- \nBen$/);
  assert.equal(await kept(true, true), text.trim());
});

test('HTML becomes Markdown without scripts, styles and pictures of other servers', async () => {
  const html =
    '<head><title>T</title><style>p{}</style></head><h2>Order</h2><ul><li>two <em>cups</em></li></ul><pre><code>a_b</code></pre><script>alert(1)</script><img src="https://tracker.example.net/1.gif"><img src="cid:1" alt="a cup"><blockquote>said</blockquote><a href="javascript:alert(1)">x</a>';
  const markdown = await read({ html });
  assert.match(markdown, /^## Order\n\n\* {3}two \*cups\*\n\n```\na_b\n```\n\na cup\n/);
  assert.doesNotMatch(markdown, /alert\(1\)<|tracker|p\{\}/);
});

import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { RenderData } from '../../lib/markdown/data.ts';
import { parseMessage, renderMarkdown, renderMessage } from '../../lib/markdown/render.ts';
import { violations } from './allowed.ts';

const DATA: RenderData = {
  users: [
    { id: 10, full_name: 'Ada Byron', is_active: true },
    { id: 4, full_name: 'Blaise Pascal', is_active: true },
    { id: 13, full_name: 'Old Hand', is_active: false },
  ],
  groups: [
    { id: 17, name: 'staff', deactivated: false },
    { id: 18, name: 'old crew', deactivated: true },
  ],
  options: { realmUrl: 'https://chat.example.org' },
};

describe('results of rendering a message', () => {
  it('mentioned users are listed once in ascending order', () => {
    const { mentionedUsers } = renderMessage('@**Ada Byron** @**Blaise Pascal** @**Ada Byron|10**', DATA);
    assert.deepEqual(mentionedUsers, [4, 10]);
  });

  it('silent, quoted, code and deactivated mentions are not listed', () => {
    const text =
      '@_**Ada Byron** `@**Ada Byron**` @**Old Hand** @*old crew* @_*staff*\n> @**Ada Byron** @*staff* @**all**';
    const { mentionedUsers, mentionedGroups, wildcards } = renderMessage(text, DATA);
    assert.deepEqual(mentionedUsers, []);
    assert.deepEqual(mentionedGroups, []);
    assert.deepEqual(wildcards, { channel: false, topic: false });
  });

  it('mentioned groups are listed', () => {
    assert.deepEqual(renderMessage('@*staff* @*nobody*', DATA).mentionedGroups, [17]);
  });

  it('wildcard mentions of channel and topic are reported', () => {
    assert.deepEqual(renderMessage('@**everyone**').wildcards, { channel: true, topic: false });
    assert.deepEqual(renderMessage('@**topic**').wildcards, { channel: false, topic: true });
    assert.deepEqual(renderMessage('@**topic** @**all**').wildcards, { channel: true, topic: true });
  });

  it('links are listed with their text', () => {
    assert.deepEqual(renderMessage('[a](https://a.example) and example.org').links, [
      { url: 'https://a.example', text: 'a' },
      { url: 'http://example.org', text: 'example.org' },
    ]);
  });

  it('uploads are listed once, with relative and absolute links', () => {
    const text =
      '[a](/user_uploads/1/ab/a.pdf) > [a](https://chat.example.org/user_uploads/1/ab/a.pdf)\n' +
      '![b](/user_uploads/1/cd/b.mp3) [c](https://other.example/user_uploads/1/ef/c.pdf)';
    assert.deepEqual(renderMessage(text, DATA).attachmentPaths, ['1/ab/a.pdf', '1/cd/b.mp3']);
  });

  it('/me messages are recognized', () => {
    assert.equal(renderMessage('/me waves').isMe, true);
    assert.equal(renderMessage('/meow').isMe, false);
    assert.equal(renderMessage(' /me waves').isMe, false);
  });

  it('an image link in a description has no preview', () => {
    assert.equal(
      renderMarkdown('see https://a.example/x.png'),
      '<p>see <a href="https://a.example/x.png">https://a.example/x.png</a></p>',
    );
  });

  it('a message whose HTML would be too large is shown as text', () => {
    const { html } = renderMessage('\u{1f680}'.repeat(5_000));
    assert.equal(html, `<p>${'\u{1f680}'.repeat(5_000)}</p>`);
    assert.deepEqual(violations(html), []);
  });
});

describe('formulas', () => {
  for (const tex of [
    'x^2 + \\frac{a}{b}',
    '\\sqrt[3]{x} \\cdot \\vec{v}',
    '\\sum_{i=0}^{n} \\int_0^\\infty',
    '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
    '\\begin{array}{c|c} a & b \\\\ \\hline c & d \\end{array}',
    '\\overbrace{a + b}^{\\text{both}} \\underline{c} \\widehat{abc}',
    '\\left( \\frac{1}{2} \\right] \\xrightarrow{f} \\cancel{x}',
    '\\color{blue} a \\colorbox{#ff0000}{b} \\boxed{c}',
    '\\mathbb{R} \\mathcal{L} \\mathfrak{g} \\operatorname{sn} x',
    '\\rule{1em}{2em} \\hspace{3em} \\raisebox{1em}{a} \\tag{1}',
  ]) {
    it(`the formula ${tex} is laid out`, () => {
      const { html } = renderMessage(`\`\`\`math\n${tex}\n\`\`\``);
      assert.match(html, /^<p><span class="katex-display"><span class="katex">/);
      assert.deepEqual(violations(html), []);
    });
  }

  for (const tex of ['\\rule{9999em}{9999cm}', 'a \\hspace{9999em} b', 'a \\kern{9999em} b', '\\raisebox{9999em}{a}']) {
    it(`the formula ${tex} is laid out with at most 50 em per size`, () => {
      const { html } = renderMessage(`$$${tex}$$`);
      // MathML keeps the sizes as typed; browsers show the HTML after it.
      const [, laidOut = ''] = html.split('</math>');
      const sizes = [...laidOut.matchAll(/:(-?[\d.]+)em/g)].map(([, size]) => Math.abs(Number(size)));
      assert.ok(Math.max(...sizes) >= 50, html);
      assert.ok(Math.max(...sizes) < 60, html);
    });
  }

  it('formulas are laid out within a line of text', () => {
    const { html } = renderMessage('so $$x$$, and **$$y$$**');
    assert.match(html, /^<p>so <span class="katex">.*<\/span>, and <strong><span class="katex">/);
  });

  it('formulas in a math block are shown one by one', () => {
    const { html } = renderMessage('```math\na\n\nb\n```');
    assert.equal(html.match(/katex-display/g)?.length, 2);
  });

  it('links, images and IDs in formulas are ignored', () => {
    for (const command of [
      '\\href{https://a.example}{x}',
      '\\includegraphics{https://a.example/x.png}',
      '\\htmlId{a}{b}',
    ]) {
      assert.doesNotMatch(renderMessage(`$$${command}$$`).html, /<a |<img |\bid=/);
    }
  });
});

describe('parseMessage', () => {
  it('finds users, groups, channels, topics and emoji to look up', () => {
    const text =
      'Ask @**Ada Byron|10**, @_**|4** or @**Blaise Pascal** of @*staff* in #**design>logo** or #**help** :wave: :parrot:';
    assert.deepEqual(parseMessage(text), {
      users: [{ name: 'Ada Byron', id: 10 }, { id: 4 }, { name: 'Blaise Pascal' }],
      groups: ['staff'],
      channels: ['design>logo', 'help', 'design'],
      topics: [{ channel: 'design', topic: 'logo' }],
      uploads: [],
      customEmoji: ['wave', 'parrot'],
    });
  });

  it('leaves out wildcard mentions', () => {
    const { users } = parseMessage('@**all** @**topic** @**constructor**');
    assert.deepEqual(users, [{ name: 'constructor' }]);
  });

  it('finds nothing in plain text', () => {
    const { users, groups, channels, topics, customEmoji } = parseMessage(
      'hello, it is 10:30 and I am ada@example.org',
    );
    assert.deepEqual([users, groups, channels, topics, customEmoji], [[], [], [], [], []]);
  });

  it('finds at most 300 names of each kind', () => {
    const names = Array.from(
      { length: 1000 },
      (_, index) => `@**n${index}** @*g${index}* #**c${index}** :e${index}:`,
    ).join(' ');
    const found = parseMessage(names);
    assert.deepEqual(
      [found.users.length, found.groups.length, found.channels.length, found.customEmoji.length],
      [300, 300, 300, 300],
    );
  });

  it('finds the names that rendering uses', () => {
    const text = '(@**Ada Byron**) [@*staff*](https://a.example)';
    const { users, groups } = parseMessage(text);
    assert.deepEqual([users, groups], [[{ name: 'Ada Byron' }], ['staff']]);
    assert.deepEqual(renderMessage(text, DATA).mentionedGroups, [17]);
  });
});

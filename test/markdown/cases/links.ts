import type { Case } from './case.ts';

/** Schemes of programs that a link may have, in addition to the web and mail. */
export const SCHEMES = [
  ...['ftp', 'file', 'bitcoin', 'geo', 'im', 'irc', 'ircs', 'magnet', 'matrix', 'mms', 'news', 'nntp', 'openpgp4fpr'],
  ...['sip', 'sms', 'smsto', 'ssh', 'tel', 'urn', 'webcal', 'wtai', 'xmpp'],
];

export const LINKS_CASES: readonly Case[] = [
  {
    name: 'a link with a name',
    input: '[the docs](https://docs.example.com/a?b=c&d=e)',
    html: '<p><a href="https://docs.example.com/a?b=c&amp;d=e">the docs</a></p>',
  },
  {
    name: 'a link with a title',
    input: '[a](https://a.example "The *A*")',
    html: '<p><a href="https://a.example" title="The *A*">a</a></p>',
  },
  {
    name: 'angle brackets around the address',
    input: '[a](<https://a.example/x>)',
    html: '<p><a href="https://a.example/x">a</a></p>',
  },
  {
    name: 'parentheses in the address',
    input: '[a](https://a.example/x_(y))',
    html: '<p><a href="https://a.example/x_(y)">a</a></p>',
  },
  {
    name: 'brackets in the name',
    input: '[a [b] c](https://a.example)',
    html: '<p><a href="https://a.example">a [b] c</a></p>',
  },
  {
    name: 'the name is shown unchanged',
    input: '[*a* :smile:](https://a.example)',
    html: '<p><a href="https://a.example">*a* :smile:</a></p>',
  },
  {
    name: 'code in the name',
    input: '[`a`](https://a.example)',
    html: '<p><a href="https://a.example"><code>a</code></a></p>',
  },
  {
    name: 'an empty name shows the address',
    input: '[](https://a.example)',
    html: '<p><a href="https://a.example">https://a.example</a></p>',
  },
  {
    name: 'an address without a scheme is a web address',
    input: '[a](a.example/x)',
    html: '<p><a href="http://a.example/x">a</a></p>',
  },
  {
    name: 'a path',
    input: '[a](/help/start)',
    html: '<p><a href="/help/start">a</a></p>',
  },
  {
    name: 'an anchor on the page',
    input: '[a](#recent)',
    html: '<p><a href="#recent">a</a></p>',
  },
  {
    name: 'mail',
    input: '[a](mailto:ada@a.example)',
    html: '<p><a href="mailto:ada@a.example">a</a></p>',
  },
  {
    name: 'a mail address',
    input: '[a](ada@a.example)',
    html: '<p><a href="mailto:ada@a.example">a</a></p>',
  },
  {
    name: 'spaces in the address',
    input: '[a](https://a.example/x y)',
    html: '<p><a href="https://a.example/x%20y">a</a></p>',
  },
  {
    name: 'a javascript address is refused',
    input: '[a](javascript:alert(1))',
    html: '<p>[a](javascript:alert(1))</p>',
  },
  {
    name: 'a data address is refused',
    input: '[a](data:text/html,x)',
    html: '<p>[a](data:text/html,x)</p>',
  },
  {
    name: 'addresses of unknown schemes are refused',
    input: '[a](vscode://file/x) [b](steam://run/1) [c](view-source:https://a.example) [d](intent:x)',
    html: '<p>[a](vscode://file/x) [b](steam://run/1) [c](view-source:<a href="https://a.example">https://a.example</a>) [d](intent:x)</p>',
  },
  ...SCHEMES.map(
    (scheme): Case => ({
      name: `an address of ${scheme}`,
      input: `[a](${scheme}:+49-30/1?b=2) [c](${scheme.toUpperCase()}:d)`,
      html: `<p><a href="${scheme}:+49-30/1?b=2">a</a> <a href="${scheme}:d">c</a></p>`,
    }),
  ),
  {
    name: 'an address with an allowed scheme is not linked within text',
    input: 'tel:+491 sms:+491 ssh://host',
    html: '<p>tel:+491 sms:+491 ssh://host</p>',
  },
  {
    name: 'a Bitcoin address is linked within text',
    input: 'pay (bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT).',
    html: '<p>pay (<a href="bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT">bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT</a>).</p>',
  },
  {
    name: 'a javascript address in mixed case is refused',
    input: '[a](JaVaScRiPt:alert(1))',
    html: '<p>[a](JaVaScRiPt:alert(1))</p>',
  },
  {
    name: 'two slashes start a host',
    input: '[a](//evil.example)',
    html: '<p><a href="http://evil.example">a</a></p>',
  },
  {
    name: 'two backslashes start a host',
    input: '[a](\\\\evil.example)',
    html: '<p><a href="http://evil.example">a</a></p>',
  },
  {
    name: 'an empty address is not linked',
    input: '[a]()',
    html: '<p>[a]()</p>',
  },
  {
    name: 'a space between name and address',
    input: '[a] (https://a.example)',
    html: '<p>[a] (<a href="https://a.example">https://a.example</a>)</p>',
  },
  {
    name: 'addresses of the own server become relative',
    input: '[a](https://chat.example.org/#narrow/dm/7)',
    data: { options: { realmUrl: 'https://chat.example.org' } },
    html: '<p><a href="#narrow/dm/7">a</a></p>',
  },
  {
    name: 'uploads become relative',
    input: '[a](https://chat.example.org/user_uploads/1/ab/x.pdf)',
    data: { options: { realmUrl: 'https://chat.example.org' } },
    html: '<p><a href="/user_uploads/1/ab/x.pdf">a</a></p>',
  },
  {
    name: 'addresses of other servers stay absolute',
    input: '[a](https://chat.example.org/help)',
    data: { options: { realmUrl: 'https://chat.example.org' } },
    html: '<p><a href="https://chat.example.org/help">a</a></p>',
  },
  {
    name: 'quotation marks in the address',
    input: '[a](https://a.example/"onclick="x)',
    html: '<p><a href="https://a.example/&quot;onclick=&quot;x">a</a></p>',
  },
  {
    name: 'a link in a link is not linked',
    input: '[see https://a.example](https://b.example)',
    html: '<p><a href="https://b.example">see https://a.example</a></p>',
  },
  {
    name: 'an exclamation mark before a link makes it text',
    input: '![a](https://a.example/page)',
    html: '<p>![a](<a href="https://a.example/page">https://a.example/page</a>)</p>',
  },
  {
    name: 'the address of an image in Markdown is linked and previewed',
    input: '![a](https://a.example/x.png)',
    html: '<p>![a](<a href="https://a.example/x.png">https://a.example/x.png</a>)</p>\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div>',
  },
  {
    name: 'an uploaded image in the syntax for images is text',
    input: 'see ![a](/user_uploads/1/ab/x.png "t") [b](https://b.example)',
    html: '<p>see ![a](/user_uploads/1/ab/x.png "t") <a href="https://b.example">b</a></p>',
  },
  {
    name: 'an exclamation mark and a space before a link leave it a link',
    input: 'Oh! [a](https://a.example/page)',
    html: '<p>Oh! <a href="https://a.example/page">a</a></p>',
  },
  {
    name: 'a web address',
    input: 'see https://docs.example.com/a/b?c=d#e now',
    html: '<p>see <a href="https://docs.example.com/a/b?c=d#e">https://docs.example.com/a/b?c=d#e</a> now</p>',
  },
  {
    name: 'http',
    input: 'http://a.example',
    html: '<p><a href="http://a.example">http://a.example</a></p>',
  },
  {
    name: 'a port',
    input: 'http://localhost:9000/x',
    html: '<p><a href="http://localhost:9000/x">http://localhost:9000/x</a></p>',
  },
  {
    name: 'a full stop after',
    input: 'See https://a.example/x.',
    html: '<p>See <a href="https://a.example/x">https://a.example/x</a>.</p>',
  },
  {
    name: 'more punctuation after',
    input: '(https://a.example/x)!',
    html: '<p>(<a href="https://a.example/x">https://a.example/x</a>)!</p>',
  },
  {
    name: 'parentheses within an address',
    input: 'https://a.example/x_(y)',
    html: '<p><a href="https://a.example/x_(y)">https://a.example/x_(y)</a></p>',
  },
  {
    name: 'a comma within an address',
    input: 'https://a.example/1,2,3 yes',
    html: '<p><a href="https://a.example/1,2,3">https://a.example/1,2,3</a> yes</p>',
  },
  {
    name: 'a quotation mark ends an address',
    input: '"https://a.example/x"',
    html: '<p>"<a href="https://a.example/x">https://a.example/x</a>"</p>',
  },
  {
    name: 'an address without a scheme',
    input: 'visit example.org today',
    html: '<p>visit <a href="http://example.org">example.org</a> today</p>',
  },
  {
    name: 'an address with a path',
    input: 'example.org/x/y',
    html: '<p><a href="http://example.org/x/y">example.org/x/y</a></p>',
  },
  {
    name: 'a name that is not a host',
    input: 'main.py and notes.md',
    html: '<p>main.py and notes.md</p>',
  },
  {
    name: 'a version is not a host',
    input: 'v1.2.3',
    html: '<p>v1.2.3</p>',
  },
  {
    name: 'an unknown top-level domain is not linked',
    input: 'file.backup',
    html: '<p>file.backup</p>',
  },
  {
    name: 'a mail address within text',
    input: 'write to ada@example.org.',
    html: '<p>write to <a href="mailto:ada@example.org">ada@example.org</a>.</p>',
  },
  {
    name: 'a mail address in angle brackets',
    input: '<ada@example.org>',
    html: '<p>&lt;<a href="mailto:ada@example.org">ada@example.org</a>&gt;</p>',
  },
  {
    name: 'stars beside an address',
    input: '**https://a.example**',
    html: '<p><strong>https://a.example</strong></p>',
  },
  {
    name: 'stars in an address',
    input: 'https://a.example/**x**',
    html: '<p><a href="https://a.example/**x**">https://a.example/**x**</a></p>',
  },
  {
    name: 'an address in emphasis',
    input: '*see https://a.example ok*',
    html: '<p><em>see <a href="https://a.example">https://a.example</a> ok</em></p>',
  },
  {
    name: 'other schemes are not linked',
    input: 'ftp://a.example irc://b.example',
    html: '<p>ftp://a.example irc://b.example</p>',
  },
  {
    name: 'a scheme before a host',
    input: 'javascript:example.org',
    html: '<p>javascript:<a href="http://example.org">example.org</a></p>',
  },
  {
    name: 'two addresses in a line',
    input: 'https://a.example https://b.example',
    html: '<p><a href="https://a.example">https://a.example</a> <a href="https://b.example">https://b.example</a></p>',
  },
  {
    name: 'an address in code is text',
    input: '`https://a.example`',
    html: '<p><code>https://a.example</code></p>',
  },
  {
    name: 'an ampersand in an address',
    input: 'https://a.example/?a=1&b=2',
    html: '<p><a href="https://a.example/?a=1&amp;b=2">https://a.example/?a=1&amp;b=2</a></p>',
  },
  {
    name: 'unicode in the path',
    input: 'https://a.example/ä/ü',
    html: '<p><a href="https://a.example/ä/ü">https://a.example/ä/ü</a></p>',
  },
  {
    name: 'addresses of the own server within text',
    input: 'https://chat.example.org/#narrow/dm/7',
    data: { options: { realmUrl: 'https://chat.example.org' } },
    html: '<p><a href="#narrow/dm/7">https://chat.example.org/#narrow/dm/7</a></p>',
  },
  {
    name: 'deeply nested parentheses',
    input: 'https://a.example/((((((((((x))))))))))',
    html: '<p>https://a.example/((((((((((x))))))))))</p>',
  },
];

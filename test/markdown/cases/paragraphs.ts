import type { Case } from './case.ts';

export const PARAGRAPHS_CASES: readonly Case[] = [
  {
    name: 'one line',
    input: 'Good morning to everybody here',
    html: '<p>Good morning to everybody here</p>',
  },
  {
    name: 'a line break',
    input: 'The first line\nand the second',
    html: '<p>The first line<br>\nand the second</p>',
  },
  {
    name: 'two paragraphs',
    input: 'Here is one.\n\nHere is another.',
    html: '<p>Here is one.</p>\n<p>Here is another.</p>',
  },
  {
    name: 'several empty lines count as one',
    input: 'Far\n\n\n\napart',
    html: '<p>Far</p>\n<p>apart</p>',
  },
  {
    name: 'lines of spaces are empty',
    input: 'Over\n   \nthere',
    html: '<p>Over</p>\n<p>there</p>',
  },
  {
    name: 'windows line ends',
    input: 'Sent from\r\na desk\r\n\r\nfar away',
    html: '<p>Sent from<br>\na desk</p>\n<p>far away</p>',
  },
  {
    name: 'leading spaces of the first line are removed',
    input: '  a little to the right',
    html: '<p>a little to the right</p>',
  },
  {
    name: 'leading spaces of later lines stay',
    input: 'Indented:\n   three spaces',
    html: '<p>Indented:<br>\n   three spaces</p>',
  },
  {
    name: 'quotation marks are unchanged',
    input: 'She said "it\'s fine"',
    html: '<p>She said "it\'s fine"</p>',
  },
  {
    name: 'characters of markup become text',
    input: 'a < b && c > d',
    html: '<p>a &lt; b &amp;&amp; c &gt; d</p>',
  },
  {
    name: 'character references keep their meaning',
    input: 'Fish &amp; chips &euro; &#8364; &#x20AC;',
    html: '<p>Fish &amp; chips &euro; &#8364; &#x20AC;</p>',
  },
  {
    name: 'an ampersand on its own is text',
    input: 'R&D and AT&T, fine',
    html: '<p>R&amp;D and AT&amp;T, fine</p>',
  },
  {
    name: 'tags are text',
    input: '<b>bold</b> and <br>',
    html: '<p>&lt;b&gt;bold&lt;/b&gt; and &lt;br&gt;</p>',
  },
  {
    name: 'comments are text',
    input: '<!-- nothing to see -->',
    html: '<p>&lt;!-- nothing to see --&gt;</p>',
  },
  {
    name: 'backslashes escape nothing',
    input: '\\*not special\\* and C:\\temp',
    html: '<p>\\<em>not special\\</em> and C:\\temp</p>',
  },
  {
    name: 'underscores are text',
    input: '_no_ __emphasis__ snake_case_name',
    html: '<p>_no_ __emphasis__ snake_case_name</p>',
  },
  {
    name: 'a rule between paragraphs',
    input: 'above\n\n---\n\nbelow',
    html: '<p>above</p>\n<hr>\n<p>below</p>',
  },
  {
    name: 'a rule right after a line',
    input: 'above\n---\nbelow',
    html: '<p>above</p>\n<hr>\n<p>below</p>',
  },
  {
    name: 'a rule of stars',
    input: '* * *',
    html: '<hr>',
  },
  {
    name: 'a rule of underscores',
    input: '___',
    html: '<hr>',
  },
  {
    name: 'two dashes are text',
    input: '--',
    html: '<p>--</p>',
  },
  {
    name: 'headings of every level',
    input: '# One\n## Two\n### Three\n#### Four\n##### Five\n###### Six',
    html: '<h1>One</h1>\n<h2>Two</h2>\n<h3>Three</h3>\n<h4>Four</h4>\n<h5>Five</h5>\n<h6>Six</h6>',
  },
  {
    name: 'seven number signs are not a heading',
    input: '####### Seven',
    html: '<p>####### Seven</p>',
  },
  {
    name: 'a heading needs a space',
    input: '#hashtag is not a heading',
    html: '<p>#hashtag is not a heading</p>',
  },
  {
    name: 'closing number signs of a heading are removed',
    input: '## Plans ##',
    html: '<h2>Plans</h2>',
  },
  {
    name: 'a heading within a paragraph',
    input: 'before\n# Title\nafter',
    html: '<p>before</p>\n<h1>Title</h1>\n<p>after</p>',
  },
  {
    name: 'a heading contains emphasis',
    input: '# The *whole* story',
    html: '<h1>The <em>whole</em> story</h1>',
  },
  {
    name: 'underlining makes no heading',
    input: 'Title\n=====',
    html: '<p>Title<br>\n=====</p>',
  },
  {
    name: '/me stays in the text',
    input: '/me waves',
    html: '<p>/me waves</p>',
  },
  {
    name: 'control characters that the renderer uses are dropped',
    input: 'left\u0002 0\u0003right',
    html: '<p>left 0right</p>',
  },
  {
    name: 'reference definitions are text',
    input: '[docs]: https://docs.example.org/start',
    html: '<p>[docs]: <a href="https://docs.example.org/start">https://docs.example.org/start</a></p>',
  },
  {
    name: 'tabs become spaces',
    input: 'a\tb',
    html: '<p>a   b</p>',
  },
];

import type { Case } from './case.ts';

export const CODE_CASES: readonly Case[] = [
  {
    name: 'code within a line',
    input: 'call `main()` first',
    html: '<p>call <code>main()</code> first</p>',
  },
  {
    name: 'spaces in code stay',
    input: '` x `',
    html: '<p><code> x </code></p>',
  },
  {
    name: 'markup in code is text',
    input: '`**a** <b> &amp; :smile: @**Ada Byron**`',
    html: '<p><code>**a** &lt;b&gt; &amp;amp; :smile: @**Ada Byron**</code></p>',
  },
  {
    name: 'two backticks contain one',
    input: '``a`b``',
    html: '<p><code>a`b</code></p>',
  },
  {
    name: 'a longer opening than its end',
    input: '``a`',
    html: '<p><code>`a</code></p>',
  },
  {
    name: 'code across lines',
    input: '`one\ntwo`',
    html: '<p><code>one\ntwo</code></p>',
  },
  {
    name: 'unclosed',
    input: 'a ` b',
    html: '<p>a ` b</p>',
  },
  {
    name: 'code after a backslash',
    input: '\\`no code`',
    html: '<p>\\`no code`</p>',
  },
  {
    name: 'two pieces of code in a line',
    input: '`a` or `b`',
    html: '<p><code>a</code> or <code>b</code></p>',
  },
  {
    name: 'empty backticks',
    input: '`` nothing',
    html: '<p>`` nothing</p>',
  },
  {
    name: 'a block',
    input: '```\nlet x = 1;\n```',
    html: '<div class="codehilite"><pre><span></span><code>let x = 1;\n</code></pre></div>',
  },
  {
    name: 'a block of tildes',
    input: '~~~\nlet x = 1;\n~~~',
    html: '<div class="codehilite"><pre><span></span><code>let x = 1;\n</code></pre></div>',
  },
  {
    name: 'a block with empty lines',
    input: '```\na\n\nb\n```',
    html: '<div class="codehilite"><pre><span></span><code>a\n\nb\n</code></pre></div>',
  },
  {
    name: 'a block after and before text',
    input: 'before\n```\ncode\n```\nafter',
    html: '<p>before</p>\n<div class="codehilite"><pre><span></span><code>code\n</code></pre></div>\n<p>after</p>',
  },
  {
    name: 'trailing spaces of lines are removed',
    input: '```\na   \n```',
    html: '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>',
  },
  {
    name: 'an unclosed block',
    input: '```\nno end',
    html: '<div class="codehilite"><pre><span></span><code>no end\n</code></pre></div>',
  },
  {
    name: 'an empty block renders nothing',
    input: 'a\n```\n```\nb',
    html: '<p>a</p>\n<p>b</p>',
  },
  {
    name: 'a longer fence contains a shorter one',
    input: '````\n```\n````',
    html: '<div class="codehilite"><pre><span></span><code>```\n</code></pre></div>',
  },
  {
    name: 'the other fence is content',
    input: '```\n~~~\n```',
    html: '<div class="codehilite"><pre><span></span><code>~~~\n</code></pre></div>',
  },
  {
    name: 'markup in a block is text',
    input: '```\n<i>*a*</i> &lt; "q" \'s\'\n```',
    html: '<div class="codehilite"><pre><span></span><code>&lt;i&gt;*a*&lt;/i&gt; &amp;lt; &quot;q&quot; &#39;s&#39;\n</code></pre></div>',
  },
  {
    name: 'indented',
    input: '    four spaces\n    of code',
    html: '<div class="codehilite"><pre><span></span><code>four spaces\nof code\n</code></pre></div>',
  },
  {
    name: 'an indented line after text is text',
    input: 'text\n    more text',
    html: '<p>text<br>\n    more text</p>',
  },
  {
    name: 'an indented block with an empty line',
    input: '    a\n\n    b',
    html: '<div class="codehilite"><pre><span></span><code>a\n\nb\n</code></pre></div>',
  },
  {
    name: 'a language has the name that Pygments gives it',
    input: '```js\n```\n```js\n1\n```',
    html: '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="mi">1</span>\n</code></pre></div>',
  },
  {
    name: 'a language by an alias',
    input: '```py\npass\n```',
    html: '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">pass</span>\n</code></pre></div>',
  },
  {
    name: 'a language regardless of case',
    input: '```SQL\nselect 1\n```',
    html: '<div class="codehilite" data-code-language="SQL"><pre><span></span><code><span class="k">select</span> <span class="mi">1</span>\n</code></pre></div>',
  },
  {
    name: 'an unknown language keeps its name',
    input: '```klingon\nqapla\n```',
    html: '<div class="codehilite" data-code-language="klingon"><pre><span></span><code>qapla\n</code></pre></div>',
  },
  {
    name: 'a language in braces',
    input: '```{.python}\npass\n```',
    html: '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">pass</span>\n</code></pre></div>',
  },
  {
    name: 'a language after spaces',
    input: '```   text\nplain\n```',
    html: '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>plain\n</code></pre></div>',
  },
  {
    name: 'highlighted',
    input: '```python\ndef f(x):\n    return "a"  # done\n```',
    html: '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">def</span> <span class="nf">f</span><span class="p">(</span><span class="n">x</span><span class="p">)</span><span class="p">:</span>\n    <span class="k">return</span> <span class="s">"a"</span>  <span class="c1"># done</span>\n</code></pre></div>',
  },
  {
    name: 'names, operators and punctuation have the classes of Pygments',
    input: '```c\na->b += &c[0];\n```',
    html: '<div class="codehilite" data-code-language="C"><pre><span></span><code><span class="n">a</span><span class="o">-&gt;</span><span class="n">b</span> <span class="o">+=</span> <span class="o">&amp;</span><span class="n">c</span><span class="p">[</span><span class="mi">0</span><span class="p">];</span>\n</code></pre></div>',
  },
  {
    name: 'names have the class that Pygments has in this language',
    input: '```go\nfmt.Println(x)\n```',
    html: '<div class="codehilite" data-code-language="Go"><pre><span></span><code><span class="nx">fmt</span><span class="p">.</span><span class="nx">Println</span><span class="p">(</span><span class="nx">x</span><span class="p">)</span>\n</code></pre></div>',
  },
  {
    name: 'a full stop is an operator in Python',
    input: '```python\na.b: c\n```',
    html: '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="n">a</span><span class="o">.</span><span class="n">b</span><span class="p">:</span> <span class="n">c</span>\n</code></pre></div>',
  },
  {
    name: 'words of a shell and the text of HTML are text',
    input: '```bash\ngrep -v x\n```\n```html\n<i>a = b</i>\n```',
    html: '<div class="codehilite" data-code-language="Bash"><pre><span></span><code>grep -v x\n</code></pre></div>\n<div class="codehilite" data-code-language="HTML"><pre><span></span><code><span class="nt">&lt;<span class="nt">i</span>&gt;</span>a = b<span class="nt">&lt;/<span class="nt">i</span>&gt;</span>\n</code></pre></div>',
  },
  {
    name: 'a keyword in c',
    input: '```c\nreturn 0;\n```',
    html: '<div class="codehilite" data-code-language="C"><pre><span></span><code><span class="k">return</span> <span class="mi">0</span><span class="p">;</span>\n</code></pre></div>',
  },
  {
    name: 'json',
    input: '```json\n{"a": [1, true]}\n```',
    html: '<div class="codehilite" data-code-language="JSON"><pre><span></span><code><span class="p">{</span><span class="na">"a"</span><span class="p">:</span> <span class="p">[</span><span class="mi">1</span><span class="p">,</span> <span class="kc"><span class="k">true</span></span><span class="p">]</span><span class="p">}</span>\n</code></pre></div>',
  },
  {
    name: 'special characters in highlighted code are text',
    input: "```js\nif (a < b && c) s = '<b>';\n```",
    html: '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="k">if</span> <span class="p">(</span><span class="nx">a</span> <span class="o">&lt;</span> <span class="nx">b</span> <span class="o">&amp;&amp;</span> <span class="nx">c</span><span class="p">)</span> <span class="nx">s</span> <span class="o">=</span> <span class="s">\'&lt;b&gt;\'</span><span class="p">;</span>\n</code></pre></div>',
  },
  {
    name: 'the first line names the interpreter',
    input: '```\n#!/bin/bash\necho "a" \'b\' # c\n```',
    html: '<div class="codehilite"><pre><span></span><code><span class="cp">#!/bin/bash</span>\n<span class="nb">echo</span> <span class="s">&quot;a&quot;</span> <span class="s">&#39;b&#39;</span> <span class="c1"># c</span>\n</code></pre></div>',
  },
  {
    name: 'the first line names the interpreter through env',
    input: '```\n#!/usr/bin/env python3\npass\n```',
    html: '<div class="codehilite"><pre><span></span><code><span class="c1">#!/usr/bin/env python3</span>\n<span class="k">pass</span>\n</code></pre></div>',
  },
  {
    name: 'the first line names the language after colons',
    input: '    ::Python\n    pass',
    html: '<div class="codehilite"><pre><span></span><code><span class="o">::</span><span class="n">Python</span>\n<span class="k">pass</span>\n</code></pre></div>',
  },
  {
    name: 'an unknown interpreter highlights nothing',
    input: '```\n#!/opt/<b>\n"x"\n```',
    html: '<div class="codehilite"><pre><span></span><code>#!/opt/&lt;b&gt;\n&quot;x&quot;\n</code></pre></div>',
  },
  {
    name: 'a given language has precedence over the first line',
    input: '```text\n#!/bin/bash\necho "a"\n```',
    html: '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>#!/bin/bash\necho "a"\n</code></pre></div>',
  },
  {
    name: 'php without its opening tag',
    input: '```php\necho $a;\n```',
    html: '<div class="codehilite" data-code-language="PHP"><pre><span></span><code><span class="k">echo</span> <span class="nv">$a</span><span class="p">;</span>\n</code></pre></div>',
  },
  {
    name: 'html+php without an opening tag',
    input: '```html+php\necho $a;\n```',
    html: '<div class="codehilite" data-code-language="HTML+PHP"><pre><span></span><code><span class="k">echo</span> <span class="nv">$a</span><span class="p">;</span>\n</code></pre></div>',
  },
  {
    name: 'php in html',
    input: '```html+php\n<b><?php echo $a; ?>\n```',
    html: '<div class="codehilite" data-code-language="HTML+PHP"><pre><span></span><code><span class="nt">&lt;<span class="nt">b</span>&gt;</span><span class="cp">&lt;?php</span> <span class="k">echo</span> <span class="nv">$a</span><span class="p">;</span> <span class="cp">?&gt;</span>\n</code></pre></div>',
  },
  {
    name: 'text after the language is ignored',
    input: '```a"b\nx\n```',
    html: '<div class="codehilite" data-code-language="a"><pre><span></span><code>x\n</code></pre></div>',
  },
  {
    name: 'backticks around part of a line are code in the line',
    input: '```not a block``` here',
    html: '<p><code>not a block</code> here</p>',
  },
  {
    name: 'a fence must start the line',
    input: '  ```\n  x\n  ```',
    html: '<p><code>\n  x\n  </code></p>',
  },
  {
    name: 'the default language of the organization',
    input: '```\npass\n```',
    data: { options: { defaultCodeBlockLanguage: 'python' } },
    html: '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">pass</span>\n</code></pre></div>',
  },
];

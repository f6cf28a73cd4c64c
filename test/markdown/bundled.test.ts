import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

test('code and formulas are shown as text if a bundler omitted highlight.js and KaTeX', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bundled-'));
  t.after(() => rm(folder, { recursive: true }));
  const outfile = join(folder, 'render.mjs');
  const entry = new URL('../../lib/markdown/render.ts', import.meta.url).pathname;
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' });
  const { renderMarkdown } = (await import(
    pathToFileURL(outfile).href
  )) as typeof import('../../lib/markdown/render.ts');
  assert.equal(
    renderMarkdown('```python\nx = 1\n```'),
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x = 1\n</code></pre></div>',
  );
  assert.equal(renderMarkdown('$$x$$'), '<p><span class="tex-error">$$x$$</span></p>');
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { webFiles } from '../../server/pages/web/build.ts';
import { panelScript } from './page.ts';

/** Gzip. Everything: session, store, Preact, conversation, inbox and app. The design aims at 60,000. */
const MAX_BYTES = 92_950;
/** Uncompressed. */
const MAX_WORKER_BYTES = 3_000;

test('the panel is one file below its size limit and contains nothing of Node', async (t) => {
  const script = await panelScript();
  assert.doesNotMatch(script, /\bBuffer\b|\bprocess\.|setImmediate|node:|\brequire\(|\beval\(|new Function\(/);
  assert.doesNotMatch(script, /\bimport\s*\(|^\s*import\b/m, 'it is one file');
  const bytes = gzipSync(script, { level: 9 }).length;
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
});

test('the service worker is one script below its size limit', async (t) => {
  const script = `${(await webFiles()).get('service-worker.js')}`;
  assert.doesNotMatch(script, /\bimport\b|\bexport\b|\bdocument\./);
  t.diagnostic(`${script.length} bytes`);
  assert.ok(script.length < MAX_WORKER_BYTES, `${script.length} bytes`);
});

test('the panel can be imported without a DOM', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-panel-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'panel.mjs');
  await writeFile(path, await panelScript());
  const { ParlancePanel } = await import(pathToFileURL(path).href);
  assert.equal(typeof ParlancePanel, 'function');
});

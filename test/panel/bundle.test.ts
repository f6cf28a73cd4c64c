import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { webFiles } from '../../server/pages/web/build.ts';
import { WebFiles } from '../../server/pages/web/web-files.ts';

/** Gzip: session, store, Preact and one conversation, without its composer, which loads after the first messages. */
const MAX_CONVERSATION_BYTES = 55_000;
/** Gzip: what loads after that, with the composer. */
const MAX_DEFERRED_BYTES = 18_900;
/** Gzip: until the app shows messages. */
const MAX_APP_BYTES = 70_500;
/** Uncompressed. */
const MAX_WORKER_BYTES = 3_000;

/** Files that a file imports, without those that it imports when they are used. */
const IMPORTS = /(?:from|import)"\.\/(panel-[\w.-]+)"/g;

test('the panel is below its size limits, and fetches other parts when they are used', async (t) => {
  const files = await webFiles();
  const bytesOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(files.get(name) ?? assert.fail(name), { level: 9 }).length, 0);
  const first = [...String(files.get('panel.js')).matchAll(IMPORTS)].map(([, name = '']) => name);
  assert.equal(first.length, 1, 'a conversation is one file');
  assert.doesNotMatch(String(files.get(first[0] as string)), IMPORTS);
  const app = await new WebFiles(async () => files).namesOfApp();
  const [conversation, beginning] = [bytesOf(['panel.js', ...first]), bytesOf(app)];
  const later = new Set([...files.keys()].filter((name) => name.startsWith('panel-deferred.')));
  for (const name of later)
    for (const [, imported = ''] of String(files.get(name)).matchAll(IMPORTS))
      if (imported !== first[0]) later.add(imported);
  const deferred = bytesOf(later);
  t.diagnostic(`${conversation} bytes for a conversation, ${deferred} after it, ${beginning} for the app`);
  assert.ok(conversation < MAX_CONVERSATION_BYTES, `${conversation} bytes for a conversation`);
  assert.ok(deferred < MAX_DEFERRED_BYTES, `${deferred} bytes after a conversation`);
  assert.ok(beginning < MAX_APP_BYTES, `${beginning} bytes for the app`);
});

test('the panel contains nothing of Node', async () => {
  for (const [name, script] of await webFiles())
    assert.doesNotMatch(
      String(script),
      /\bBuffer\b|\bprocess\.|setImmediate|node:|\brequire\(|\beval\(|new Function\(/,
      name,
    );
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
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, script] of await webFiles()) await writeFile(join(folder, name), script);
  const { ParlancePanel } = await import(pathToFileURL(join(folder, 'panel.js')).href);
  assert.equal(typeof ParlancePanel, 'function');
});

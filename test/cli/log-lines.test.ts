import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gatheredLines } from '../../cli/serve/log.ts';
import { until } from '../support/until.ts';

async function opened(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'log');
  const lines = gatheredLines(path);
  const inFile = async (wanted: string) => {
    await until('the lines are in the file', async () => (await readFile(path, 'utf8').catch(() => '')) === wanted);
  };
  return { ...lines, path, inFile };
}

test('a log line is in the file soon, without further lines or a flush', async (t) => {
  const { stream, inFile } = await opened(t);
  stream.write('{"msg":"läuft"}\n');
  await inFile('{"msg":"läuft"}\n');
  stream.write('{"msg":"☂"}\n');
  await inFile('{"msg":"läuft"}\n{"msg":"☂"}\n');
});

test('log lines arrive complete and in order, also many and long ones', async (t) => {
  const { stream, inFile } = await opened(t);
  let all = '';
  for (let n = 0; n < 2_000; n++) {
    const text = ['a', 'é', '☂', '😀'][n % 4] as string;
    const line = `${n} ${text.repeat(n % 400 === 399 ? 20_000 : n % 90)}\n`;
    stream.write(line);
    all += line;
  }
  await inFile(all);
});

test('a flush writes remaining log lines at once', async (t) => {
  const { stream, flush, path, inFile } = await opened(t);
  stream.write('first\n');
  await inFile('first\n');
  stream.write('second\n');
  stream.write('third\n');
  flush();
  assert.equal(readFileSync(path, 'utf8'), 'first\nsecond\nthird\n');
});

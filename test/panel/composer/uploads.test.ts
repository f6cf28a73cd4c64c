import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createChatStore } from '../../../lib/client/store/chat-store.ts';
import { localFiles } from '../../../lib/index.ts';
import { textOf } from '../../../lib/panel/composer/text.ts';
import { MAX_FILES, Uploads } from '../../../lib/panel/composer/uploads.ts';
import { CONVERSATION_WORDS } from '../../../lib/panel/words/conversation-words.ts';
import { TOOLS_WORDS } from '../../../lib/panel/words/tools-words.ts';
import { testChat } from '../../../lib/testing/testing.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { until } from '../../support/until.ts';

const MIB = 1024 * 1024;

/** A file whose read waits until the test releases it or makes it fail. */
class HeldFile extends File {
  #reading: Promise<void> = Promise.resolve();
  release: () => void = () => undefined;
  break: () => void = () => undefined;

  constructor(name: string) {
    super(['soup'], name, { type: 'text/plain' });
    this.hold();
  }

  hold(): void {
    this.#reading = new Promise<void>((resolve, reject) => {
      this.release = resolve;
      this.break = () => reject(new Error('The disk is gone.'));
    });
    this.#reading.catch(() => undefined);
  }

  override stream() {
    const start = () => this.#reading;
    return new Blob(['soup']).stream().pipeThrough(new TransformStream({ start })) as ReturnType<File['stream']>;
  }
}

async function uploading(t: TestContext, names: readonly string[]) {
  const folder = await mkdtemp(join(memoryFolder(), 'uploads-'));
  const { people, close } = await testChat({ files: localFiles(folder), maxUploadMebibytes: 1 });
  const store = createChatStore(people.ada, { storage: null });
  t.after(async () => {
    for (const file of files) file.release();
    await store.stop();
    await close();
    // A released file may still be written.
    await rm(folder, { recursive: true, maxRetries: 5 });
  });
  store.start();
  await until('the store knows the organization', () => store.organization.get());
  const said: string[] = [];
  const text = textOf('');
  const uploads = new Uploads(text, {
    store,
    words: { ...CONVERSATION_WORDS, ...TOOLS_WORDS },
    announce: (one) => said.push(one),
  });
  const files = names.map((name) => new HeldFile(name));
  text.set(uploads.add(files));
  const stateOf = (name: string) => uploads.list.find((upload) => upload.name === name)?.state ?? 'ended';
  /** Waits until the files have these states. */
  const statesAre = (wanted: Record<string, string>) =>
    until(`the uploads are ${JSON.stringify(wanted)}`, () =>
      Object.entries(wanted).every(([name, state]) => stateOf(name) === state),
    );
  const fileNamed = (name: string) => files.find((file) => file.name === name) ?? assert.fail(name);
  const idOf = (name: string) => uploads.list.find((upload) => upload.name === name)?.id ?? assert.fail(name);
  return { uploads, text, said, statesAre, fileNamed, idOf };
}

type Uploading = Awaited<ReturnType<typeof uploading>>;

describe('uploads of a draft', () => {
  /** How one of three running uploads ends. The fourth then starts. */
  const ENDS: Record<string, { end(uploads: Uploading): void; state: string; text: RegExp }> = {
    'is complete': {
      end: ({ fileNamed }) => fileNamed('b').release(),
      state: 'ended',
      text: /^\[a …\]\(\)\n\[b\]\(\/user_uploads\/\S+\)\n\[c …\]\(\)\n\[d …\]\(\)$/,
    },
    'is removed': {
      end: ({ uploads, idOf }) => uploads.remove(idOf('b')),
      state: 'ended',
      text: /^\[a …\]\(\)\n\n\[c …\]\(\)\n\[d …\]\(\)$/,
    },
    fails: {
      end: ({ fileNamed }) => fileNamed('b').break(),
      state: 'failed',
      text: /^\[a …\]\(\)\n\[b …\]\(\)\n\[c …\]\(\)\n\[d …\]\(\)$/,
    },
  };
  for (const [how, { end, state, text }] of Object.entries(ENDS))
    it(`run three at a time, and the next one starts when one ${how}`, async (t) => {
      const all = await uploading(t, ['a', 'b', 'c', 'd']);
      await all.statesAre({ a: 'sending', b: 'sending', c: 'sending', d: 'waiting' });
      end(all);
      await all.statesAre({ a: 'sending', b: state, c: 'sending', d: 'sending' });
      assert.match(all.text.get(), text);
    });

  it('can be removed while they wait, and retried after a failure', async (t) => {
    const { uploads, statesAre, fileNamed, idOf, text } = await uploading(t, ['a', 'b', 'c', 'd']);
    await statesAre({ d: 'waiting' });
    uploads.remove(idOf('d'));
    fileNamed('a').break();
    await statesAre({ a: 'failed', d: 'ended' });
    assert.equal(uploads.finish(), false);
    fileNamed('a').hold();
    uploads.retry(idOf('a'));
    for (const name of ['a', 'b', 'c']) fileNamed(name).release();
    await statesAre({ a: 'ended', b: 'ended', c: 'ended' });
    assert.match(text.get().trim(), /^(\[[abc]\]\(\/user_uploads\/\S+\)\s*){3}$/);
    assert.equal(uploads.finish(), true);
  });

  for (const [bytes, isRefused] of [
    [MIB, false],
    [MIB + 1, true],
  ] as const)
    it(`of ${bytes} bytes are ${isRefused ? 'refused' : 'sent'} if the limit is 1 MiB`, async (t) => {
      const { uploads, said } = await uploading(t, []);
      uploads.add([new File([new Uint8Array(bytes)], 'a')]);
      assert.deepEqual(
        uploads.list.map(({ state, mayRetry }) => [state, mayRetry]),
        [isRefused ? ['failed', false] : ['waiting', true]],
      );
      assert.deepEqual(said, isRefused ? [TOOLS_WORDS.uploadTooLarge('a', 1)] : []);
      await until('the upload ends', () => isRefused || uploads.list.length === 0);
    });

  it('are at most twenty at a time', async (t) => {
    const { uploads, said } = await uploading(t, []);
    const files = Array.from({ length: MAX_FILES + 1 }, (_, at) => new File(['soup'], `${at}`));
    uploads.add(files.slice(1));
    assert.deepEqual([uploads.list.length, said], [MAX_FILES, []]);
    uploads.add(files);
    assert.deepEqual([uploads.list.length, said], [2 * MAX_FILES, [TOOLS_WORDS.uploadsTooMany(MAX_FILES)]]);
    await until('all uploads end', () => uploads.list.length === 0);
  });
});

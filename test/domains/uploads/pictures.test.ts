import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PictureQueue } from '../../../lib/domains/uploads/pictures.ts';
import { type Images, localFiles } from '../../../lib/index.ts';
import { BadImage } from '../../../lib/internal.ts';
import { running } from '../../server/running.ts';
import { until } from '../../support/until.ts';
import { png } from '../../world/pictures.ts';

const unused = () => Promise.reject(new Error('This is not asked for.'));

/** A chat with these image functions. */
async function drawing(t: TestContext, images: Pick<Images, 'thumbnail'>) {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const measure = async () => ({ width: 3, height: 1, frames: 1 });
  const served = await running(
    t,
    {},
    { files: localFiles(folder), images: { emoji: unused, avatar: unused, measure, ...images } },
  );
  const session = served.chat.as(served.owner.user_id);
  const picture = async () => {
    const { url } = await session.uploads.send({ file: new File([png], 'tiny.png', { type: 'image/png' }) });
    return { url, thumbnail: `${url.replace('/user_uploads', '/user_uploads/thumbnail')}/840x560.webp` };
  };
  return { ...served, session, picture };
}

test('a damaged picture is decoded once for all requests of its thumbnail', async (t) => {
  let attempts = 0;
  const thumbnail = () => {
    attempts++;
    return Promise.reject(new BadImage('The picture is damaged.'));
  };
  const { send, picture } = await drawing(t, { thumbnail });
  const damaged = await picture();
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('GET', damaged.thumbnail)));
  answers.push(await send('GET', damaged.thumbnail));
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    answers.map(() => [400, 'BAD_IMAGE']),
  );
  assert.equal(attempts, 1);
});

test('a picture uploaded while many thumbnails wait is measured in its turn', async (t) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { send, session, picture } = await drawing(t, {
    thumbnail: async () => {
      await released;
      return new Uint8Array(3);
    },
  });
  const pictures = [await picture(), await picture()];
  const waiting = Array.from({ length: 110 }, (_, at) => send('GET', pictures[at % 2]?.thumbnail ?? ''));
  const another = () => Promise.race([send('GET', pictures[0]?.thumbnail ?? ''), sleep(50)]);
  await until('one image above the limit is refused', async () => (await another())?.status === 429);
  const sending = picture();
  release();
  const { url } = await sending;
  const { rendered } = await session.messages.render({ content: `[it](${url})` });
  assert.match(rendered, /data-original-dimensions="3x1"/);
  const statuses = new Set((await Promise.all(waiting)).map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), [200, 429]);
});

const sleep = (milliseconds: number) => new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds));

test('image work alternates between users, and each user has a limit of waiting images', async () => {
  const turns = new PictureQueue();
  const order: string[] = [];
  const run = (asker: number, name: string) =>
    turns.run(asker, async () => {
      order.push(name);
      await sleep(0);
    });
  const mine = Array.from({ length: 101 }, (_, at) => run(1, `mine ${at}`));
  await assert.rejects(async () => run(1, 'one too many'), { code: 'RATE_LIMIT_HIT' });
  await Promise.all([run(2, 'another'), run(3, 'a third')]);
  assert.deepEqual(order.slice(0, 4), ['mine 0', 'mine 1', 'another', 'a third']);
  await Promise.all(mine);
  assert.equal(order.length, 103);
});

test('failed work on an image does not delay the next image', async () => {
  const turns = new PictureQueue();
  const failing = turns.run(1, () => Promise.reject(new BadImage('The picture is damaged.')));
  const next = turns.run(1, async () => 'done');
  await assert.rejects(failing, { code: 'BAD_IMAGE' });
  assert.equal(await next, 'done');
});

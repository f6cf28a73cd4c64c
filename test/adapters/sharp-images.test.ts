import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { running } from '../server/running.ts';

test('a user logs in while 12 large images wait to be resized', async (t) => {
  const { chat, owner, send } = await running(t);
  const slow = sharp({ create: { width: 3_000, height: 3_000, channels: 4, background: 'red' } });
  const file = new Blob([new Uint8Array(await slow.png({ progressive: true }).toBuffer())]);
  let done = 0;
  const uploads = Array.from({ length: 12 }, async (_, at) => {
    await chat.as(owner.user_id).customEmoji.upload({ emoji_name: `slow${at}`, file });
    done++;
  });
  await Promise.race(uploads);

  const form = { username: owner.email, password: 'a long password' };
  assert.equal((await send('POST', '/api/v1/fetch_api_key', { auth: null, form })).status, 200);

  assert.ok(done < uploads.length / 2, `${done} images came first`);
  await Promise.all(uploads);
});

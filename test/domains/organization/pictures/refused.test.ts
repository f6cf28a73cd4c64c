import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testChat } from '../../../../lib/testing/testing.ts';

test('the server decodes no icon and no logo of a member', async (t) => {
  const decoded: string[] = [];
  const decoder = (name: string) => async () => {
    decoded.push(name);
    throw new Error('This decoder is not for members.');
  };
  const images = {
    emoji: decoder('emoji'),
    avatar: decoder('avatar'),
    measure: decoder('measure'),
    thumbnail: decoder('thumbnail'),
  };
  const { people, close } = await testChat({ images });
  t.after(close);
  const file = new File(['GIF89a'], 'a.gif');
  for (const upload of ['uploadIcon', 'uploadLogo'] as const)
    await assert.rejects(people.emil.organization[upload]({ file }), { code: 'UNAUTHORIZED_PRINCIPAL' });
  assert.deepEqual(decoded, []);
});

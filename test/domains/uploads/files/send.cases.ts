import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { isSince } from '../../../world/matching.ts';
import { png } from '../../../world/pictures.ts';

const addressed = (ending: string) => new RegExp(`^/user_uploads/1/[0-9a-f]{1,2}/[\\w-]{24}/${ending}$`);

/** The name of a file in its URL, and its stored name. */
const named = (given: string, ending: string, filename = given): Case => ({
  name: `a file called ${JSON.stringify(given)} gets a safe name`,
  as: 'hamlet',
  call: ['uploads.send', { file: new File(['x'], given) }],
  returns: { url: addressed(ending), uri: addressed(ending), filename },
});

const typed = (name: string, file: File, type: string): Case => ({
  name,
  as: 'hamlet',
  call: ['uploads.send', { file }],
  state: async ({ as }, { url }) => assert.equal((await as('hamlet').download(url)).type, type),
});

export const sendUploadCases = cases('uploads.send', [
  {
    name: 'a file is stored, and only its sender gets the event',
    as: 'hamlet',
    call: ['uploads.send', { file: new File(['To be'], 'my plan.txt') }],
    returns: { url: addressed('my-plan\\.txt'), filename: 'my plan.txt' },
    events: (world) => ({
      hamlet: [
        {
          type: 'attachment',
          op: 'add',
          attachment: {
            id: 1,
            name: 'my plan.txt',
            path_id: /^1\/[0-9a-f]{1,2}\/[\w-]{24}\/my-plan\.txt$/,
            size: 5,
            create_time: (ms: number) => isSince(world.clock)(Math.floor(ms / 1000)),
            messages: [],
          },
          upload_space_used: 5,
        },
      ],
      owner: [],
      cordelia: [],
    }),
    state: async ({ as }, { url }) => {
      const { name, size, content } = await as('hamlet').download(url);
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      assert.deepEqual([name, size, Buffer.concat(pieces).toString()], ['my plan.txt', 5, 'To be']);
      await assert.rejects(as('owner').download(url), { status: 404 });
    },
  },
  { name: 'a guest can upload a file', as: 'guest', call: ['uploads.send', { file: new File(['x'], 'a') }] },
  { name: 'a bot can upload a file', as: 'bot', call: ['uploads.send', { file: new File(['x'], 'a') }] },
  {
    name: 'an empty file is accepted',
    as: 'hamlet',
    call: ['uploads.send', { file: new File([], 'nothing') }],
    returns: { url: addressed('nothing') },
  },
  {
    name: 'a request without a file is refused with the words that released clients look for',
    as: 'hamlet',
    call: ['uploads.send', {}],
    refuses: { code: 'BAD_REQUEST', says: /You must specify a file to upload/ },
  },
  {
    name: 'a text instead of a file is refused',
    as: 'hamlet',
    call: ['uploads.send', { file: 'plan.txt' }],
    refuses: { code: 'BAD_REQUEST', says: /must be a file|specify a file/ },
  },
  named('Übergröße ½.pdf', 'Übergröße-12\\.pdf'),
  named('計画.txt', '計画\\.txt'),
  named('a%20b.txt', 'a-b\\.txt', 'a b.txt'),
  named('100%.txt', '100\\.txt'),
  named('a  - b.txt', 'a-b\\.txt'),
  named('<script>.html', 'script\\.html'),
  named('..', 'uploaded-file'),
  named('%2e%2e%2f', 'uploaded-file', 'uploaded-file'),
  named('..\\..\\etc/passwd', 'passwd', 'passwd'),
  named('\u202egnp.exe', 'gnp\\.exe', 'gnp.exe'),
  named(`${'ä'.repeat(200)}.pdf`, 'ä{98}\\.pdf'),
  typed('a file has the media type of the request', new File(['x'], 'a.bin', { type: 'audio/flac' }), 'audio/flac'),
  typed('a generic media type is replaced by that of the file name', new File(['x'], 'a.pdf'), 'application/pdf'),
  typed(
    'a file without a known media type is application/octet-stream',
    new File(['x'], 'a'),
    'application/octet-stream',
  ),
  typed('an invalid media type is ignored', new File(['x'], 'a.md', { type: 'text' }), 'text/markdown'),
  {
    name: 'a file with an image type is checked for its real type',
    as: 'hamlet',
    call: ['uploads.send', { file: new File([png], 'tiny.png', { type: 'image/png' }) }],
    state: async ({ as, channels }, { url }) => {
      const content = `[tiny](${url})`;
      const { rendered } = await as('hamlet').messages.render({ content });
      assert.match(rendered, /<img data-original-content-type="image\/png" data-original-dimensions="\d+x\d+" src="/);
      const { url: text } = await as('hamlet').uploads.send({
        file: new File(['no'], 'no.png', { type: 'image/png' }),
      });
      assert.doesNotMatch((await as('hamlet').messages.render({ content: `[no](${text})` })).rendered, /<img/);
      assert.ok(channels.public > 0);
    },
  },
]);

import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { posted, temporary, uploaded } from '../../../world/uploads.ts';
import type { World } from '../../../world/world.ts';

const urls = new WeakMap<World, string>();
const asked = (world: World) => temporary(urls.get(world) ?? '');

const returned = (name: string, as: UserName, given: (world: World) => Promise<string>): Case => ({
  name,
  as,
  given: async (world) => urls.set(world, await given(world)),
  call: ['uploads.getTemporaryUrl', asked],
  returns: (world) => ({
    url: (url: string) =>
      /^\/user_uploads\/temporary\/\d+-[0-9a-f]{64}\//.test(url) &&
      url.endsWith((urls.get(world) ?? '').replace('/user_uploads', '')),
  }),
});

const refused = (name: string, as: UserName, status: number, given: (world: World) => Promise<string>): Case => ({
  name,
  as,
  given: async (world) => urls.set(world, await given(world)),
  call: ['uploads.getTemporaryUrl', asked],
  refuses: { code: 'BAD_REQUEST', status, says: /^There is no such file, or you may not read it\.$/ },
});

export const temporaryUrlCases = cases('uploads.getTemporaryUrl', [
  returned('a user gets a temporary URL of their own file', 'hamlet', ({ as }) => uploaded(as('hamlet'), 'säge.txt')),
  returned(
    'a user gets a temporary URL of a file in a message they can read',
    'cordelia',
    async (world) => (await posted(world, 'hamlet', 'public')).url,
  ),
  refused('a file that no message links to is refused to another user', 'owner', 404, ({ as }) =>
    uploaded(as('hamlet')),
  ),
  refused('a file in a message the caller cannot read is refused', 'cordelia', 404, async (world) => {
    return (await posted(world, 'hamlet', 'shared')).url;
  }),
  refused('a missing file is refused', 'hamlet', 404, async () => `/user_uploads/1/a/${'x'.repeat(24)}/a.txt`),
  refused('a URL that is not a file address is refused', 'hamlet', 404, async () => '/user_uploads/1/../../secret'),
  refused('a file under another name is refused', 'hamlet', 404, async ({ as }) =>
    (await uploaded(as('hamlet'))).replace('plan.txt', 'plan.html'),
  ),
]);

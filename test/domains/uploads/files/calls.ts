import { pathIdOf } from '../../../../lib/rules/uploads.ts';
import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';
import { UNSEEN } from '../../../world/calls.ts';
import { newestId, posted, temporary, uploaded } from '../../../world/uploads.ts';

const file = new File(['To be'], 'plan.txt');

export const matrix: PlainCalls = {
  'uploads.send': () => ({ file }),
  'uploads.getTemporaryUrl': async (world) => temporary((await posted(world, 'hamlet', 'public')).url),
  'uploads.list': () => ({}),
  'uploads.remove': async (world) => {
    await uploaded(world.as('hamlet'));
    return { attachment_id: await newestId(world, 'hamlet') };
  },
};

export const changes: Changes = {
  'uploads.send': UNSEEN,
  'uploads.remove': UNSEEN,
};

export const statements: ScalingCalls = {
  'uploads.send': ({ world }) => world.as('hamlet').uploads.send({ file }),
  'uploads.list': ({ world }) => world.as('hamlet').uploads.list(),
  'uploads.getTemporaryUrl': async ({ world, crowded }) => {
    const url = await uploaded(world.as('hamlet'));
    const content = `[it](${url})`;
    await world.as('hamlet').messages.send({ type: 'channel', to: crowded, topic: 'files', content });
    await world.as('cordelia').uploads.getTemporaryUrl(temporary(url));
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  const files = await Promise.all(users.map(({ id }) => tx.uploads.ofOwner(id, Number.MAX_SAFE_INTEGER, 100)));
  const all = files.flat();
  return [
    all.map(pathIdOf),
    await tx.uploads.newestClaims(
      all.map(({ id }) => id),
      100,
    ),
    await tx.uploads.spaceUsed(),
  ];
};

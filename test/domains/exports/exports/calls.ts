import { type Changes, type PlainCalls, type Stored, UNSEEN } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

/** Without its file. */
export const finishedExport = ({ storage, users }: World): Promise<number> =>
  storage.write(async (tx) => {
    const id = await tx.dataExports.create({ acting_user_id: users.owner, export_type: 1, created_ms: 1_000 });
    await tx.dataExports.begin(id, '1/ab/AAAAAAAAAAAAAAAAAAAAAAAA');
    await tx.dataExports.finish(id, { fileKey: '1/ab/AAAAAAAAAAAAAAAAAAAAAAAA', size: 7 }, 2_000);
    return id;
  });

export const matrix: PlainCalls = {
  'exports.create': () => ({ export_type: 1 }),
  'exports.list': () => ({}),
  'exports.remove': async (world) => ({ export_id: await finishedExport(world) }),
  'exports.listConsents': () => ({}),
};

export const changes: Changes = {
  'exports.create': UNSEEN,
  'exports.remove': UNSEEN,
};

export const stored: Stored = (tx) => tx.dataExports.list(100);

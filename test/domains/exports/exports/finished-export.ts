import type { World } from '../../../world/world.ts';

/** Without its file. */
export const finishedExport = ({ storage, users }: World): Promise<number> =>
  storage.write(async (tx) => {
    const id = await tx.dataExports.create({ acting_user_id: users.owner, export_type: 1, created_ms: 1_000 });
    await tx.dataExports.begin(id, '1/ab/AAAAAAAAAAAAAAAAAAAAAAAA');
    await tx.dataExports.finish(id, { fileKey: '1/ab/AAAAAAAAAAAAAAAAAAAAAAAA', size: 7 }, 2_000);
    return id;
  });

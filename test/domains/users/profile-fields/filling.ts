import type { Params } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

export const OPTIONS = { 0: { text: 'Vegan', order: '1' }, 1: { text: 'Meat', order: '2' } };

type Field = Omit<Parameters<ReturnType<World['as']>['profileFields']['create']>[0], 'name'> & { name?: string };

/** Adds fields that are named like their keys, and keeps their IDs. */
export async function addFields<K extends string>(world: World, fields: Record<K, Field>): Promise<Record<K, number>> {
  const ids = {} as Record<K, number>;
  for (const [name, field] of Object.entries<Field>(fields)) {
    const { id } = await world.as('owner').profileFields.create({ name, ...field });
    ids[name as K] = id;
    world.kept[name] = id;
  }
  return ids;
}

/** One field of each type, and one that only administrators can edit. */
export const fields = (world: World) =>
  addFields(world, {
    short: { field_type: 1 },
    long: { field_type: 2 },
    list: { field_type: 3, field_data: OPTIONS },
    date: { field_type: 4 },
    link: { field_type: 5 },
    people: { field_type: 6 },
    account: { field_type: 7, field_data: { subtype: 'github' } },
    pronouns: { field_type: 8 },
    closed: { field_type: 1, editable_by_user: false },
  });

/** Values by the IDs of their fields. */
export async function fill(world: World, user: UserName, values: Record<number, string | number[] | null>) {
  const data = Object.entries(values).map(([id, value]) => ({ id: Number(id), value }));
  await world.as(user).profileFields.set({ data });
}

/** The visible profile of a user. */
export async function dataOf(world: World, user: UserName, viewer: UserName = 'owner') {
  const params: Params = { user_id: world.users[user], include_custom_profile_fields: true };
  const { user: shown } = await world.as(viewer).users.get(params as { user_id: number });
  return shown.profile_data;
}

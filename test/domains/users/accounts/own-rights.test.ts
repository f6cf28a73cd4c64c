import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { sqliteEngine } from '../../../world/copies.ts';

test('a user who may create channels of one kind only may create channels, and one of no kind may not', async (t) => {
  const world = await sqliteEngine.world();
  t.after(() => world.close());
  const rights = async (isPublic: boolean, isPrivate: boolean) => {
    const group = (isAllowed: boolean) => systemGroupId(isAllowed ? 'role:members' : 'role:nobody');
    await world.settings({
      can_create_public_channel_group: group(isPublic),
      can_create_private_channel_group: group(isPrivate),
    });
    const state = await world.as('hamlet').register({ fetch_event_types: ['realm_user'] });
    return [state.can_create_streams, state.can_create_public_streams, state.can_create_private_streams];
  };
  assert.deepEqual(await rights(false, true), [true, false, true]);
  assert.deepEqual(await rights(true, false), [true, true, false]);
  assert.deepEqual(await rights(false, false), [false, false, false]);
});

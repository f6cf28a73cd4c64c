import { commands } from '../operations/metadata.ts';

export const userGroups = commands('userGroups', 'Groups of people', {
  list: { columns: { user_groups: ['id', 'name', 'members', 'deactivated', 'description'] } },
});

import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

const fields = { group_id: v.number(), user_ids: v.array(v.number()) };

export const groupMembersAdded = defineEvent('user_group/add_members', {
  summary: 'Users became direct members of a group.',
  fields,
});

export const groupMembersRemoved = defineEvent('user_group/remove_members', {
  summary: 'Users are direct members of a group no more.',
  fields,
});

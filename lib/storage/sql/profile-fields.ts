import type { ProfileField, ProfileFieldStore } from '../interface/profile-fields.ts';
import type { Connection } from './connection.ts';
import { orderedList, SqlOrderedList } from './ordered-list.ts';
import { record } from './record.ts';

const PROFILE_FIELDS = orderedList(
  'profile_fields',
  record<ProfileField>({
    id: 'integer',
    type: 'integer',
    name: 'text',
    hint: 'text',
    field_data: 'text',
    display_in_profile_summary: 'boolean',
    required: 'boolean',
    editable_by_user: 'boolean',
  }),
);

export class SqlProfileFields extends SqlOrderedList<ProfileField> implements ProfileFieldStore {
  constructor(connection: Connection) {
    super(connection, PROFILE_FIELDS);
  }
}

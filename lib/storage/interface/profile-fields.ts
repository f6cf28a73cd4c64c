/** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns. */
export type ProfileFieldType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A custom profile field of the organization. */
export interface ProfileField {
  id: number;
  type: ProfileFieldType;
  /** Unique without regard to case. */
  name: string;
  hint: string;
  /** JSON object for lists of options and external accounts. Empty for other types. */
  field_data: string;
  display_in_profile_summary: boolean;
  required: boolean;
  /** Whether users may edit it in their own profile. Administrators always may. */
  editable_by_user: boolean;
}

/** Part of the organization record: every change raises its version. */
export interface ProfileFieldStore {
  /** In display order. */
  all(): Promise<ProfileField[]>;
  /** Added at the end of the order. IDs are never used again. */
  create(field: Omit<ProfileField, 'id'>): Promise<number>;
  update(field: ProfileField): Promise<void>;
  /** Deletes only the field. Delete its values with `users.dropProfileValues`. */
  remove(id: number): Promise<void>;
  reorder(ids: readonly number[]): Promise<void>;
}

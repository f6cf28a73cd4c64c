/** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns. */
export type ProfileFieldType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A field that the organization adds to everybody's profile. */
export interface ProfileField {
  id: number;
  type: ProfileFieldType;
  /** Unique without regard to case. */
  name: string;
  hint: string;
  /** JSON of an object for lists of options and external accounts, empty for other types. */
  field_data: string;
  display_in_profile_summary: boolean;
  required: boolean;
  /** By those whose profile it is; administrators edit everything. */
  editable_by_user: boolean;
}

/** Part of the organization's record: every change raises its version. */
export interface ProfileFieldStore {
  /** In the order in which they are shown. */
  all(): Promise<ProfileField[]>;
  /** Shown after all others. Its id was never another's. */
  create(field: Omit<ProfileField, 'id'>): Promise<number>;
  update(field: ProfileField): Promise<void>;
  /** The field alone; what people have there is `users.dropProfileValues`. */
  remove(id: number): Promise<void>;
  reorder(ids: readonly number[]): Promise<void>;
}

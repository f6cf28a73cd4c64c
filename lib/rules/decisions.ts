import type { GroupSettingValue } from '../storage/interface/groups.ts';

/** What has settings of its own that say who may do what with it. */
export interface Subject {
  kind: 'channel' | 'group';
  id: number;
  name: string;
}

/** What one rule has decided about an account. */
export type Decision = { isYes: boolean } & (
  | {
      /** Of the account, whatever it wants to do; who may call the operation at all; what is there, and may be known. */
      rule: 'account' | 'access' | 'message' | 'user';
      /** A whole sentence. */
      detail: string;
    }
  | { rule: 'role'; role: 'owner' | 'administrator' | 'moderator' }
  | {
      rule: 'permission';
      value: GroupSettingValue;
      /** Whether it is open to guests. */
      guests: boolean;
      /** Name of the setting, where the rule says so. */
      setting?: string | undefined;
      /** Whose setting it is; the organization's when absent. */
      of?: Subject | undefined;
    }
  | {
      rule: 'channel';
      /** Absent where there is none. */
      of?: Subject;
      /** A whole sentence. */
      detail: string;
    }
);

export type Tell = (decision: Decision) => void;

const TELL: unique symbol = Symbol('parlance.decisions');

/**
 * A copy of the account that tells of every rule which is applied to it. Rules look at the account that they
 * judge, so that nothing more need be handed to them; copies of the copy tell nothing.
 */
export function watched<U extends object>(account: U, tell: Tell): U {
  return Object.defineProperty({ ...account }, TELL, { value: tell });
}

/** Whom to tell what is decided about the account: nobody, but for one that is watched. */
export function tellOf(account: object): Tell | undefined {
  return (account as { readonly [TELL]?: Tell })[TELL];
}

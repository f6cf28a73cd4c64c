import type { GroupSettingValue } from '../storage/interface/groups.ts';

/** An object with its own permission settings. */
export interface Subject {
  kind: 'channel' | 'group';
  id: number;
  name: string;
}

/** The decision of one rule about an account. */
export type Decision = { isYes: boolean } & (
  | {
      /** account: its state; access: who can call the operation; message, user: whether it exists and is visible. */
      rule: 'account' | 'access' | 'message' | 'user';
      /** A whole sentence. */
      detail: string;
    }
  | { rule: 'role'; role: 'owner' | 'administrator' | 'moderator' }
  | {
      rule: 'permission';
      value: GroupSettingValue;
      /** Whether guests can have the permission. */
      guests: boolean;
      /** Name of the setting, if known. */
      setting?: string | undefined;
      /** The object with the setting. Absent: the organization. */
      of?: Subject | undefined;
    }
  | {
      rule: 'channel';
      /** Absent if the channel does not exist. */
      of?: Subject;
      /** A whole sentence. */
      detail: string;
    }
);

export type DecisionTrace = (decision: Decision) => void;

/** An account with a callback for decisions about it. All rules receive the account. */
interface TracedAccount {
  readonly trace?: DecisionTrace;
}

/** A copy of the account that reports every rule applied to it. */
export const traced = <U extends object>(account: U, trace: DecisionTrace): U & TracedAccount => ({
  ...account,
  trace,
});

/** The callback for decisions about the account. Undefined unless `traced` made the account. */
export const traceOf = (account: object): DecisionTrace | undefined => (account as TracedAccount).trace;

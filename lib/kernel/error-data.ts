import type { ErrorCode } from './error-codes.ts';
import type { InvitationFailure, InvitationProblem } from './invitation-problems.ts';

/** What keeps a group from being deactivated. */
export type GroupObjection =
  | { type: 'subgroup'; supergroup_ids: number[] }
  /** null: channels that the caller may not know of. */
  | { type: 'channel'; channel_id: number | null; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: string[] }
  | { type: 'realm'; settings: string[] };

/** What the `data` of a refusal holds, by its code. Codes that are not here have nothing in it to rely on. */
export interface ErrorData {
  /** The parameter that is missing. */
  REQUEST_VARIABLE_MISSING: { var_name: string };
  /** The names of which one is to be given. */
  REQUEST_CONFUSING_VAR: { var_name1: string; var_name2: string };
  /** Seconds after which the call may succeed. */
  RATE_LIMIT_HIT: { 'retry-after': number };
  /** Seconds after which it may be well again by itself; absent where somebody has to see to it. */
  SERVICE_UNAVAILABLE: { 'retry-after'?: number };
  /** By what the caller named it: an ID, or a name. */
  STREAM_DOES_NOT_EXIST: { stream_id?: number; stream?: string };
  /** The name that is taken. */
  CHANNEL_ALREADY_EXISTS: { channel_name: string };
  /** How many messages of the topic may be moved, and from which on; null where none may. */
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    first_message_id_allowed_to_move: number | null;
    total_messages_in_topic: number;
    total_messages_allowed_to_move: number;
  };
  /** What is wrong with it. */
  BAD_NARROW: { desc: string };
  /** The queue that is gone. */
  BAD_EVENT_QUEUE_ID: { queue_id: string };
  /** Whom it could not be done for. */
  INVITATION_FAILED: InvitationFailure & { license_limit_reached: boolean };
  /** Why it lets nobody in. */
  INVITATION_UNUSABLE: { reason: InvitationProblem };
  /** The permission that was to be set. */
  SYSTEM_GROUP_REQUIRED: { setting_name: string };
  /** Everything active that names the group. */
  CANNOT_DEACTIVATE_GROUP_IN_USE: { objections: GroupObjection[] };
}

/** The `data` of a refusal with this code. */
export type DataOf<C extends ErrorCode> = C extends keyof ErrorData ? ErrorData[C] : Record<string, unknown>;

import type { ErrorCode } from './error-codes.ts';
import type { InvitationFailure, InvitationProblem } from './invitation-problems.ts';

/** A use of a group that prevents its deactivation. */
export type GroupObjection =
  | { type: 'subgroup'; supergroup_ids: number[] }
  /** `channel_id` is null for channels that the caller cannot see. */
  | { type: 'channel'; channel_id: number | null; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: string[] }
  | { type: 'realm'; settings: string[] };

/** Fields of `data` in a `ChatError`, by error code. Other codes guarantee no fields. */
export interface ErrorData {
  /** The missing parameter. */
  REQUEST_VARIABLE_MISSING: { var_name: string };
  /** Two parameters that exclude each other. */
  REQUEST_CONFUSING_VAR: { var_name1: string; var_name2: string };
  /** Seconds until a retry may succeed. */
  RATE_LIMIT_HIT: { 'retry-after': number };
  /** Seconds until a retry may succeed. Absent if an administrator must fix the problem. */
  SERVICE_UNAVAILABLE: { 'retry-after'?: number };
  /** The ID or the name in the request. */
  STREAM_DOES_NOT_EXIST: { stream_id?: number; stream?: string };
  /** The name that is already used. */
  CHANNEL_ALREADY_EXISTS: { channel_name: string };
  /** The number of messages that may be moved, and the first of them; null if none may be moved. */
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    first_message_id_allowed_to_move: number | null;
    total_messages_in_topic: number;
    total_messages_allowed_to_move: number;
  };
  /** The problem with the narrow. */
  BAD_NARROW: { desc: string };
  /** The queue that does not exist any more. */
  BAD_EVENT_QUEUE_ID: { queue_id: string };
  /** The addresses that could not be invited. */
  INVITATION_FAILED: InvitationFailure & { license_limit_reached: boolean };
  /** Why the invitation is not valid. */
  INVITATION_UNUSABLE: { reason: InvitationProblem };
  /** The permission in the request. */
  SYSTEM_GROUP_REQUIRED: { setting_name: string };
  /** All active uses of the group. */
  CANNOT_DEACTIVATE_GROUP_IN_USE: { objections: GroupObjection[] };
}

/** Type of `data` in a `ChatError` with this code. */
export type DataOf<C extends ErrorCode> = C extends keyof ErrorData ? ErrorData[C] : Record<string, unknown>;

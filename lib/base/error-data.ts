/** Error codes to branch on. Other servers of this API may send further codes. */
export type ErrorCode =
  | keyof ErrorData
  | 'BAD_REQUEST'
  | 'REACTION_ALREADY_EXISTS'
  | 'REACTION_DOES_NOT_EXIST'
  | 'DIRECT_MESSAGE_REFUSED'
  | 'BAD_IMAGE'
  | 'REALM_UPLOAD_QUOTA'
  | 'UNAUTHORIZED_PRINCIPAL'
  | 'EXPECTATION_MISMATCH'
  | 'ADDRESS_NOT_CONFIRMED'
  | 'PASSWORD_TOO_WEAK'
  | 'EMAIL_ALREADY_IN_USE'
  | 'ADOPTION_REFUSED'
  | 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
  | 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_INVALID'
  | 'TOKEN_FROM_OTHER_ORGANIZATION'
  | 'TOKEN_REVOKED'
  | 'TOKEN_NOT_ALLOWED'
  | 'ACCOUNT_CHANGED'
  | 'AUTHENTICATION_FAILED'
  | 'USER_DEACTIVATED'
  | 'PASSWORD_AUTH_DISABLED'
  | 'PUSH_SERVICE_NOT_CONFIGURED'
  | 'NO_ACTIVE_PUSH_DEVICE'
  | 'INVALID_PUSH_DEVICE_TOKEN'
  | 'ADMIN_ACTION_REQUIRED'
  | 'FAILED_TO_CONNECT_BOUNCER'
  | 'INTERNAL_SERVER_ERROR_ON_BOUNCER'
  | 'CSRF_FAILED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'TRANSACTION_UNSUITABLE'
  | 'INTERNAL_SERVER_ERROR'
  | 'NOT_FOUND';

/** Result of an invitation of several addresses, if some could not be invited. */
export interface InvitationFailure {
  /** Address, reason, and whether a deactivated account has the address. */
  errors: readonly (readonly [address: string, reason: string, isDeactivated: boolean])[];
  /** Whether the other addresses were invited. */
  sent_invitations: boolean;
  /** Whether the daily limit of invitations was exceeded. */
  daily_limit_reached: boolean;
}

/** Why an invitation is not valid. */
export type InvitationProblem = 'unknown' | 'expired' | 'revoked' | 'used';

/** Messages for users. */
export const INVITATION_PROBLEMS: Readonly<Record<InvitationProblem, string>> = {
  unknown: 'There is no such invitation. Check that the link is complete.',
  expired: 'This invitation has expired. Ask for a new invitation.',
  revoked: 'This invitation is no longer valid. Ask for a new invitation.',
  used: 'This invitation has already been accepted. Sign in with the account that was created with it.',
};

/** Why a second factor is needed. */
export const SECOND_FACTOR_PROBLEMS = {
  code_missing:
    'This account has a second factor. Log in with a browser, or send a code of your authenticator app or a recovery code as `code`.',
  code_wrong:
    'The code is wrong, or was already used. Check the clock of the phone, and send the next code of the app, or a recovery code.',
  not_set_up: 'Your role needs a second factor. Log in with a browser to set it up.',
};

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
  /** `deactivated` if the account is deactivated. */
  UNAUTHORIZED: { reason?: 'deactivated' };
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
  /** What is missing: a code, a right code, or the set-up of the second factor. */
  SECOND_FACTOR_NEEDED: { reason: keyof typeof SECOND_FACTOR_PROBLEMS };
  /** The external ID, and the list that has it twice or the kind of records that it belongs to. */
  EXTERNAL_ID_IN_USE: { list: string; external_id: string };
  /** External IDs of groups. Each is in the next one, and the last one is in the first one. */
  GROUP_CYCLE: { groups: readonly string[] };
  /** The field that only `chat.sync` may change. */
  FIELD_LOCKED: { field: string };
  /** The permission in the request. */
  SYSTEM_GROUP_REQUIRED: { setting_name: string };
  /** All active uses of the group. */
  CANNOT_DEACTIVATE_GROUP_IN_USE: { objections: GroupObjection[] };
}

/** Type of `data` in a `ChatError` with this code. */
export type DataOf<C extends ErrorCode> = C extends keyof ErrorData ? ErrorData[C] : Record<string, unknown>;

import {
  AddressNotConfirmed,
  AuthenticationFailed,
  BadEventQueueId,
  BadImage,
  BadNarrow,
  BadRequest,
  CannotDeactivateGroupInUse,
  ChannelAlreadyExists,
  ChatError,
  CsrfFailed,
  EmailAlreadyInUse,
  type ErrorCode,
  ExpectationMismatch,
  InvitationFailed,
  InvitationUnusable,
  MoveMessagesTimeLimitExceeded,
  PasswordAuthDisabled,
  PasswordTooWeak,
  RateLimitHit,
  ReactionAlreadyExists,
  ReactionDoesNotExist,
  RealmUploadQuota,
  RequestConfusingVariable,
  RequestVariableMissing,
  ServiceUnavailable,
  StreamDoesNotExist,
  StreamWildcardMentionNotAllowed,
  SystemGroupRequired,
  TopicWildcardMentionNotAllowed,
  Unauthorized,
  UnauthorizedPrincipal,
  UserDeactivated,
} from './errors.ts';

const CLASSES: Readonly<Partial<Record<ErrorCode, { prototype: ChatError; name: string }>>> = {
  BAD_REQUEST: BadRequest,
  STREAM_DOES_NOT_EXIST: StreamDoesNotExist,
  REACTION_ALREADY_EXISTS: ReactionAlreadyExists,
  REACTION_DOES_NOT_EXIST: ReactionDoesNotExist,
  BAD_IMAGE: BadImage,
  REALM_UPLOAD_QUOTA: RealmUploadQuota,
  UNAUTHORIZED_PRINCIPAL: UnauthorizedPrincipal,
  CHANNEL_ALREADY_EXISTS: ChannelAlreadyExists,
  EXPECTATION_MISMATCH: ExpectationMismatch,
  EMAIL_ALREADY_IN_USE: EmailAlreadyInUse,
  INVITATION_FAILED: InvitationFailed,
  INVITATION_UNUSABLE: InvitationUnusable,
  ADDRESS_NOT_CONFIRMED: AddressNotConfirmed,
  PASSWORD_TOO_WEAK: PasswordTooWeak,
  SYSTEM_GROUP_REQUIRED: SystemGroupRequired,
  CANNOT_DEACTIVATE_GROUP_IN_USE: CannotDeactivateGroupInUse,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: MoveMessagesTimeLimitExceeded,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: StreamWildcardMentionNotAllowed,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: TopicWildcardMentionNotAllowed,
  REQUEST_VARIABLE_MISSING: RequestVariableMissing,
  REQUEST_CONFUSING_VAR: RequestConfusingVariable,
  UNAUTHORIZED: Unauthorized,
  AUTHENTICATION_FAILED: AuthenticationFailed,
  USER_DEACTIVATED: UserDeactivated,
  PASSWORD_AUTH_DISABLED: PasswordAuthDisabled,
  RATE_LIMIT_HIT: RateLimitHit,
  SERVICE_UNAVAILABLE: ServiceUnavailable,
  CSRF_FAILED: CsrfFailed,
  BAD_NARROW: BadNarrow,
  BAD_EVENT_QUEUE_ID: BadEventQueueId,
};

/** The error of a server response: the same class as in process, with the message of the server. */
export function receivedError(
  message: string,
  code: string | null,
  status: number,
  data: Record<string, unknown>,
): ChatError {
  const error = new ChatError(message, code as ErrorCode | null, status, data);
  const known = code !== null && Object.hasOwn(CLASSES, code) ? CLASSES[code as ErrorCode] : undefined;
  if (known) {
    Object.setPrototypeOf(error, known.prototype);
    error.name = known.name;
  }
  return error;
}

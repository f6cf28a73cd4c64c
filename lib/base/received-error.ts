import * as errors from './errors.ts';

const CLASSES: Readonly<Partial<Record<errors.ErrorCode, { prototype: errors.ChatError; name: string }>>> = {
  BAD_REQUEST: errors.BadRequest,
  STREAM_DOES_NOT_EXIST: errors.StreamDoesNotExist,
  REACTION_ALREADY_EXISTS: errors.ReactionAlreadyExists,
  REACTION_DOES_NOT_EXIST: errors.ReactionDoesNotExist,
  BAD_IMAGE: errors.BadImage,
  REALM_UPLOAD_QUOTA: errors.RealmUploadQuota,
  UNAUTHORIZED_PRINCIPAL: errors.UnauthorizedPrincipal,
  CHANNEL_ALREADY_EXISTS: errors.ChannelAlreadyExists,
  EXPECTATION_MISMATCH: errors.ExpectationMismatch,
  EMAIL_ALREADY_IN_USE: errors.EmailAlreadyInUse,
  INVITATION_FAILED: errors.InvitationFailed,
  INVITATION_UNUSABLE: errors.InvitationUnusable,
  ADDRESS_NOT_CONFIRMED: errors.AddressNotConfirmed,
  PASSWORD_TOO_WEAK: errors.PasswordTooWeak,
  SYSTEM_GROUP_REQUIRED: errors.SystemGroupRequired,
  CANNOT_DEACTIVATE_GROUP_IN_USE: errors.CannotDeactivateGroupInUse,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: errors.MoveMessagesTimeLimitExceeded,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: errors.StreamWildcardMentionNotAllowed,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: errors.TopicWildcardMentionNotAllowed,
  REQUEST_VARIABLE_MISSING: errors.RequestVariableMissing,
  REQUEST_CONFUSING_VAR: errors.RequestConfusingVariable,
  UNAUTHORIZED: errors.Unauthorized,
  AUTHENTICATION_FAILED: errors.AuthenticationFailed,
  USER_DEACTIVATED: errors.UserDeactivated,
  PASSWORD_AUTH_DISABLED: errors.PasswordAuthDisabled,
  RATE_LIMIT_HIT: errors.RateLimitHit,
  SERVICE_UNAVAILABLE: errors.ServiceUnavailable,
  CSRF_FAILED: errors.CsrfFailed,
  BAD_NARROW: errors.BadNarrow,
  BAD_EVENT_QUEUE_ID: errors.BadEventQueueId,
};

/** The error of a server response: the same class as in process, with the message of the server. */
export function receivedError(
  message: string,
  code: string | null,
  status: number,
  data: Record<string, unknown>,
): errors.ChatError {
  const error = new errors.ChatError(message, code as errors.ErrorCode | null, status, data);
  const known = code !== null && Object.hasOwn(CLASSES, code) ? CLASSES[code as errors.ErrorCode] : undefined;
  if (known) {
    Object.setPrototypeOf(error, known.prototype);
    error.name = known.name;
  }
  return error;
}

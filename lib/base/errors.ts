import { ChatError, fixed } from './chat-error.ts';
import type { ErrorData, GroupObjection, InvitationFailure, InvitationProblem } from './error-data.ts';
import { INVITATION_PROBLEMS, SECOND_FACTOR_PROBLEMS } from './error-data.ts';

export { ChatError, type ChatErrorClass, errorBody, isChatError, sampleOf } from './chat-error.ts';
export type { ErrorCode, GroupObjection, InvitationFailure, InvitationProblem } from './error-data.ts';
export {
  AdminActionRequired,
  FailedToConnectBouncer,
  InternalServerErrorOnBouncer,
  InvalidPushDeviceToken,
  NoActivePushDevice,
  PushServiceNotConfigured,
} from './push-errors.ts';

export class BadRequest extends ChatError {
  constructor(message: string, data?: Record<string, unknown>, status = 400) {
    super(message, 'BAD_REQUEST', status, data);
  }
}

/** The object does not exist, in operations for which clients expect status 404. */
export class DoesNotExist extends BadRequest {
  constructor(message: string) {
    super(message, undefined, 404);
  }
}

export class StreamDoesNotExist extends ChatError {
  constructor(channel: { stream_id: number } | { stream: string }) {
    const which = 'stream_id' in channel ? `with ID ${channel.stream_id}` : `named "${channel.stream}"`;
    super(`There is no channel ${which}.`, 'STREAM_DOES_NOT_EXIST', 400, channel);
  }
}

export class ReactionAlreadyExists extends /* @__PURE__ */ fixed(
  'REACTION_ALREADY_EXISTS',
  'You have reacted to this message with this emoji already.',
) {}

export class ReactionDoesNotExist extends /* @__PURE__ */ fixed(
  'REACTION_DOES_NOT_EXIST',
  'You have not reacted to this message with this emoji.',
) {}

export class DirectMessageRefused extends /* @__PURE__ */ fixed(
  'DIRECT_MESSAGE_REFUSED',
  'This conversation does not accept direct messages from you.',
) {}

/** The file is not a supported picture. */
export class BadImage extends ChatError {
  constructor(message: string) {
    super(message, 'BAD_IMAGE');
  }
}

/** The caller does not have the required role. Status 400, as clients of the API expect. */
export class UnauthorizedPrincipal extends ChatError {
  constructor(required: string) {
    super(`This needs ${required}.`, 'UNAUTHORIZED_PRINCIPAL');
  }
}

export class ChannelAlreadyExists extends ChatError {
  constructor(name: string) {
    super(`A channel named "${name}" already exists.`, 'CHANNEL_ALREADY_EXISTS', 400, { channel_name: name });
  }
}

export class ExpectationMismatch extends /* @__PURE__ */ fixed(
  'EXPECTATION_MISMATCH',
  'The "old" value is not the current value; fetch it again and retry.',
) {}

/** An account with this address exists, active or deactivated. */
export class EmailAlreadyInUse extends ChatError {
  constructor(email: string, message = `There is an account with the address "${email}" already.`) {
    super(message, 'EMAIL_ALREADY_IN_USE');
  }
}

/** A list of `chat.sync` has the same external ID twice, or it belongs to something else. */
export class ExternalIdInUse extends ChatError {
  constructor(
    used: ErrorData['EXTERNAL_ID_IN_USE'],
    message = `The list of ${used.list} has the external ID "${used.external_id}" twice. The chat stays as it was.`,
  ) {
    super(message, 'EXTERNAL_ID_IN_USE', 400, { ...used });
  }
}

/** A record has the address or name, but may belong to another user. It stays as it was. */
export class AdoptionRefused extends ChatError {
  constructor(message: string) {
    super(message, 'ADOPTION_REFUSED', 403);
  }
}

/** Groups in a list of `chat.sync` contain each other. The chat stays as it was. */
export class GroupCycle extends ChatError {
  /**
   * @param shown display text for the groups
   * @param groups external IDs: each group is in the next one, and the last one is in the first one
   */
  constructor(shown: string, groups: readonly string[]) {
    super(`The groups ${shown} contain each other. The chat stays as it was.`, 'GROUP_CYCLE', 400, { groups });
  }
}

/** The embedding program mirrors this field, and only `chat.sync` may change it. */
export class FieldLocked extends ChatError {
  constructor(field: string) {
    const message = `The program that embeds this chat manages the field "${field}" of this record. Change it there.`;
    super(message, 'FIELD_LOCKED', 400, { field });
  }
}

/** Some addresses could not be invited. With `sent_invitations`, the other invitations were sent. */
export class InvitationFailed extends ChatError {
  constructor(message: string, failure: Partial<InvitationFailure>) {
    const { errors = [], sent_invitations = false, daily_limit_reached = false } = failure;
    const data = { errors, sent_invitations, daily_limit_reached, license_limit_reached: false };
    super(message, 'INVITATION_FAILED', 400, data);
  }
}

/** The invitation is not valid; `reason` says why. */
export class InvitationUnusable extends ChatError {
  constructor(reason: InvitationProblem, message = INVITATION_PROBLEMS[reason]) {
    super(message, 'INVITATION_UNUSABLE', 400, { reason });
  }
}

/** On servers that send e-mail, users of a reusable invitation link must confirm their address first. */
export class AddressNotConfirmed extends /* @__PURE__ */ fixed(
  'ADDRESS_NOT_CONFIRMED',
  'Confirm your address first: request an e-mail (POST /invites/confirm_address) and use the link in it.',
) {}

export class PasswordTooWeak extends ChatError {
  constructor(message: string) {
    super(message, 'PASSWORD_TOO_WEAK');
  }
}

/** Only a system group can have this permission. */
export class SystemGroupRequired extends ChatError {
  constructor(setting_name: string) {
    super(`${setting_name} accepts only a system group.`, 'SYSTEM_GROUP_REQUIRED', 400, { setting_name });
  }
}

/** Active groups, channels or settings use the group; `objections` lists them. */
export class CannotDeactivateGroupInUse extends ChatError {
  /** @param where display text, for example `in the group 9` */
  constructor(where: string, objections: readonly GroupObjection[]) {
    super(`This user group is in use: ${where}. Remove it there first.`, 'CANNOT_DEACTIVATE_GROUP_IN_USE', 400, {
      objections,
    });
  }
}

/** Some messages of the topic are too old to move. From `first_message_id_allowed_to_move` on, moving is allowed. */
export class MoveMessagesTimeLimitExceeded extends ChatError {
  constructor(limits: ErrorData['MOVE_MESSAGES_TIME_LIMIT_EXCEEDED']) {
    const { total_messages_allowed_to_move: allowed, total_messages_in_topic: total } = limits;
    super(
      `Only ${allowed} of the ${total} messages are recent enough to be moved. Move fewer messages.`,
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      400,
      { ...limits },
    );
  }
}

export class StreamWildcardMentionNotAllowed extends /* @__PURE__ */ fixed(
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'You are not allowed to mention all subscribers of this channel.',
) {}

/** In a channel with many subscribers, mentioning all participants of a topic needs a permission. */
export class TopicWildcardMentionNotAllowed extends /* @__PURE__ */ fixed(
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  'You are not allowed to mention all participants of this topic.',
) {}

export class RequestVariableMissing extends ChatError {
  constructor(name: string) {
    super(`The parameter "${name}" is required.`, 'REQUEST_VARIABLE_MISSING', 400, { var_name: name });
  }
}

export class RequestConfusingVariable extends ChatError {
  constructor(first: string, second: string) {
    super(`Give "${first}" or "${second}", not both.`, 'REQUEST_CONFUSING_VAR', 400, {
      var_name1: first,
      var_name2: second,
    });
  }
}

/** The Basic credentials of a request are absent, malformed or wrong. */
export class Unauthorized extends ChatError {
  constructor(message: string, data: ErrorData['UNAUTHORIZED'] = {}) {
    super(message, 'UNAUTHORIZED', 401, data);
  }
}

export class TokenExpired extends /* @__PURE__ */ fixed(
  'TOKEN_EXPIRED',
  'This token has expired. Create a new one.',
  401,
) {}

/** Not a token of this server, or changed after its creation. */
export class TokenInvalid extends /* @__PURE__ */ fixed(
  'TOKEN_INVALID',
  'This is not a valid token. Send it exactly as it was created.',
  401,
) {}

export class TokenFromOtherOrganization extends /* @__PURE__ */ fixed(
  'TOKEN_FROM_OTHER_ORGANIZATION',
  'This token belongs to another organization. Check the address of the server.',
  401,
) {}

/** `tokens.revoke` ended it, or the account has a new API key since it was created. */
export class TokenRevoked extends /* @__PURE__ */ fixed(
  'TOKEN_REVOKED',
  'This token was revoked, or its account has a new API key. Create a new token.',
  401,
) {}

/** The token is valid, but not for this operation. */
export class TokenNotAllowed extends ChatError {
  constructor(message: string) {
    super(message, 'TOKEN_NOT_ALLOWED', 403);
  }
}

/** The request names an account in `Parlance-Account`, and its login is that of another account. It has no effect. */
export class AccountChanged extends /* @__PURE__ */ fixed(
  'ACCOUNT_CHANGED',
  'This login now belongs to another account. Start again with that account, or log in to the first one again.',
  409,
) {}

export class AuthenticationFailed extends /* @__PURE__ */ fixed(
  'AUTHENTICATION_FAILED',
  'The user name or the password is wrong.',
  401,
) {}

/** The password, the reset link or the login is right, but the second factor is missing; `reason` says how. */
export class SecondFactorNeeded extends ChatError {
  constructor(reason: ErrorData['SECOND_FACTOR_NEEDED']['reason'], message = SECOND_FACTOR_PROBLEMS[reason]) {
    super(message, 'SECOND_FACTOR_NEEDED', 401, { reason });
  }
}

export class UserDeactivated extends /* @__PURE__ */ fixed(
  'USER_DEACTIVATED',
  'This account has been deactivated; ask an administrator to reactivate it.',
  401,
) {}

export class PasswordAuthDisabled extends /* @__PURE__ */ fixed(
  'PASSWORD_AUTH_DISABLED',
  'This organization does not sign in with passwords.',
  401,
) {}

/** Another call has used the same key. This one changed nothing. */
export class IdempotencyKeyReused extends ChatError {
  constructor(key: string) {
    super(
      `The idempotency key "${key}" belongs to a call with other parameters, made in the last 24 hours. Use a new key for another call.`,
      'IDEMPOTENCY_KEY_REUSED',
      422,
    );
  }
}

/** `within`: the operation or the connection cannot be used. The transaction has not changed. */
export class TransactionUnsuitable extends ChatError {
  constructor(message: string) {
    super(message, 'TRANSACTION_UNSUITABLE');
  }
}

/** Too many requests: wait, and call again. This request had no effect. */
export class RateLimitHit extends ChatError {
  /** @param retryAfter seconds until the next request may succeed. */
  constructor(retryAfter: number) {
    super(`Too many requests; wait ${Math.ceil(retryAfter)} s.`, 'RATE_LIMIT_HIT', 429, { 'retry-after': retryAfter });
  }

  /** Seconds until the next request may succeed. */
  get retryAfter(): number {
    return Number(this.data['retry-after'] ?? 1);
  }
}

/**
 * The database or the disk for files is not usable now, or too many pictures are waiting. If a connection broke, the
 * operation may still have been executed.
 */
export class ServiceUnavailable extends ChatError {
  /** @param retryAfter seconds until a retry may succeed. Absent if an administrator must fix the problem. */
  constructor(message: string, retryAfter?: number) {
    super(message, 'SERVICE_UNAVAILABLE', 503, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  }
}

/** A browser sent a request from a page of another site, perhaps with a login or key that it remembers. */
export class CsrfFailed extends ChatError {
  constructor(message: string) {
    super(message, 'CSRF_FAILED', 403);
  }
}

export class BadNarrow extends ChatError {
  constructor(description: string) {
    super(`This narrow is not valid: ${description}`, 'BAD_NARROW', 400, { desc: description });
  }
}

export class BadEventQueueId extends ChatError {
  constructor(queueId: string) {
    // Some older clients register again only if the message starts with these words.
    const message = `Bad event queue id: "${queueId}" does not exist or has expired; register a new queue.`;
    super(message, 'BAD_EVENT_QUEUE_ID', 400, { queue_id: queueId });
  }
}

export class NotFound extends ChatError {
  constructor(path: string) {
    super(`There is nothing at ${path}.`, 'NOT_FOUND', 404);
  }
}

/** An unexpected error. The log has its cause. */
export class InternalServerError extends ChatError {
  constructor(id: string) {
    super(
      `The request failed because of a server error. The log has the details under ${id}.`,
      'INTERNAL_SERVER_ERROR',
      500,
    );
  }
}

export class MethodNotAllowed extends ChatError {
  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not supported here; use ${allowed.join(', ')}.`, null, 405, { allowed_methods: allowed });
  }
}

/** Both cases have the same message. Only the status differs. */
const FILE_UNAVAILABLE = 'There is no such file, or you may not read it.';

export class NoSuchFile extends BadRequest {
  constructor() {
    super(FILE_UNAVAILABLE, undefined, 404);
  }
}

export class FileForbidden extends BadRequest {
  constructor() {
    super(FILE_UNAVAILABLE, undefined, 403);
  }
}

export class RealmUploadQuota extends /* @__PURE__ */ fixed(
  'REALM_UPLOAD_QUOTA',
  'This file would exceed the upload quota of the organization. Delete files first, or send a smaller one.',
) {}

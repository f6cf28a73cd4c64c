import type { ErrorCode } from './error-codes.ts';
import type { ErrorData, GroupObjection } from './error-data.ts';
import { INVITATION_PROBLEMS, type InvitationFailure, type InvitationProblem } from './invitation-problems.ts';

export type { ErrorCode } from './error-codes.ts';
export type { GroupObjection } from './error-data.ts';
export type { InvitationFailure, InvitationProblem } from './invitation-problems.ts';

/** Registered, so that it is the same in the package's two builds, and in every copy of it. */
const BRAND: unique symbol = Symbol.for('parlance.ChatError');

/**
 * A refusal: nothing was done. `code` is for programs, `message` for people.
 * @example
 * await session.messages.addReaction({ message_id: 7, emoji_name: 'tada' }).catch((error) => {
 *   if (!isChatError(error, 'REACTION_ALREADY_EXISTS')) throw error;
 * });
 */
export class ChatError extends Error {
  readonly [BRAND] = true;

  /** A program may have loaded the package as a module and as CommonJS: errors of either are errors of both. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: its subclasses inherit this
    if (this !== ChatError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND] === true;
  }

  /** @param status HTTP status the server answers with. @param data extra fields of the error body. */
  constructor(
    message: string,
    /** null only where no code is sent: a method that is not possible at an address. */
    readonly code: ErrorCode | null,
    readonly status: number = 400,
    readonly data: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** What `errors: [...]` of an operation lists. */
export type ChatErrorClass = abstract new (...args: never[]) => ChatError;

export class BadRequest extends ChatError {
  constructor(message: string, data?: Record<string, unknown>, status = 400) {
    super(message, 'BAD_REQUEST', status, data);
  }
}

/** Nothing of the kind that is addressed, where clients of the API expect 404 for it. */
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

export class ReactionAlreadyExists extends ChatError {
  constructor() {
    super('You have reacted to this message with this emoji already.', 'REACTION_ALREADY_EXISTS');
  }
}

export class ReactionDoesNotExist extends ChatError {
  constructor() {
    super('You have not reacted to this message with this emoji.', 'REACTION_DOES_NOT_EXIST');
  }
}

/** The file is no picture that can be worked on. */
export class BadImage extends ChatError {
  constructor(message: string) {
    super(message, 'BAD_IMAGE');
  }
}

/** Only administrators, owners or members may do this. Its status is 400, as clients of the API expect. */
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

export class ExpectationMismatch extends ChatError {
  constructor() {
    super('The "old" value is not the current value; fetch it again and retry.', 'EXPECTATION_MISMATCH');
  }
}

/** Another account has the address, active or not. */
export class EmailAlreadyInUse extends ChatError {
  constructor(email: string) {
    super(`There is an account with the address "${email}" already.`, 'EMAIL_ALREADY_IN_USE');
  }
}

/** Some addresses could not be invited. With `sent_invitations` the others were: of these it was done. */
export class InvitationFailed extends ChatError {
  constructor(message: string, failure: Partial<InvitationFailure>) {
    const { errors = [], sent_invitations = false, daily_limit_reached = false } = failure;
    const data = { errors, sent_invitations, daily_limit_reached, license_limit_reached: false };
    super(message, 'INVITATION_FAILED', 400, data);
  }
}

/** The invitation lets nobody in; `reason` says why. */
export class InvitationUnusable extends ChatError {
  constructor(reason: InvitationProblem, message = INVITATION_PROBLEMS[reason]) {
    super(message, 'INVITATION_UNUSABLE', 400, { reason });
  }
}

/** Whoever joins by an invitation that is for many shows first that the address is theirs, where e-mail is sent. */
export class AddressNotConfirmed extends ChatError {
  constructor() {
    const how = 'ask for an e-mail (POST /invites/confirm_address), and join by the link in it';
    super(`Confirm your address first: ${how}.`, 'ADDRESS_NOT_CONFIRMED');
  }
}

export class PasswordTooWeak extends ChatError {
  constructor(message: string) {
    super(message, 'PASSWORD_TOO_WEAK');
  }
}

/** A permission that only system groups can hold. */
export class SystemGroupRequired extends ChatError {
  constructor(setting_name: string) {
    super(`${setting_name} takes one of the system groups alone.`, 'SYSTEM_GROUP_REQUIRED', 400, { setting_name });
  }
}

/** Something active names the group; `objections` are all that do. */
export class CannotDeactivateGroupInUse extends ChatError {
  /** @param where for people, `in the group 9`. */
  constructor(where: string, objections: readonly GroupObjection[]) {
    super(`This user group is in use: ${where}. Take it out there first.`, 'CANNOT_DEACTIVATE_GROUP_IN_USE', 400, {
      objections,
    });
  }
}

/** Some messages of the topic are too old to be moved; `first_message_id_allowed_to_move` and later ones are not. */
export class MoveMessagesTimeLimitExceeded extends ChatError {
  constructor(limits: ErrorData['MOVE_MESSAGES_TIME_LIMIT_EXCEEDED']) {
    const { total_messages_allowed_to_move: allowed, total_messages_in_topic: total } = limits;
    super(
      `Only ${allowed} of the ${total} messages are recent enough to be moved.`,
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      400,
      { ...limits },
    );
  }
}

/** Only some may mention everybody in a channel with many subscribers. */
export class StreamWildcardMentionNotAllowed extends ChatError {
  constructor() {
    super('You are not allowed to mention everybody in this channel.', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
  }
}

/** Only some may mention everybody who takes part in a topic of a channel with many subscribers. */
export class TopicWildcardMentionNotAllowed extends ChatError {
  constructor() {
    super('You are not allowed to mention everybody in this topic.', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
  }
}

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
  constructor(message: string) {
    super(message, 'UNAUTHORIZED', 401);
  }
}

export class AuthenticationFailed extends ChatError {
  constructor() {
    super('The user name or the password is wrong.', 'AUTHENTICATION_FAILED', 401);
  }
}

export class UserDeactivated extends ChatError {
  constructor() {
    super('This account has been deactivated; ask an administrator to reactivate it.', 'USER_DEACTIVATED', 401);
  }
}

export class PasswordAuthDisabled extends ChatError {
  constructor() {
    super('This organization does not sign in with passwords.', 'PASSWORD_AUTH_DISABLED', 401);
  }
}

/** Too many requests: wait, and call again. Nothing was done. */
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

/** The database cannot be worked on at the moment, or the disk for files, or too many pictures wait. It may have been done all the same where a connection broke. */
export class ServiceUnavailable extends ChatError {
  /** @param retryAfter seconds after which it may be well again by itself */
  constructor(message: string, retryAfter?: number) {
    super(message, 'SERVICE_UNAVAILABLE', 503, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  }

  /** Seconds after which it may be well again; absent where somebody has to see to it. */
  get retryAfter(): number | undefined {
    const seconds = this.data['retry-after'];
    return seconds === undefined ? undefined : Number(seconds);
  }
}

/** A login that the browser sends along by itself, from a page of another site. */
export class CsrfFailed extends ChatError {
  constructor() {
    super('This request comes from a page of another site.', 'CSRF_FAILED', 403);
  }
}

export class BadNarrow extends ChatError {
  constructor(description: string) {
    super(`This narrow is not valid: ${description}`, 'BAD_NARROW', 400, { desc: description });
  }
}

export class BadEventQueueId extends ChatError {
  constructor(queueId: string) {
    // Some older clients register again only where they read the first words.
    const message = `Bad event queue id: "${queueId}" does not exist or has expired; register a new queue.`;
    super(message, 'BAD_EVENT_QUEUE_ID', 400, { queue_id: queueId });
  }
}

/** No such path. */
export class NotFound extends ChatError {
  constructor(path: string) {
    super(`There is nothing at ${path}.`, 'BAD_REQUEST', 404);
  }
}

export class MethodNotAllowed extends ChatError {
  constructor(
    method: string,
    readonly allowed: string[],
  ) {
    super(`${method} is not possible here; try ${allowed.join(', ')}.`, null, 405, { allowed_methods: allowed });
  }
}

/** The one wire form of an error: `{ result, msg, code, ...data }`. */
export function errorBody(error: ChatError): Record<string, unknown> {
  return { result: 'error', msg: error.message, ...(error.code ? { code: error.code } : {}), ...error.data };
}

import type { ErrorData } from '../../lib/base/error-data.ts';
import * as errors from '../../lib/base/errors.ts';

const { ChatError } = errors;

interface Said {
  when: string;
  cure: string;
  data?: string;
}

/** Of each code: when it occurs, what to do, and the additional fields of the error. */
const CODES: { readonly [C in errors.ErrorCode]: Said & (C extends keyof ErrorData ? { data: string } : object) } = {
  BAD_REQUEST: {
    when: 'All errors without their own code: an invalid value, a missing or hidden record, a missing permission.',
    cure: 'Show `message`. It names an invalid parameter.',
  },
  REQUEST_VARIABLE_MISSING: { when: 'A parameter is missing.', cure: 'Add it.', data: 'var_name' },
  REQUEST_CONFUSING_VAR: {
    when: 'The request has two names of the same parameter.',
    cure: 'Send one.',
    data: 'var_name1, var_name2',
  },
  UNAUTHORIZED: {
    when: 'The API key is missing, malformed, wrong or replaced, or its account is deactivated.',
    cure: 'Sign in again. Do not retry with the same key.',
    data: 'reason',
  },
  TOKEN_EXPIRED: { when: 'The token has expired.', cure: 'Create a new token.' },
  TOKEN_INVALID: {
    when: 'The text is not a token of this server, or has changed.',
    cure: 'Send the token exactly as it was created.',
  },
  TOKEN_FROM_OTHER_ORGANIZATION: {
    when: 'The token belongs to another organization.',
    cure: 'Check the address of the server.',
  },
  TOKEN_REVOKED: {
    when: 'The token was ended by `tokens.revoke`, or the account has a new API key or was deactivated since it was created.',
    cure: 'Create a new token.',
  },
  TOKEN_NOT_ALLOWED: {
    when: 'The token may only read, or only use its rooms, or the operation or a parameter is not open to tokens.',
    cure: 'Create a token that may write, without `rooms`. For accounts, roles, API keys and invitations, use an API key or log in.',
  },
  ACCOUNT_CHANGED: {
    when: 'The header `Parlance-Account` names another account than that of the login: the cookie or the token has changed.',
    cure: 'Hide the data of the first account. Open a new session, and start again with its account.',
  },
  AUTHENTICATION_FAILED: { when: 'The e-mail address or the password is wrong.', cure: 'Ask the user again.' },
  SECOND_FACTOR_NEEDED: {
    when: 'The password or the reset link is right, but the account or its role needs a second factor. `reason`: `code_missing`, `code_wrong` or `not_set_up`.',
    cure: 'Send `code`: a code of the authenticator app, or a recovery code. `not_set_up`: log in with a browser at `/login` to set it up.',
    data: 'reason',
  },
  USER_DEACTIVATED: {
    when: 'The account that signs in with a password is deactivated.',
    cure: 'Stop. An administrator can reactivate the account (`users.reactivate`).',
  },
  PASSWORD_AUTH_DISABLED: {
    when: 'The organization does not allow passwords.',
    cure: 'Use another sign-in method.',
  },
  UNAUTHORIZED_PRINCIPAL: {
    when: 'The operation is for owners, administrators or members.',
    cure: 'Ask one of them. `session.why` shows the rule.',
  },
  CSRF_FAILED: {
    when: 'The request comes from a page of another site, whatever its credentials.',
    cure: 'If the site is yours, add it to `trustedOrigins`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'A call with other parameters had the same `idempotency_key` in the last 24 hours.',
    cure: 'Use a new key for another call, and the same parameters for a retry. This call changed nothing.',
  },
  TRANSACTION_UNSUITABLE: {
    when: '`within` got a connection without an open transaction, one to another database, or an operation that blocks other writers. Or the transaction ended during the call. In process only.',
    cure: 'Do what `message` says. Call other operations before or after your transaction.',
  },
  NOT_FOUND: {
    when: 'The server has no such path.',
    cure: 'Check the path. Another version of the server may have it.',
  },
  INTERNAL_SERVER_ERROR: {
    when: 'The server has a defect.',
    cure: 'Report it with the ID in `message`: the log has the cause under this ID.',
  },
  RATE_LIMIT_HIT: {
    when: 'The account or address sent too many requests, or this request waited 45 seconds in the queue.',
    cure: 'Wait `retry-after` seconds (also in the header `Retry-After`), then retry. Nothing was changed.',
    data: 'retry-after',
  },
  SERVICE_UNAVAILABLE: {
    when: 'The database is unavailable, the disk for files is full, or too many images wait for thumbnails.',
    cure: 'Wait `retry-after` seconds, then retry if repeating is safe: a sent message may be stored (an `idempotency_key` makes it safe). Without `retry-after`, an administrator must repair the server.',
    data: 'retry-after',
  },
  STREAM_DOES_NOT_EXIST: {
    when: 'The channel does not exist or you may not see it.',
    cure: 'Fetch the channels again.',
    data: 'stream_id or stream',
  },
  CHANNEL_ALREADY_EXISTS: {
    when: 'A channel with this name exists. You may not be able to see it.',
    cure: 'Choose another name, or subscribe to the channel.',
    data: 'channel_name',
  },
  REACTION_ALREADY_EXISTS: { when: 'You have already reacted with this emoji.', cure: 'Nothing.' },
  DIRECT_MESSAGE_REFUSED: {
    when: 'A recipient does not accept direct messages from you.',
    cure: 'Show `message`. Do not retry.',
  },
  REACTION_DOES_NOT_EXIST: { when: 'You have not reacted with this emoji.', cure: 'Nothing.' },
  EXPECTATION_MISMATCH: {
    when: 'The value has changed since you read it.',
    cure: 'Fetch it, then retry.',
  },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    when: 'Some of the messages are too old to be moved.',
    cure: 'Move the messages from `first_message_id_allowed_to_move` on.',
    data: 'first_message_id_allowed_to_move, total_messages_in_topic, total_messages_allowed_to_move',
  },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    when: 'You may not mention all users of this channel.',
    cure: 'Mention fewer users.',
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    when: 'You may not mention all users of this topic.',
    cure: 'Mention fewer users.',
  },
  BAD_NARROW: {
    when: 'The narrow is invalid or names a missing record.',
    cure: 'Correct the term in `desc`.',
    data: 'desc',
  },
  BAD_EVENT_QUEUE_ID: {
    when: 'The queue has expired, was deleted or never existed.',
    cure: 'Call `register` again and fetch the messages that you missed.',
    data: 'queue_id',
  },
  EXTERNAL_ID_IN_USE: {
    when: 'A list of `chat.sync` has the same external ID twice, or it belongs to a channel that is not a room.',
    cure: 'Correct the list, or use another external ID. The chat stays as it was.',
    data: 'list, external_id',
  },
  GROUP_CYCLE: {
    when: 'Groups in a list of `chat.sync` contain each other.',
    cure: 'Remove one of the memberships from the list. The chat stays as it was.',
    data: 'groups',
  },
  FIELD_LOCKED: {
    when: 'The embedding program mirrors this field and has locked it (`lock` of `chat.sync`).',
    cure: 'Change it in that program.',
    data: 'field',
  },
  BAD_IMAGE: {
    when: 'The file is not an image, or it cannot be processed.',
    cure: 'Send PNG, JPEG, GIF, WebP or AVIF.',
  },
  REALM_UPLOAD_QUOTA: {
    when: 'The upload quota of the organization is used up.',
    cure: 'Delete files, or raise `uploadQuotaMebibytes`.',
  },
  EMAIL_ALREADY_IN_USE: {
    when: 'An active or deactivated account has this address, or a list of `chat.sync` has it twice.',
    cure: 'Find it with `users.ensure` or reactivate it with `users.reactivate`.',
  },
  ADOPTION_REFUSED: {
    when: 'An account, channel or group has the address or name, but may belong to another user. Its address is not verified, the channel is private, or `adopt` is `never`.',
    cure: 'Read [Adopting](sync.md#adopting). Pass `adopt: "reset"`, or let the person use a mailed link.',
  },
  PASSWORD_TOO_WEAK: { when: 'The password is too short or easy to guess.', cure: 'Choose a longer password.' },
  INVITATION_FAILED: {
    when: 'Some addresses were not invited. With `sent_invitations: true`, the others were.',
    cure: 'Read `errors`: address, reason, and whether the account is deactivated.',
    data: 'errors, sent_invitations, daily_limit_reached, license_limit_reached',
  },
  INVITATION_UNUSABLE: {
    when: 'The invitation is not valid. `reason` says why.',
    cure: 'Request a new invitation.',
    data: 'reason',
  },
  ADDRESS_NOT_CONFIRMED: {
    when: 'A multi-use invitation needs a confirmed e-mail address.',
    cure: 'Call `invites.confirmAddress`, or pass `confirmedEmail` to `chat.anonymous` if you have verified the address.',
  },
  SYSTEM_GROUP_REQUIRED: {
    when: 'This permission accepts only system groups.',
    cure: 'Use a system group, such as `role:members`.',
    data: 'setting_name',
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    when: 'A permission or another group contains this group.',
    cure: 'Remove it from the places in `objections`.',
    data: 'objections',
  },
  PUSH_SERVICE_NOT_CONFIGURED: {
    when: 'The server has no push relay. For browsers: `notifications` turns them off.',
    cure: 'Set `pushRelay`, or `chatctl serve --push-relay`. For browsers: remove `notifications: { browsers: false }`.',
  },
  NO_ACTIVE_PUSH_DEVICE: { when: 'Your account has no active device.', cure: 'Register a device (`push.register`).' },
  INVALID_PUSH_DEVICE_TOKEN: {
    when: 'You have no device with this token.',
    cure: 'Add the device (`push.addApnsToken`, `push.addFcmToken`).',
  },
  ADMIN_ACTION_REQUIRED: {
    when: 'The push relay rejects this server, or the server has none.',
    cure: "The administrator must set a push relay, or check the server's id and key at the relay.",
  },
  FAILED_TO_CONNECT_BOUNCER: { when: 'The push relay cannot be reached.', cure: 'Retry later.' },
  INTERNAL_SERVER_ERROR_ON_BOUNCER: { when: 'The push relay has an error.', cure: 'Retry later.' },
};

/** The table of codes in the guide to errors. */
export function errorTable(): string {
  const statuses = statusesByCode();
  const rows = Object.entries<Said>(CODES).map(([code, { when, cure, data }]) => {
    const carried = data === undefined ? '' : data.replace(/[\w-]+/g, (name) => (name === 'or' ? name : `\`${name}\``));
    const status = [...(statuses.get(code) ?? [])].sort().join(', ');
    if (status === '') throw new Error(`No class of errors has the code ${code}.`);
    return `| \`${code}\` | ${status} | ${when} | ${cure} | ${carried} |`;
  });
  return ['| Code | Status | When | What to do | `data` |', '| --- | --- | --- | --- | --- |', ...rows, ''].join('\n');
}

/** The statuses of the error classes with each code. */
function statusesByCode(): Map<string, Set<number>> {
  const byCode = new Map<string, Set<number>>();
  for (const made of Object.values(errors)) {
    // Not `instanceof`, which uses a mark that only instances have.
    if (typeof made !== 'function' || !Object.prototype.isPrototypeOf.call(ChatError.prototype, made.prototype))
      continue;
    // The constructor sets code and status. These arguments suit all of them.
    const { code, status } = Reflect.construct(made, [{}, []]) as InstanceType<typeof ChatError>;
    if (code === null) continue;
    const statuses = byCode.get(code) ?? new Set();
    byCode.set(code, statuses.add(status));
  }
  return byCode;
}

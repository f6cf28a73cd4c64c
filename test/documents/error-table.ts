import type { ErrorData } from '../../lib/kernel/error-data.ts';
import * as errors from '../../lib/kernel/errors.ts';
import * as fileErrors from '../../lib/kernel/file-errors.ts';
import * as pushErrors from '../../lib/kernel/push-errors.ts';

const { ChatError } = errors;

interface Said {
  when: string;
  cure: string;
  data?: string;
}

/** Of each code: when it comes, what to do, and what the error carries beside it. */
const CODES: { readonly [C in errors.ErrorCode]: Said & (C extends keyof ErrorData ? { data: string } : object) } = {
  BAD_REQUEST: {
    when: 'Anything without a code of its own: a value that is not valid, something that is not there (or that you may not know of), something you may not do.',
    cure: 'Show `message`. It names the parameter where one is wrong.',
  },
  REQUEST_VARIABLE_MISSING: { when: 'A parameter is missing.', cure: 'Give it.', data: 'var_name' },
  REQUEST_CONFUSING_VAR: {
    when: 'Two names of the same parameter.',
    cure: 'Give one.',
    data: 'var_name1, var_name2',
  },
  UNAUTHORIZED: {
    when: 'No API key, a malformed or a wrong one; it was replaced, or its account is deactivated.',
    cure: 'Sign in again. Do not repeat the call with the same key.',
  },
  AUTHENTICATION_FAILED: { when: 'The address or the password is wrong.', cure: 'Ask the person again.' },
  USER_DEACTIVATED: {
    when: 'Whoever signs in with a password has an account that is deactivated.',
    cure: 'Stop; an administrator can reactivate it (`users.reactivate`).',
  },
  PASSWORD_AUTH_DISABLED: {
    when: 'The organization takes no passwords.',
    cure: 'Sign in another way.',
  },
  UNAUTHORIZED_PRINCIPAL: {
    when: 'Only owners, administrators or members may do this.',
    cure: 'Ask one of them; `session.why` tells which rule it was.',
  },
  CSRF_FAILED: {
    when: "The login of the host came along from another site's page.",
    cure: 'Name the site in `trustedOrigins`, if it is yours.',
  },
  RATE_LIMIT_HIT: {
    when: 'Too many requests, or requests that cost so much that this one waited 45 seconds for its turn.',
    cure: 'Wait so many seconds, also as `Retry-After`, and repeat the call. Nothing was done.',
    data: 'retry-after',
  },
  SERVICE_UNAVAILABLE: {
    when: 'The database cannot be worked on at the moment, the disk for files is full, or too many pictures wait to be made small.',
    cure: 'Wait `retry-after` seconds and repeat what can be repeated: a message that was sent may be there. Without `retry-after` somebody has to see to the server.',
    data: 'retry-after',
  },
  STREAM_DOES_NOT_EXIST: {
    when: 'There is no such channel, or you may not know of it.',
    cure: 'Fetch the channels again.',
    data: 'stream_id or stream',
  },
  CHANNEL_ALREADY_EXISTS: {
    when: 'The name of a channel is taken, perhaps by one you cannot see.',
    cure: 'Choose another, or subscribe to that one.',
    data: 'channel_name',
  },
  REACTION_ALREADY_EXISTS: { when: 'You have reacted with this emoji.', cure: 'Nothing; it is as you wanted.' },
  REACTION_DOES_NOT_EXIST: { when: 'You have not reacted with this emoji.', cure: 'Nothing; it is as you wanted.' },
  EXPECTATION_MISMATCH: {
    when: 'The value has changed since you read it.',
    cure: 'Fetch it, and try again.',
  },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    when: 'Some of the messages are too old to be moved.',
    cure: 'Move those from the first ID that may be moved on.',
    data: 'first_message_id_allowed_to_move, total_messages_in_topic, total_messages_allowed_to_move',
  },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    when: 'You may not mention everybody in this channel.',
    cure: 'Mention fewer.',
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: { when: 'Likewise in a topic.', cure: 'Mention fewer.' },
  BAD_NARROW: {
    when: 'The narrow is not valid, or names what is not there.',
    cure: 'Mend the term that `desc` names.',
    data: 'desc',
  },
  BAD_EVENT_QUEUE_ID: {
    when: 'The queue has expired, was deleted, or never was.',
    cure: '`register` anew, and fetch what you may have missed.',
    data: 'queue_id',
  },
  BAD_IMAGE: { when: 'The file is no picture that can be worked on.', cure: 'Send PNG, JPEG, GIF, WebP or AVIF.' },
  REALM_UPLOAD_QUOTA: {
    when: 'The organization has no room left for files.',
    cure: 'Remove some, or raise `uploadQuotaMebibytes`.',
  },
  EMAIL_ALREADY_IN_USE: {
    when: 'There is an account with this address, active or not.',
    cure: '`users.ensure` finds it; `users.reactivate` brings it back.',
  },
  PASSWORD_TOO_WEAK: { when: 'Too short, or easily guessed.', cure: 'Choose a longer one.' },
  INVITATION_FAILED: {
    when: 'Some addresses could not be invited. With `sent_invitations: true` the others were.',
    cure: 'Look at `errors`: address, reason, and whether the account is deactivated.',
    data: 'errors, sent_invitations, daily_limit_reached, license_limit_reached',
  },
  INVITATION_UNUSABLE: {
    when: 'The invitation lets nobody in; `reason` says why.',
    cure: 'Ask for another one.',
    data: 'reason',
  },
  ADDRESS_NOT_CONFIRMED: {
    when: 'A link for many, and the address is not confirmed yet.',
    cure: '`invites.confirmAddress`, or `confirmedEmail` of `chat.anonymous` where you know.',
  },
  SYSTEM_GROUP_REQUIRED: {
    when: 'This permission takes system groups alone.',
    cure: 'Give one, such as `role:members`.',
    data: 'setting_name',
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    when: 'The group is in a permission or in another group.',
    cure: 'Take it out where `objections` say.',
    data: 'objections',
  },
  PUSH_SERVICE_NOT_CONFIGURED: {
    when: 'This server notifies no phones.',
    cure: 'Set `pushRelay`, or `chatctl serve --push-relay`.',
  },
  NO_ACTIVE_PUSH_DEVICE: { when: 'You have no device that can be notified.', cure: 'Register one (`push.register`).' },
  ADMIN_ACTION_REQUIRED: {
    when: 'The push relay does not take this server.',
    cure: 'Whoever runs the server sees to its id and key at the relay.',
  },
  FAILED_TO_CONNECT_BOUNCER: { when: 'The push relay cannot be reached.', cure: 'Try again later.' },
  INTERNAL_SERVER_ERROR_ON_BOUNCER: { when: 'The push relay has a fault.', cure: 'Try again later.' },
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

/** The statuses of each code, of the classes that have it. */
function statusesByCode(): Map<string, Set<number>> {
  const byCode = new Map<string, Set<number>>();
  for (const made of Object.values({ ...errors, ...fileErrors, ...pushErrors })) {
    // Not `instanceof`, which goes by a mark that instances alone have.
    if (typeof made !== 'function' || !Object.prototype.isPrototypeOf.call(ChatError.prototype, made.prototype))
      continue;
    // Code and status are set by the constructor, whose arguments differ; these suit all of them.
    const { code, status } = Reflect.construct(made, [{}, []]) as InstanceType<typeof ChatError>;
    if (code === null) continue;
    const statuses = byCode.get(code) ?? new Set();
    byCode.set(code, statuses.add(status));
  }
  return byCode;
}

import assert from 'node:assert/strict';
import {
  AddressNotConfirmed,
  AdminActionRequired,
  AuthenticationFailed,
  BadEventQueueId,
  BadImage,
  BadNarrow,
  BadRequest,
  CannotDeactivateGroupInUse,
  ChannelAlreadyExists,
  DoesNotExist,
  EmailAlreadyInUse,
  ExpectationMismatch,
  ExternalIdInUse,
  FailedToConnectBouncer,
  FieldLocked,
  FileForbidden,
  IdempotencyKeyReused,
  InternalServerErrorOnBouncer,
  InvalidPushDeviceToken,
  InvitationFailed,
  InvitationUnusable,
  MoveMessagesTimeLimitExceeded,
  NoActivePushDevice,
  NoSuchFile,
  type Operation,
  PasswordAuthDisabled,
  PasswordTooWeak,
  PushServiceNotConfigured,
  ReactionAlreadyExists,
  ReactionDoesNotExist,
  RealmUploadQuota,
  RequestConfusingVariable,
  routesOf,
  StreamDoesNotExist,
  StreamWildcardMentionNotAllowed,
  SystemGroupRequired,
  TopicWildcardMentionNotAllowed,
  UnauthorizedPrincipal,
  UserDeactivated,
} from '../../lib/internal.ts';
import type { Outcome } from './transports.ts';

/** Code on the wire of every error an operation may declare. */
const CODES = new Map<unknown, string>([
  [AddressNotConfirmed, 'ADDRESS_NOT_CONFIRMED'],
  [AdminActionRequired, 'ADMIN_ACTION_REQUIRED'],
  [AuthenticationFailed, 'AUTHENTICATION_FAILED'],
  [BadEventQueueId, 'BAD_EVENT_QUEUE_ID'],
  [BadImage, 'BAD_IMAGE'],
  [BadNarrow, 'BAD_NARROW'],
  [BadRequest, 'BAD_REQUEST'],
  [ChannelAlreadyExists, 'CHANNEL_ALREADY_EXISTS'],
  [DoesNotExist, 'BAD_REQUEST'],
  [CannotDeactivateGroupInUse, 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
  [SystemGroupRequired, 'SYSTEM_GROUP_REQUIRED'],
  [EmailAlreadyInUse, 'EMAIL_ALREADY_IN_USE'],
  [ExpectationMismatch, 'EXPECTATION_MISMATCH'],
  [ExternalIdInUse, 'EXTERNAL_ID_IN_USE'],
  [FieldLocked, 'FIELD_LOCKED'],
  [FailedToConnectBouncer, 'FAILED_TO_CONNECT_BOUNCER'],
  [IdempotencyKeyReused, 'IDEMPOTENCY_KEY_REUSED'],
  [InternalServerErrorOnBouncer, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
  [InvalidPushDeviceToken, 'INVALID_PUSH_DEVICE_TOKEN'],
  [InvitationFailed, 'INVITATION_FAILED'],
  [InvitationUnusable, 'INVITATION_UNUSABLE'],
  [MoveMessagesTimeLimitExceeded, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'],
  [NoActivePushDevice, 'NO_ACTIVE_PUSH_DEVICE'],
  [PasswordAuthDisabled, 'PASSWORD_AUTH_DISABLED'],
  [PasswordTooWeak, 'PASSWORD_TOO_WEAK'],
  [NoSuchFile, 'BAD_REQUEST'],
  [FileForbidden, 'BAD_REQUEST'],
  [RealmUploadQuota, 'REALM_UPLOAD_QUOTA'],
  [PushServiceNotConfigured, 'PUSH_SERVICE_NOT_CONFIGURED'],
  [ReactionAlreadyExists, 'REACTION_ALREADY_EXISTS'],
  [ReactionDoesNotExist, 'REACTION_DOES_NOT_EXIST'],
  [RequestConfusingVariable, 'REQUEST_CONFUSING_VAR'],
  [StreamDoesNotExist, 'STREAM_DOES_NOT_EXIST'],
  [StreamWildcardMentionNotAllowed, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
  [TopicWildcardMentionNotAllowed, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
  [UnauthorizedPrincipal, 'UNAUTHORIZED_PRINCIPAL'],
  [UserDeactivated, 'USER_DEACTIVATED'],
]);

/** What the steps before an operation may refuse with, whatever the operation declares. */
function codesBefore(operation: Operation): string[] {
  const codes: string[] = [];
  if (Object.keys(operation.params).length > 0) codes.push('REQUEST_VARIABLE_MISSING', 'BAD_REQUEST');
  // A path whose ID is no integer.
  if (routesOf(operation).some(({ path }) => path.includes('{'))) codes.push('NOT_FOUND');
  if (operation.access !== 'anyone') codes.push('UNAUTHORIZED');
  if (operation.access === 'administrator' || operation.access === 'owner') codes.push('UNAUTHORIZED_PRINCIPAL');
  if (['member', 'human', 'human member'].includes(operation.access)) codes.push('BAD_REQUEST');
  return codes;
}

export function assertDeclared(operation: Operation, refusal: Extract<Outcome, { refusal: object }>['refusal']): void {
  const declared = operation.errors.map((one) => {
    const code = CODES.get(one);
    assert.ok(code, `${operation.name} declares an error unknown to this test`);
    return code;
  });
  const allowed = [...declared, ...codesBefore(operation)];
  assert.ok(
    refusal.code && allowed.includes(refusal.code),
    `${operation.name} does not declare ${refusal.code}: ${refusal.message}`,
  );
}

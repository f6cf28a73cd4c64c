import { ChatError, fixed } from './chat-error.ts';

export class PushServiceNotConfigured extends /* @__PURE__ */ fixed(
  'PUSH_SERVICE_NOT_CONFIGURED',
  'This server is not set up for mobile push notifications.',
) {}

export class NoActivePushDevice extends /* @__PURE__ */ fixed(
  'NO_ACTIVE_PUSH_DEVICE',
  'You have no registered device that can receive notifications. Register one first.',
) {}

export class InvalidPushDeviceToken extends /* @__PURE__ */ fixed(
  'INVALID_PUSH_DEVICE_TOKEN',
  'You have no device with this token.',
) {}

/** The operator of the server must fix the setup of the push relay. */
export class AdminActionRequired extends ChatError {
  constructor(
    message = 'The push relay does not accept notifications from this server. Ask the administrator of the server.',
  ) {
    super(message, 'ADMIN_ACTION_REQUIRED', 403);
  }
}

export class FailedToConnectBouncer extends /* @__PURE__ */ fixed(
  'FAILED_TO_CONNECT_BOUNCER',
  'The push relay cannot be reached. Retry later.',
  502,
) {}

export class InternalServerErrorOnBouncer extends /* @__PURE__ */ fixed(
  'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  'The push relay reported an error. Retry later.',
  502,
) {}

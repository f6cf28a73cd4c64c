import { ChatError } from './errors.ts';

export class PushServiceNotConfigured extends ChatError {
  constructor() {
    super('This server is not set up for mobile push notifications.', 'PUSH_SERVICE_NOT_CONFIGURED');
  }
}

/** The caller has no registered device, or the given device is not registered yet. */
export class NoActivePushDevice extends ChatError {
  constructor() {
    super('You have no registered device that can receive notifications. Register one first.', 'NO_ACTIVE_PUSH_DEVICE');
  }
}

/** The operator of the server must fix the setup of the push relay. */
export class AdminActionRequired extends ChatError {
  constructor() {
    super(
      'The push relay does not accept notifications from this server. Ask the administrator of the server.',
      'ADMIN_ACTION_REQUIRED',
      403,
    );
  }
}

export class FailedToConnectBouncer extends ChatError {
  constructor() {
    super('The push relay cannot be reached. Retry later.', 'FAILED_TO_CONNECT_BOUNCER', 502);
  }
}

export class InternalServerErrorOnBouncer extends ChatError {
  constructor() {
    super('The push relay reported an error. Retry later.', 'INTERNAL_SERVER_ERROR_ON_BOUNCER', 502);
  }
}

import { ChatError } from './errors.ts';

/** This server sends no notifications to phones. */
export class PushServiceNotConfigured extends ChatError {
  constructor() {
    super('This server sends no notifications to phones.', 'PUSH_SERVICE_NOT_CONFIGURED');
  }
}

/** No device of the caller's, or not the one that is meant, can be notified: none is registered, or not yet. */
export class NoActivePushDevice extends ChatError {
  constructor() {
    super('You have no registered device that can be notified.', 'NO_ACTIVE_PUSH_DEVICE');
  }
}

/** Whoever runs the server must see to its push relay. */
export class AdminActionRequired extends ChatError {
  constructor() {
    super(
      'The push relay does not take notifications of this server; ask whoever runs the server.',
      'ADMIN_ACTION_REQUIRED',
      403,
    );
  }
}

export class FailedToConnectBouncer extends ChatError {
  constructor() {
    super('The push relay cannot be reached; try again later.', 'FAILED_TO_CONNECT_BOUNCER', 502);
  }
}

export class InternalServerErrorOnBouncer extends ChatError {
  constructor() {
    super('The push relay has a fault; try again later.', 'INTERNAL_SERVER_ERROR_ON_BOUNCER', 502);
  }
}

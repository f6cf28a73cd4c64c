import { type Changes, type PlainCalls, UNSEEN } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'tokens.create': () => ({ ttl_seconds: 600 }),
  'tokens.revoke': () => ({}),
};

export const changes: Changes = {
  'tokens.create': UNSEEN,
  'tokens.revoke': UNSEEN,
};

import { type Changes, type PlainCalls, UNSEEN } from '../../../world/calls.ts';
import { PASSWORD } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  fetchApiKey: () => ({ username: 'hamlet@example.com', password: PASSWORD }),
  devFetchApiKey: () => ({ username: 'hamlet@example.com' }),
  devListUsers: () => ({}),
  'users.setPassword': ({ users }) => ({ user_id: users.cordelia, password: 'the play is the thing' }),
  'users.getApiKey': ({ users }) => ({ user_id: users.cordelia }),
  'users.unlock': ({ users }) => ({ user_id: users.cordelia }),
  'users.endLogins': ({ users }) => ({ user_id: users.cordelia }),
};

export const changes: Changes = {
  fetchApiKey: UNSEEN,
  devFetchApiKey: UNSEEN,
  'users.setPassword': UNSEEN,
  'users.unlock': UNSEEN,
  'users.endLogins': UNSEEN,
};

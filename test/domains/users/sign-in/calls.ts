import { type Changes, type PlainCalls, UNSEEN } from '../../../world/calls.ts';
import { PASSWORD } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  fetchApiKey: () => ({ username: 'hamlet@example.com', password: PASSWORD }),
  devFetchApiKey: () => ({ username: 'hamlet@example.com' }),
};

export const changes: Changes = {
  fetchApiKey: UNSEEN,
  devFetchApiKey: UNSEEN,
};

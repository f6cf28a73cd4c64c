import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { playgroundObject, playgroundView } from './playground.ts';

export const listPlaygrounds = defineOperation({
  name: 'playgrounds.list',
  http: 'GET /realm/playgrounds',
  summary: 'List code playgrounds',
  access: 'user',
  effect: 'read',
  params: v.object({}),
  result: v.object({ realm_playgrounds: v.array(playgroundObject) }),
  errors: [],
  async run({ tx }) {
    return { realm_playgrounds: (await tx.playgrounds.all()).map(playgroundView) };
  },
});

import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { playgroundObject } from './playground.ts';

export const listPlaygrounds = defineOperation({
  name: 'playgrounds.list',
  http: 'GET /realm/playgrounds',
  summary: 'List code playgrounds',
  access: 'user',
  result: v.object({ realm_playgrounds: v.array(playgroundObject) }),
  async run({ tx }) {
    return { realm_playgrounds: await tx.playgrounds.all() };
  },
});

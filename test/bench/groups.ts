import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const PEOPLE = 10_000;
const DEPTH = 10;
const CHECKS = 2_000;
const ADDED = 5_000;

export const groups: Benchmark = {
  names: ['permission_check', 'group_edit'],
  async run(kit) {
    const child = kit.start('groups');
    const given = { database: kit.newDatabase(), bareDatabase: kit.newDatabase(), people: PEOPLE, depth: DEPTH };
    await child.ask('start', given);
    const asking = (question: string, more: object) => () => child.ask<number>(question, more);
    const times = { times: CHECKS };
    const people = { people: ADDED };
    return [
      {
        name: 'permission_check',
        ...summary(await alternate(15, 3, asking('select', times), asking('check', times))),
        bound: { atMost: 5 },
        unit: 'us',
        note: `a permission through ${DEPTH} nested groups with ${PEOPLE} members, compared with one select by ID; each in a transaction`,
      },
      {
        name: 'group_edit',
        ...summary(await alternate(15, 3, asking('insert', people), asking('add', people))),
        bound: { atMost: 5 },
        unit: 'ms',
        note: `${ADDED} members added in one call, durable and with its event, compared with a bare transaction of as many rows`,
      },
    ];
  },
};

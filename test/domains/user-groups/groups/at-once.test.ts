import assert from 'node:assert/strict';
import { ChatError } from '../../../../lib/index.ts';
import { holdUntil } from '../../../contract/fixtures.ts';
import { testOn } from '../../../support/engines.ts';
import { until } from '../../../support/until.ts';
import { bothEngines, postgresEngine } from '../../../world/copies.ts';
import { openWorld, type World } from '../../../world/world.ts';

const nesting = ({ as }: World, user_group_id: number, add: number) =>
  as('owner').userGroups.updateSubgroups({ user_group_id, add: [add] });

testOn(postgresEngine)(
  'G9: of two transactions that together nest groups in a cycle, the second is refused',
  async () => {
    const place = await postgresEngine.place();
    const here = await openWorld(place.fixture, place.storage());
    const there = await openWorld(place.fixture, place.storage());
    try {
      const { hamletcharacters, kitchen } = here.groups;
      let isAsked = false;
      let isInside = false;
      const first = here.storage.write(async (tx) => {
        await tx.groups.addSubgroups(hamletcharacters, [kitchen]);
        isInside = true;
        await holdUntil(tx, () => isAsked);
      });
      await until('the first write is under way', () => isInside);
      const second = nesting(there, kitchen, hamletcharacters).then(
        () => undefined,
        (error: unknown) => error,
      );
      // The second has started and waits for the first. It has not read the groups yet.
      await new Promise((resolve) => setTimeout(resolve, 100));
      isAsked = true;
      await first;
      const error = await second;
      assert.ok(error instanceof ChatError && error.code === 'BAD_REQUEST', String(error));
      assert.match(error.message, /contains "kitchen"/);
      const { nestings } = await here.storage.read(async (tx) => ({ nestings: await tx.groups.nestings() }));
      assert.ok(!nestings.some((pair) => pair.group_id === kitchen && pair.subgroup_id === hamletcharacters));
    } finally {
      await there.close();
      await here.close();
      await place.remove();
    }
  },
);

for (const engine of bothEngines) {
  testOn(engine)(
    `G9: of two concurrent requests that together nest groups in a cycle, one is refused (${engine.name})`,
    async () => {
      const world = await engine.world();
      try {
        const { hamletcharacters, kitchen } = world.groups;
        const settled = await Promise.allSettled([
          nesting(world, kitchen, hamletcharacters),
          nesting(world, hamletcharacters, kitchen),
        ]);
        assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      } finally {
        await world.close();
      }
    },
  );

  testOn(engine)(
    `refusing to deactivate a group takes the same statements for 10,000 channels (${engine.name})`,
    async () => {
      const world = await engine.world();
      try {
        const { storage, groups, users, as } = world;
        const counter = storage as unknown as { statements: number };
        const objections = async () => {
          const before = counter.statements;
          const refusal: unknown = await as('owner')
            .userGroups.deactivate({ user_group_id: groups.kitchen })
            .catch((error: unknown) => error);
          assert.ok(refusal instanceof ChatError && refusal.code === 'CANNOT_DEACTIVATE_GROUP_IN_USE', String(refusal));
          return { count: (refusal.data.objections as unknown[]).length, statements: counter.statements - before };
        };
        const fill = (from: number, to: number) =>
          storage.write(async (tx) => {
            const numbers = Array.from({ length: to - from }, (_, at) => from + at);
            await tx.channels.create(numbers.map((n) => channel(`channel ${n}`, groups.kitchen, users.owner)));
          });
        await fill(0, 2);
        // The first call fills the caches.
        await objections();
        const few = await objections();
        await fill(2, 10_000);
        const many = await objections();
        assert.deepEqual([few.count, many.count], [2, 10_000]);
        assert.equal(many.statements, few.statements);
      } finally {
        await world.close();
      }
    },
  );
}

const channel = (name: string, group: number, creator_id: number) => ({
  external_id: null,
  name,
  description: '',
  rendered_description: '',
  creator_id,
  created_ms: 0,
  invite_only: false,
  history_public_to_subscribers: true,
  is_web_public: false,
  is_archived: false,
  is_default: false,
  topics_policy: 'inherit' as const,
  message_retention_days: null,
  folder_id: null,
  settings: { can_send_message_group: group },
});

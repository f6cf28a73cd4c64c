import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import type { QueuedEvent, Session } from '../../../lib/chat/session.ts';
import type { SharedState, SharingTarget } from '../../../lib/client/store/shared-feed.ts';
import { browserLocks, SharedFeed } from '../../../lib/client/store/shared-feed.ts';
import type { Status } from '../../../lib/client/store/types.ts';
import { Gate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';

/** The last event in the state that the leader passes on. */
const INCLUDED = 5;

/** A tab that follows, and the channel of the tab that leads. */
async function following(t: TestContext) {
  const name = `shared feed ${crypto.randomUUID()}`;
  const gate = new Gate();
  // Versions of Node that have locks would let the tab lead.
  const locks = browserLocks();
  if (locks) {
    await new Promise<void>((resolve) => {
      const lead = () => {
        resolve();
        return gate.opened;
      };
      void locks.request(name, {}, lead);
    });
  }
  const applied: number[] = [];
  const statuses: Status['state'][] = [];
  const target: SharingTarget = {
    reset: () => undefined,
    apply: (events) => applied.push(...events.map(({ id }) => id)),
    setStatus: ({ state }) => statuses.push(state),
    dump: () => undefined,
  };
  const leader = new BroadcastChannel(name);
  const feed = new SharedFeed({} as Session, target, name);
  t.after(async () => {
    await feed.stop();
    leader.close();
    gate.open();
  });
  const hello = once(leader as unknown as EventTarget, 'message');
  void feed.run();
  const [{ data }] = (await hello) as [{ data: { from: string } }];
  const state = { initial: { queue_id: 'q', last_event_id: INCLUDED }, me: { user_id: 9 } } as unknown as SharedState;
  leader.postMessage({ type: 'state', to: data.from, state, status: { state: 'live' } });
  await until('the tab has the state', () => statuses.includes('live'));
  return { leader, applied, statuses };
}

const eventsOf = (ids: readonly number[]) => ids.map((id) => ({ id, type: 'heartbeat' })) as unknown as QueuedEvent[];

describe('a tab that follows another one', () => {
  for (const [what, sent, applied] of [
    ['new events', [[6], [7, 8]], [6, 7, 8]],
    [
      'events that the state includes',
      [
        [4, 5],
        [5, 6],
      ],
      [6],
    ],
    ['the same events of two leaders', [[6, 7], [7], [6, 7, 8]], [6, 7, 8]],
    ['no events', [[]], []],
  ] as const)
    it(`applies ${what} once`, async (t) => {
      const tab = await following(t);
      for (const ids of sent) tab.leader.postMessage({ type: 'events', events: eventsOf(ids) });
      tab.leader.postMessage({ type: 'status', status: { state: 'behind' } });
      await until('all is received', () => tab.statuses.includes('behind'));
      assert.deepEqual(tab.applied, applied);
    });
});

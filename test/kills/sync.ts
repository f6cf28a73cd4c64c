import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { openChat } from '../../lib/index.ts';
import { mirrored, type SyncerOptions } from './syncer.ts';
import { ENGINES, killedProgram } from './victims.ts';

/** Syncs so many users. */
export function killSync(people: number, engines = ENGINES): void {
  describe('a process that syncs users is killed', () => {
    /** Kills the process after its second report. */
    async function killed(options: SyncerOptions): Promise<void> {
      const child = spawn(process.execPath, [await killedProgram('syncer'), JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const end = once(child, 'close');
      let told = '';
      for await (const text of child.stdout) {
        told += String(text);
        if (told.split('+').length > 2) child.kill('SIGKILL');
      }
      await end;
      assert.ok(!told.includes('='), 'the process was killed in the middle');
    }

    for (const { name, place: makePlace, skip } of engines) {
      test(`a repeated sync finishes the work of a killed one, on ${name}`, {
        ...(skip ? { skip } : {}),
        timeout: 240_000,
      }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const owner = { email: 'ada@example.com', full_name: 'Ada' };
        const chat = await openChat({ storage: place.storage() });
        const { user_id } = await chat.createOrganization({ name: 'Kills', owner });
        await chat.close();
        await killed({ ...place.options, people });
        const again = await openChat({ storage: place.storage() });
        t.after(() => again.close());
        const lists = () => ({ channels: [{ external_id: 'team', name: 'Team' }], users: mirrored(people) });
        const { counts } = await again.sync(lists(), { onChange: () => undefined });
        assert.ok(counts.created > 0 && counts.created < people, JSON.stringify(counts));
        assert.equal(counts.created + counts.unchanged, people + 1, JSON.stringify(counts));
        const { counts: third } = await again.sync(lists());
        assert.equal(third.unchanged, people + 1, JSON.stringify(third));
        const { members } = await again.as(user_id).users.list({ include_external_ids: true });
        assert.equal(members.filter(({ external_id }) => external_id !== undefined).length, people);
        const stream_id = (await again.idOf('channel', 'team')) ?? assert.fail();
        const { subscribers } = await again.as(user_id).channels.subscribers({ stream_id });
        assert.equal(subscribers.length, people);
      });
    }
  });
}

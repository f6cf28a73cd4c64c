import assert from 'node:assert/strict';
import { smtp } from '../../../../lib/index.ts';
import { testOn } from '../../../support/engines.ts';
import { openMailbox } from '../../../support/mailbox.ts';
import { bothEngines } from '../../../world/copies.ts';

const [engine] = bothEngines;

testOn(engine ?? {})(
  'an administrator who sets the own password gets an e-mail: it may be a stolen API key',
  async (t) => {
    const box = await openMailbox(t);
    const world = await engine?.world({ mail: smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 }) });
    assert.ok(world);
    t.after(() => world.close());
    const { owner } = world.users;
    await world
      .as('owner')
      .users.setPassword({ user_id: owner, password: 'the play is the thing', keep_api_key: true });
    await world.chat.runDue();
    const [letter] = box.letters;
    assert.match(letter?.subject ?? '', /^Your password for .* was changed$/);
    assert.match(letter?.text ?? '', /Your own account set it\./);
  },
);

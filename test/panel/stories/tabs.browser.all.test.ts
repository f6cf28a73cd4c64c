import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { until } from '../../support/until.ts';
import { rowsWith, type Seat, send, stage, story } from './stage.ts';

const TABS = 12;
const PLACE = { channel: 'Verona', topic: 'harbour' };

story(
  'twelve tabs share one poll, and another tab takes over when the first is closed',
  [{ size: 'desktop' }, { size: 'phone', scheme: 'dark', direction: 'rtl' }],
  async (t, look) => {
    const chat = await stage(t);
    /** Requests for events that wait for their response. */
    const polls = new Set<IncomingMessage>();
    let registrations = 0;
    chat.server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      if (req.method === 'POST' && req.url === '/api/v1/register') registrations += 1;
      if (!/^\/api\/v1\/events(\/stream)?\?/.test(req.url ?? '')) return;
      polls.add(req);
      res.on('close', () => polls.delete(req));
    });
    const at = `#narrow/channel/${await chat.channel('Verona')}/topic/harbour`;
    const first = await chat.open('hamlet', { ...look, at });
    const others: Seat[] = [];
    while (others.length < TABS - 1) {
      others.push(await chat.open('hamlet', { ...look, at, beside: first.context }));
    }
    await chat.say('iago', PLACE, 'To all tabs');
    for (const { page } of [first, ...others]) await rowsWith(page, 'To all tabs').waitFor();
    assert.equal(registrations, 1);
    await until('one poll waits', () => polls.size === 1);

    await first.page.close();
    await chat.say('iago', PLACE, 'To the other tabs');
    for (const { page } of others) await rowsWith(page, 'To the other tabs').waitFor();
    assert.equal(registrations, 1, 'the queue is the same');
    await until('one poll waits', () => polls.size === 1);
    const [second, third] = others;
    assert.ok(second && third);
    await send(second.page, 'From a tab');
    for (const { page } of others) {
      await rowsWith(page, 'From a tab').and(page.locator('[data-id]')).waitFor();
      assert.equal(await rowsWith(page, 'From a tab').count(), 1);
      assert.equal(await rowsWith(page, 'To the other tabs').count(), 1);
    }
  },
);

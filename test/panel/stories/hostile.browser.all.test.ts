/** Stories of hostile content, and of a guest with few permissions. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { untilEqual } from '../../support/until.ts';
import { goTo, heading, sidebar, sidebarLink } from '../app/app.ts';
import { axe, composer, type Look, rareStory, rowsWith, stage, story } from './stage.ts';

const DESKTOP: Look = { size: 'desktop' };
const PHONE: Look = { size: 'phone', scheme: 'dark' };

const HANDLERS = '<img src=x onerror="pwned=1"><svg onload="pwned=1"><script>pwned=1</script>';

const HOSTILE: readonly string[] = [
  HANDLERS,
  '<style>* { display: none !important }</style><link rel=stylesheet href="//a.example/x.css">',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe><object data="javascript:pwned=1"></object>',
  '[a](javascript:pwned=1) [b](JaVaScRiPt:pwned=1) [c](data:text/html,<script>pwned=1</script>) [d](vbscript:x)',
  '[e](//a.example/javascript:pwned=1) [f](&#106;avascript:pwned=1) <javascript:pwned=1>',
  '![g](javascript:pwned=1) ![h](x" onerror="pwned=1)',
  '```spoiler </div></div><details open ontoggle="pwned=1"><summary>\nhidden <img src=x onerror=pwned=1>\n```',
  '<div class="spoiler-block"><div class="spoiler-header">forged</div><div class="spoiler-content">shown</div></div>',
  '<span class="user-mention" data-user-id="1">@forged</span> <time datetime="x" onclick="pwned=1">now</time>',
  '```"onload="pwned=1"\ncode\n```',
  '$$ \\href{javascript:pwned=1}{x} \\style{position:fixed}{y} \\htmlData{onclick=pwned=1}{z} $$',
  `| <img src=x onerror=pwned=1> | b |\n|---|---|\n| \`<script>pwned=1</script>\` | ${HANDLERS} |`,
  `${'>'.repeat(3000)} deep`,
  `${'* '.repeat(2000)} deep`,
  `${'['.repeat(4000)}x${'](y)'.repeat(1000)}`,
  `${'~~~ quote\n'.repeat(900)}deep`,
  `${'**_'.repeat(2500)}deep`,
  `${'\u202e'.repeat(50)}reversed ${'Z\u0300\u0301\u0302'.repeat(500)}`,
];

story('hostile messages and names do nothing', [DESKTOP, PHONE], async (t, look) => {
  const chat = await stage(t);
  const name = '<img src=x onerror=pwned=1>';
  const { id } = await chat.as('desdemona').channels.create({
    ...{ name, description: HANDLERS.slice(0, 900), subscribers: [chat.account('hamlet').user_id] },
  });
  const topic = '</a><script>pwned=1</script>';
  const ids: number[] = [];
  for (const content of HOSTILE) ids.push(await chat.say('desdemona', { channel: name, topic }, content));
  const { page } = await chat.open('hamlet', { ...look, at: `#narrow/channel/${id}` });
  await heading(page, name).waitFor();
  await rowsWith(page, 'reversed').waitFor();
  await assertHarmless(page);
  // Text that looks like a spoiler is text, and the real spoiler is closed.
  await rowsWith(page, 'forged').first().waitFor();
  await untilEqual(() => page.locator('details[open]').count(), 0);
  const summaries = await page.locator('.rendered_markdown summary').all();
  assert.ok(summaries.length > 0);
  for (const summary of summaries) await summary.click();
  const links = await page.locator('.rendered_markdown a[href]').all();
  assert.ok(links.length > 0);
  for (const link of links)
    assert.match(String(await link.evaluate((a: HTMLAnchorElement) => a.href)), /^(https?|mailto):/);
  await goTo(page, `#narrow/channel/${id}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`);
  await heading(page, topic).waitFor();
  await composer(page).fill(HANDLERS);
  await composer(page).press('Control+Enter');
  await rowsWith(page, HANDLERS.slice(0, 30)).last().waitFor();
  await goTo(page, `#narrow/search/${encodeURIComponent('pwned').replaceAll('%', '.')}`);
  await rowsWith(page, 'pwned').first().waitFor();
  await goTo(page, '#channels/browse');
  await page.getByRole('main').getByText(name).first().waitFor();
  await assertHarmless(page);
  // The app continues to work.
  await goTo(page, '#inbox');
  await heading(page, 'Inbox').waitFor();
});

async function assertHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const root = document.querySelector('parlance-panel')?.shadowRoot;
    const content = [...(root?.querySelectorAll('.rendered_markdown *') ?? [])];
    const wrong = content.flatMap((element) => [
      ...element.getAttributeNames().filter((name) => /^(on|style$|srcdoc|formaction)/.test(name)),
      ...(/^(script|style|iframe|object|embed|form|link|base)$/.test(element.localName) ? [element.localName] : []),
      ...(/^\s*(javascript|data|vbscript):/i.test(element.getAttribute('href') ?? '') ? ['href'] : []),
    ]);
    return [(globalThis as { pwned?: unknown }).pwned ?? 'nothing', ...wrong];
  });
  assert.deepEqual(found, ['nothing']);
}

rareStory('a guest who may not see all users sees those of shared channels', [PHONE, DESKTOP], async (t, look) => {
  const chat = await stage(t);
  const owner = chat.as('desdemona');
  const [polonius, iago] = [chat.account('polonius').user_id, chat.account('iago').user_id];
  const { user_groups } = await owner.userGroups.list({ include_deactivated_groups: false });
  const members = user_groups.find(({ name }) => name === 'role:members')?.id;
  assert.ok(members);
  await owner.organization.edit({ can_access_all_users_group: { new: members } });
  for (const channel of ['Denmark', 'Verona', 'sandbox'])
    await owner.subscriptions.remove({ subscriptions: [channel], principals: [polonius] });
  const { id } = await owner.channels.create({ name: 'visitors', subscribers: [polonius, iago] });
  await chat.say('iago', { channel: 'visitors', topic: 'hello' }, 'Welcome, @**Polonius**.');
  // Sends without a subscription.
  await chat.say('othello', { channel: 'visitors', topic: 'hello' }, 'Hello from somewhere else');
  const { page } = await chat.open('polonius', { ...look, at: `#narrow/channel/${id}/topic/hello` });
  await rowsWith(page, 'Welcome, @Polonius.').waitFor();
  const stranger = rowsWith(page, 'Hello from somewhere else');
  await stranger.waitFor();
  assert.doesNotMatch((await stranger.textContent()) ?? '', /Othello/);
  await axe(page);
  await composer(page).click();
  await page.keyboard.type('@ia');
  await page.getByRole('option', { name: /Iago/ }).first().waitFor();
  await page.keyboard.press('Escape');
  await composer(page).fill('');
  await page.keyboard.type('@oth');
  await composer(page).press('End');
  await page.keyboard.type('e');
  await page.waitForTimeout(1_000);
  await untilEqual(() => page.getByRole('option', { name: /Othello/ }).count(), 0);
  await composer(page).fill('Thank you');
  await composer(page).press('Control+Enter');
  await rowsWith(page, 'Thank you').and(page.locator('[data-id]')).waitFor();

  await goTo(page, '#people');
  await heading(page, 'People').waitFor();
  await page.getByText('Iago').first().waitFor();
  await untilEqual(() => page.getByText('Othello').count(), 0);
  await axe(page);
  await goTo(page, '#channels/browse');
  await page.getByRole('link', { name: 'visitors' }).last().waitFor();
  for (const channel of ['Rome', 'Venice', 'core team']) assert.equal(await page.getByText(channel).count(), 0);
  await axe(page);
  await goTo(page, '#inbox');
  if (look.size === 'desktop') {
    await untilEqual(() => sidebar(page).getByText('Othello').count(), 0);
    await sidebarLink(page, 'visitors').waitFor();
  }
});

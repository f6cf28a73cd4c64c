import assert from 'node:assert/strict';
import { untilLive } from '../app/app.ts';
import { axe, composer, rowsWith, stage, story } from './stage.ts';

story(
  'the link of the demo opens a chat, once',
  [{ size: 'desktop' }, { size: 'phone', scheme: 'dark' }],
  async (t, look) => {
    const chat = await stage(t);
    const { page } = await chat.blank(look);
    await page.goto(`${chat.url}${chat.link}`);
    await untilLive(page);
    assert.equal(page.url(), `${chat.url}/`);
    await axe(page);
    await page.goto(`${chat.url}/#narrow/channel/${await chat.channel('Verona')}/topic/welcome`);
    await rowsWith(page, 'Welcome to the demo').waitFor();
    await composer(page).waitFor();
    await axe(page);
    const { page: second } = await chat.blank(look);
    await second.goto(`${chat.url}${chat.link}`);
    await second.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await axe(second);
  },
);
